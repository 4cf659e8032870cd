import type { KubeObject } from '../../kube/manifest.js';

/** The name of the class that is marked as the default: of several the youngest, and of those the first by name. */
export function defaultClass(classes: readonly KubeObject[], annotations: readonly string[]): string | undefined {
  const marked = classes.filter(({ metadata }) => annotations.some((each) => metadata.annotations?.[each] === 'true'));
  const [first] = marked.sort((a, b) => {
    const [ofA, ofB] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
    if (ofA !== ofB) return ofA > ofB ? -1 : 1;
    return a.metadata.name < b.metadata.name ? -1 : 1;
  });
  return first?.metadata.name;
}
