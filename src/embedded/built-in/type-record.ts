/** The data of the built-in kinds: what discovery, OpenAPI and the Go types of the API say, without their prose. */
export interface TypeData {
  readonly kinds: readonly KindRecord[];
  /** A type is named by its place in this list. */
  readonly types: readonly TypeRecord[];
}

export interface KindRecord {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced?: true;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly type: number;
  readonly subresources: readonly SubresourceRecord[];
}

export interface SubresourceRecord {
  readonly name: string;
  readonly kind: string;
  /** Absent: that of the kind. */
  readonly apiVersion?: string;
  readonly verbs: readonly string[];
  readonly type: number;
}

export interface TypeRecord {
  readonly kind: TypeKind;
  /** As decoders name it, where it does not follow from the rest: `v1.Protocol`. */
  readonly name?: string;
  /** The name of its schema, without the `io.k8s.` that all begin with: `api.core.v1.PodSpec`. */
  readonly model?: string;
  /** Of the items of a list, of the values of a map, or of the schema within a union with one. */
  readonly elem?: number;
  readonly enum?: readonly string[];
  /** `x-kubernetes-map-type: atomic` of the schema. */
  readonly atomic?: true;
  readonly fields?: Readonly<Record<string, FieldRecord>>;
}

export type TypeKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  /** Any JSON. */
  | 'raw'
  | 'fieldsV1'
  | 'list'
  | 'map'
  | 'struct'
  /** What stands in JSON schemas where a schema or something else may stand. */
  | 'schemaOrArray'
  | 'schemaOrBool'
  | 'schemaOrStrings';

/** Its type, and of `p` (a pointer), `e` (omitempty), `z` (omitzero) and `r` (required) those that it is. */
export type FieldRecord = readonly [type: number, flags: string, more?: FieldExtras];

export interface FieldExtras {
  /** The Go structs whose embedding it comes from, outermost first. */
  readonly in?: readonly string[];
  readonly default?: string | number | boolean;
  /** `x-kubernetes-list-type`, `-list-map-keys` and `-map-type`. */
  readonly list?: 'atomic' | 'set' | 'map';
  readonly keys?: readonly string[];
  readonly map?: 'atomic' | 'granular';
  /** `x-kubernetes-patch-strategy` and `-patch-merge-key`. */
  readonly patch?: string;
  readonly mergeKey?: string;
}
