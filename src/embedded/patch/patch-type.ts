/**
 * How a strategic merge patch merges a value, by the struct tags of the Go types.
 *
 * https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
 */
export type PatchType =
  /** A scalar, or JSON of any shape. */
  | { readonly type: 'leaf' }
  /** `name` is the Go type, which the server names in messages: `PodSpec`. */
  | {
      readonly type: 'map';
      readonly name?: string;
      readonly fields: Readonly<Record<string, PatchField>>;
      readonly others?: PatchField;
    }
  | { readonly type: 'list'; readonly item: () => PatchType };

export interface PatchField {
  /** Types may contain themselves. */
  readonly type: () => PatchType;
  /** `['merge', 'retainKeys']`; empty means that a list is replaced and a map merged. */
  readonly strategies: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly mergeKey?: string;
}
