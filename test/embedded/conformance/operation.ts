import type { Json } from '../../../src/kube/manifest.js';

export type Verb = 'create' | 'get' | 'list' | 'watch' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'settle';

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply';

export type JsonMap = Readonly<Record<string, Json>>;

/**
 * One request of a trace, as data: the same on every server that it is sent to.
 *
 * What only a server can know is a symbol within a string, which each server's own answers replace: `{ns}` is what names
 * of the trace begin with, `{rv 3}`, `{uid 3}`, `{name 3}` and `{continue 3}` come from the answer to operation 3. A body
 * `{ $from: 3, $edits: [...] }` is the object that operation 3 answered with, edited: read, change, write.
 */
export interface Operation {
  /** By which others refer to it. Stays when a trace is shortened. */
  readonly id: number;
  readonly verb: Verb;
  /** `v1/pods`, `apps/v1/deployments`. */
  readonly resource: string;
  /** Absent: all namespaces, or a kind without namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly patch?: PatchKind;
  readonly body?: Json;
  /** As in the URL. */
  readonly query?: Readonly<Record<string, string>>;
}

export interface Trace {
  /** What makes it again. */
  readonly seed: string;
  readonly operations: readonly Operation[];
}

/** A change of a value at a path; without a value the field is removed. */
export interface Edit {
  readonly path: readonly (string | number)[];
  readonly value?: Json;
}
