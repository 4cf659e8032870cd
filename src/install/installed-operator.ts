import type { ApiResource } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import type { Reach } from '../kube/reach.js';
import type { Reviewed } from '../kube/webhook.js';

/** What of an operator an install has to know. Every `Operator` is one. */
export interface InstalledOperator {
  readonly name: string;
  readonly resource: ApiResource &
    Reviewed & {
      readonly group: string;
      readonly policies: readonly { readonly expression: string; readonly message: string }[];
      crd(): Manifest;
    };
  /** Absent: `namespace`. */
  readonly reach?: Reach;
  /** There where its custom resources say what becomes of their children. */
  readonly removalOf?: ((cr: object) => unknown) | undefined;
  /** Environment variables that it needs, and what for. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What it keeps outside the cluster. */
  readonly external?: Readonly<Record<string, unknown>>;
  /** What its account may do beyond what the runtime asks for. */
  readonly rights?: readonly PolicyRule[];
  readonly owns: readonly ApiResource[];
  readonly reads: Readonly<Record<string, { readonly resource: ApiResource }>>;
}
