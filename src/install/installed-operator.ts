import type { ApiResource } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';

/** What of an operator an install has to know. Every `Operator` is one. */
export interface InstalledOperator {
  readonly name: string;
  readonly resource: ApiResource & { readonly group: string; crd(): Manifest };
  readonly owns: readonly ApiResource[];
  readonly reads: Readonly<Record<string, { readonly resource: ApiResource }>>;
}
