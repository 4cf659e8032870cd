import { groupKindOf } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import { waveIn } from './argo.js';
import { isDefinition } from './is-definition.js';
import { toYaml } from './yaml.js';

/** The folder of one chart. */
export interface Folder {
  readonly path: string;
  readonly files: readonly { readonly name: string; readonly manifest: Manifest }[];
}

/**
 * The name under which kustomizations are written.
 *
 * Of the three that kustomize and Argo CD look for it is the one without an ending, so that `kubectl apply -f <folder>`
 * and `cdk8s synth --stdout`, which take every `*.yaml` for an object of the cluster, leave it alone.
 */
export const kustomizationFile = 'Kustomization';

/** The first line of each kustomization, which also marks a folder as ours to clear. */
export const renderedMark = '# Rendered by kilter: changes made here are lost.';

/** Applies the objects of `folder` in the order of their waves. */
export function folderKustomization(folder: Folder): string {
  const inOrder = [...folder.files].sort(
    (a, b) => waveIn(a.manifest) - waveIn(b.manifest) || (a.name < b.name ? -1 : 1),
  );
  return kustomization(inOrder.map(({ name }) => name));
}

/**
 * Applies every folder that can be applied at once, and names those that cannot in a comment.
 *
 * Left out are folders with custom resources whose CRD is rendered too, because kubectl looks every kind up before it
 * applies anything, and folders that hold an object of a folder before, because kustomize refuses to have it twice.
 */
export function topKustomization(folders: readonly Folder[]): string {
  const taken: string[] = [];
  const left: string[] = [];
  const seen = new Set<string>();
  const defined = definedKinds(folders);
  for (const folder of [...folders].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const keys = folder.files.map(({ manifest }) => keyOf({ ...refOf(manifest), namespace: placeIn(manifest) }));
    const waits = folder.files.some(({ manifest }) => defined.has(groupKindOf(manifest)));
    if (waits || keys.some((key) => seen.has(key))) {
      left.push(folder.path);
      continue;
    }
    taken.push(folder.path);
    for (const key of keys) seen.add(key);
  }
  const notes = left.map((path) => `# Not here, to be applied afterwards or instead: ${path}`);
  return kustomization(taken, notes);
}

/** Where kustomize takes `manifest` to be: what names no namespace, and what is in none, is to it in `default`. */
function placeIn({ metadata: { namespace = 'default' } }: Manifest): string {
  return namespace;
}

/** The kinds that the CRDs of all folders define, as `groupKindOf` names them. */
function definedKinds(folders: readonly Folder[]): ReadonlySet<string> {
  const crds = folders.flatMap(({ files }) => files).filter(({ manifest }) => isDefinition(manifest));
  return new Set(
    crds.map(({ manifest }) => {
      const spec = manifest['spec'] as
        | { readonly group?: string; readonly names?: { readonly kind?: string } }
        | undefined;
      return `${spec?.names?.kind}.${spec?.group}`;
    }),
  );
}

function kustomization(resources: readonly string[], notes: readonly string[] = []): string {
  const document = toYaml({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources,
    // In the order of the list, which is that of the waves, and not by kustomize's own idea of kinds.
    sortOptions: { order: 'fifo' },
  });
  return [renderedMark, ...notes, document].join('\n');
}
