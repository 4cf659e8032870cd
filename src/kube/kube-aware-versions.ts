/**
 * Orders versions as Kubernetes does: `v2` over `v1` over `v1beta2` over `v1alpha1`, and names of any other form below
 * all of these. https://pkg.go.dev/k8s.io/apimachinery/pkg/version#CompareKubeAwareVersionStrings
 */
export function compareKubeAwareVersions(a: string, b: string): number {
  const [left, right] = [ranksOf(a), ranksOf(b)];
  const differing = left.findIndex((rank, index) => rank !== right[index]);
  if (differing >= 0) return (left[differing] ?? 0) - (right[differing] ?? 0);
  // Of names without a form the first by alphabet is the highest.
  return a < b ? 1 : a > b ? -1 : 0;
}

const maturities: readonly (string | undefined)[] = ['alpha', 'beta', undefined];

function ranksOf(version: string): readonly number[] {
  const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  return form ? [1, maturities.indexOf(form[2]), Number(form[1]), Number(form[3] ?? 0)] : [0, 0, 0, 0];
}
