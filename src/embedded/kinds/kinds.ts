import type { ApiResource } from '../../kube/api-resource.js';
import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { ServedKind } from './served-kind.js';

/** The kinds that the server serves now: the built-in ones, and those of CustomResourceDefinitions as they come and go. */
export class Kinds {
  readonly #byResource = new Map<string, ServedKind>();
  readonly #byKind = new Map<string, ServedKind>();
  /** Versions that are defined and not served: nobody reaches them, but objects may be stored, and fields owned, in them. */
  readonly #unserved = new Map<string, ServedKind>();
  readonly #listeners = new Set<(kind: ServedKind, served: boolean) => void>();

  /** Serves `kind`, in place of an earlier definition of it. */
  serve(kind: ServedKind): void {
    this.#byResource.set(keyOf(kind.group, kind.version, kind.plural), kind);
    this.#byKind.set(keyOf(kind.group, kind.version, kind.kind), kind);
    for (const listener of this.#listeners) listener(kind, true);
  }

  withdraw(kind: ServedKind): void {
    this.#byResource.delete(keyOf(kind.group, kind.version, kind.plural));
    this.#byKind.delete(keyOf(kind.group, kind.version, kind.kind));
    for (const listener of this.#listeners) listener(kind, false);
  }

  /** Knows a version that is not served, in place of an earlier definition of it. */
  define(kind: ServedKind): void {
    this.#unserved.set(keyOf(kind.group, kind.version, kind.kind), kind);
  }

  forget({ group, version, kind }: ServedKind): void {
    this.#unserved.delete(keyOf(group, version, kind));
  }

  /** By what stands in an object that was written at any time: served or not. */
  defined(group: string, version: string, kind: string): ServedKind | undefined {
    return this.kind(group, version, kind) ?? this.#unserved.get(keyOf(group, version, kind));
  }

  /** By what stands in a URL. */
  resource(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#byResource.get(keyOf(group, version, plural));
  }

  /** By what stands in an object that somebody sends. */
  kind(group: string, version: string, kind: string): ServedKind | undefined {
    return this.#byKind.get(keyOf(group, version, kind));
  }

  of({ apiVersion, plural }: ApiResource): ServedKind | undefined {
    return this.resource(groupOf(apiVersion), versionOf(apiVersion), plural);
  }

  get all(): readonly ServedKind[] {
    return [...this.#byResource.values()];
  }

  /** Calls `listener` whenever a kind comes or goes. Returns how to stop. */
  listen(listener: (kind: ServedKind, served: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('/');
}
