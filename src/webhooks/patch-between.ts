import type { JsonPatchOperation } from '../client/cluster.js';
import { pointerStep } from '../kube/json-pointer.js';
import { isMap } from '../kube/plain-map.js';

/**
 * What makes `to` of `from`, which are JSON, at the pointer `path`. Nothing is said of what is equal: of that the API server
 * keeps what it has, also where a number is one that JavaScript cannot hold.
 *
 * https://www.rfc-editor.org/rfc/rfc6902
 */
export function patchBetween(from: unknown, to: unknown, path: string): readonly JsonPatchOperation[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  // An `add` replaces what is there.
  if (!isMap(from) || !isMap(to)) return [{ op: 'add', path, value: to }];
  const at = (key: string) => `${path}/${pointerStep(key)}`;
  const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  return [
    ...gone.map((key) => ({ op: 'remove', path: at(key) }) as const),
    ...Object.keys(to).flatMap((key) =>
      patchBetween(Object.hasOwn(from, key) ? from[key] : undefined, to[key], at(key)),
    ),
  ];
}
