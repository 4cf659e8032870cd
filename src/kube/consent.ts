import type { ApiResource } from './api-resource.js';
import type { Manifest } from './manifest.js';

/** On an object, or on the Namespace that it is in: the namespaces whose custom resources may read it, by commas. */
export const shareWith = 'kilter.dev/share-with';

/** On a Namespace: the namespaces whose custom resources may have children in it, by commas. */
export const acceptFrom = 'kilter.dev/accept-from';

/** Who is asked for consent, beside the objects themselves. */
export const namespaceKind: ApiResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** True when `object` consents to what a custom resource in `namespace` wants. What is not there consents to nothing. */
export function consents(
  object: Pick<Manifest, 'metadata'> | undefined,
  annotation: typeof shareWith | typeof acceptFrom,
  namespace: string,
): boolean {
  const list = object?.metadata.annotations?.[annotation] ?? '';
  if (namespace === '') return false;
  // Not divided: it may be as long as annotations are, of each object that is read, and its words are those of strangers.
  for (let at = list.indexOf(namespace); at >= 0; at = list.indexOf(namespace, at + 1)) {
    if (isWhole(list, at, at + namespace.length)) return true;
  }
  return false;
}

/** True where nothing but space is between what is there and the commas, or the ends, around it. */
function isWhole(list: string, from: number, to: number): boolean {
  let [before, after] = [from - 1, to];
  while (isSpace(list[before])) before--;
  while (isSpace(list[after])) after++;
  return [before < 0 ? ',' : list[before], list[after] ?? ','].every((each) => each === ',');
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}
