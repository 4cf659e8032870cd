import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { keptSpec, tooLong } from '../kube/stored-spec.js';

const bytes = 16;

/**
 * Tells the mark of what is too long to be kept, which keeps an object from being written back, from one that anybody wrote: while an
 * older version is the stored one such an object is stored with it, and nobody could list the kind in a later version any more.
 *
 * **Guarantees.** A mark is good for the object of that name, by the version that was stored as it was put, and by the key of any
 * replica: all of them have the same. Of two keys the former is good still, for whoever is about to write back what he read.
 */
export class MarkSeals {
  #keys: readonly string[] = [];

  /** From now on marks are sealed by `key`, the private one of the server. */
  use(key: string): void {
    const [latest] = this.#keys;
    if (key !== latest) this.#keys = [key, ...(latest === undefined ? [] : [latest])];
  }

  /** `object`, of which a mark that it has can be known again. */
  sealed(object: KubeObject, kind: Pick<ApiResource, 'apiVersion' | 'kind'>): KubeObject {
    const [key] = this.#keys;
    if (markIn(object) !== tooLong || key === undefined) return object;
    return withMark(object, `${tooLong}:${sealOf(object, kind, key).toString('base64url')}`);
  }

  /** `object` with the mark alone where it was sealed here, and without any that somebody else wrote. */
  opened(object: KubeObject, kind: Pick<ApiResource, 'apiVersion' | 'kind'>): KubeObject {
    const mark = markIn(object);
    if (mark === undefined || this.#keys.length === 0) return object;
    const given = Buffer.from(mark.slice(tooLong.length + 1), 'base64url');
    const isOurs = this.#keys.some(
      (key) => given.length === bytes && timingSafeEqual(given, sealOf(object, kind, key)),
    );
    return withMark(object, isOurs ? tooLong : undefined);
  }
}

function markIn({ metadata }: KubeObject): string | undefined {
  const kept = metadata.annotations?.[keptSpec];
  return kept?.startsWith(tooLong) ? kept : undefined;
}

function withMark(object: KubeObject, mark: string | undefined): KubeObject {
  const { [keptSpec]: _, ...annotations } = object.metadata.annotations ?? {};
  const marked = mark === undefined ? annotations : { ...annotations, [keptSpec]: mark };
  return { ...object, metadata: { ...object.metadata, annotations: marked } };
}

function sealOf(
  { metadata: { namespace = '', name } }: KubeObject,
  { apiVersion, kind }: Pick<ApiResource, 'apiVersion' | 'kind'>,
  key: string,
): Buffer {
  return createHmac('sha256', key)
    .update([keptSpec, apiVersion, kind, namespace, name].join('\n'))
    .digest()
    .subarray(0, bytes);
}
