import type { DeleteOptions } from '../../client/cluster.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import type { Draft } from '../draft.js';
import type { FieldPath } from '../fields/field-set.js';
import type { FieldType } from '../fields/field-type.js';
import type { PatchType } from '../patch/patch-type.js';

/** A kind in one version, as the server serves it: what discovery says of it, and all that its verbs need to know. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Under which name the store keeps it, in all its versions: `deployments.apps`. */
  readonly storage: string;
  /** `get list watch create update patch delete deletecollection`, or fewer. */
  readonly verbs: readonly string[];
  readonly subresources: Subresources;
  readonly shape: Shape;
  readonly rules: Rules;
  /** Beside Name and Age, which every kind has. */
  readonly columns: readonly TableColumn[];
  /** False where `columns` says itself whether and where there is an age, as that of a custom resource does. */
  readonly addsAge?: false;
  /** To and from the version that the store keeps. Absent: this is the stored one, or they differ in `apiVersion` alone. */
  readonly conversion?: Conversion;
  /** What the `Warning` header says to every request for the kind, such as that its version is deprecated. */
  readonly warnings?: readonly string[];
  /**
   * From which revision on it is served as it is. Of what was before that no watch hears any more, as the server begins anew
   * to note changes when a definition changes. Absent: from the beginning.
   */
  readonly servedSince?: number;
  /** Beside `metadata.name` and `metadata.namespace`, with how a value is read. */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>;
}

export interface Conversion {
  /** What the store keeps of an object of this version. */
  toStored(object: Draft): Draft;
  /** A stored object in this version. Throws a `StatusError` (500) for one that cannot be read. */
  fromStored(object: KubeObject): KubeObject;
  /** Why a stored object cannot be read: its version is none of those that the definition has. */
  unreadable?(object: KubeObject): string | undefined;
}

export interface Subresources {
  readonly status: boolean;
  readonly scale?: ScalePaths;
}

/** Where an object keeps what its scale subresource shows: `['spec', 'replicas']`. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A selector as text (custom resources), or a label selector (built-in kinds). */
  readonly selector?: readonly string[];
}

/** How bodies become objects and how they are merged: what a schema says. */
export interface Shape {
  /**
   * The object as the server keeps it: unknown fields, nulls and what counts as absent dropped, defaults filled in.
   * `strict` are the problems that strict field validation refuses, in the server's words: `unknown field "spec.sise"`.
   * Throws a `StatusError` (400) when a value has the wrong type.
   */
  decode(body: { readonly [field: string]: Json }): { readonly object: Draft; readonly strict: readonly string[] };
  /**
   * The same of an object that was merged here, which the server does not decode but converts. Throws a `ConversionError`.
   * Absent: `decode` does both.
   */
  convert?(merged: { readonly [field: string]: Json }): { readonly object: Draft; readonly strict: readonly string[] };
  /** What every object of the kind holds from the start, so that nobody owns it by creating one. Absent: nothing. */
  readonly empty?: Json;
  /** Makes of an object what the store makes of it, in place: an empty list that is never left out becomes null. */
  settle?(object: Draft): void;
  /**
   * Throws a `StatusError` for an apiVersion or a kind that a body has to have and has not. `isLenient`: what the kind does
   * not know is passed over, which changes the words; `text` is the body as it stood there. Absent: apiVersion and kind may be
   * left out, and any others than those of the kind are refused as for a built-in one.
   */
  checkHead?(body: Json, isLenient: boolean, text?: string): void;
  /** What the store makes of an object, where that is not the object itself: of a custom one it drops what nobody knows. */
  stored?(object: Draft): Draft;
  /** A draft with what the store keeps of it and nobody is ever shown, such as nulls in the metadata of a custom object. */
  kept?(object: Draft, isNew: boolean): Draft;
  /** For server-side apply and managedFields. */
  readonly fieldType: FieldType;
  /** For strategic merge patch. Absent: the kind does not take one, as custom resources do not. */
  readonly patchType?: PatchType;
}

/** A column of `kubectl get`. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'number' | 'boolean';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority: number;
  cell(object: KubeObject, now: number): Json;
}

/**
 * What a kind's rules are, beside its shape: defaults that no schema has, what only the server writes, and what is refused.
 * All functions are pure but for `world`. Problems come in the order in which the server lists them.
 */
export interface Rules {
  /** Fills in what the author left out, in place. Runs on every decoded body, so it must be idempotent. */
  default?(object: Draft): void;
  /** Before a create: drops what a client may not set (such as status), allocates what the server assigns. */
  prepareForCreate?(object: Draft, world: World, dryRun?: boolean): void;
  /** Before an update through the main resource: keeps what a client may not set as it was in `old`. */
  prepareForUpdate?(object: Draft, old: KubeObject, world: World, dryRun?: boolean): void;
  /** Before an update through the status subresource. Without it everything but `status` is kept from `old`. */
  prepareForStatusUpdate?(object: Draft, old: KubeObject, world: World): void;
  validate?(object: KubeObject, world: World, ofMetadata: readonly FieldProblem[]): readonly FieldProblem[];
  /** On an update; it says also what `validate` would say, as the server's does. Without it: `validate`. */
  validateUpdate?(object: KubeObject, old: KubeObject, world: World): readonly FieldProblem[];
  validateStatusUpdate?(object: KubeObject, old: KubeObject): readonly FieldProblem[];
  /** Refusals by admission, after defaults: throws a `StatusError`. */
  admit?(object: Draft, operation: 'CREATE' | 'UPDATE', world: World): void;
  /**
   * The same of an object that has nothing wrong with it: what only looks at objects, and changes nothing, comes last.
   * Returns advice for the `Warning` header.
   */
  admitValid?(object: KubeObject, old: KubeObject | undefined, world: World): readonly string[];
  /** What is wrong with a name, each as the server says it. A generateName is judged as a prefix. Default: DNS subdomain. */
  nameProblems?(name: string, isPrefix: boolean, object: KubeObject): readonly string[];
  /** For a kind that judges no metadata when it is created, or not of each object: the server does so when the rest is good. */
  readonly judgesMetadataLast?: true | ((object: KubeObject) => boolean);
  /**
   * When generation grows on an update. `spec`: when anything but metadata and status differs. Absent: the kind has no
   * generation.
   */
  readonly generation?: 'spec' | ((object: KubeObject, old: KubeObject) => boolean);
  /** Fields that managers never own through the main resource (such as `status`) or through the status subresource. */
  readonly resetFields?: { readonly main: readonly FieldPath[]; readonly status: readonly FieldPath[] };
  /** Advice that goes with a create (`old` is absent) or an update that is accepted, for the `Warning` header. */
  warnings?(object: KubeObject, old?: KubeObject): readonly string[];
  /** The same of an update of the status. */
  statusWarnings?(object: KubeObject, old: KubeObject): readonly string[];
  /**
   * For a kind of which the first request to delete does no more than mark an object: adds to the mark what holds it, so
   * that what depends on it goes before it.
   */
  markForDeletion?(object: Draft, world: World): void;
  /** Why an object of this name is never deleted. */
  refuseDeletion?(name: string): string | undefined;
  /** Advice that goes with a request to delete, also one that is refused. */
  deletionWarnings?(options: DeleteOptions): readonly string[];
  /**
   * Fills in what a new object shows although nobody wrote it: defaults of what `prepareForCreate` dropped or left open,
   * which the server finds when it reads what it stored. True when there was any, so that the next write stores it.
   */
  completeWhenRead?(object: Draft): boolean;
  /** An object as the main resource shows it, where it keeps more. Who writes works on all that is kept. */
  show?(object: KubeObject): KubeObject;
  /** What stands in every object, and so also in one that says nothing but how far a watch has come. */
  readonly bookmarkAnnotations?: Readonly<Record<string, string>>;
  /** PUT of an object that is not there creates it. Default: 404. */
  readonly allowsCreateOnUpdate?: boolean;
  /** PUT without resourceVersion overwrites. Default: true. */
  readonly allowsUnconditionalUpdate?: boolean;
  /** How long a deletion without a grace period of its own waits; 0 deletes at once. Absent: deletion is not graceful. */
  gracePeriodSeconds?(object: KubeObject): number;
  /** Propagation when the caller says nothing. Default: Background. */
  readonly defaultPropagation?: 'Background' | 'Orphan';
}

/** What rules may look at beside the object itself. */
export interface World {
  get(storage: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(storage: string, namespace?: string): readonly KubeObject[];
  /** Milliseconds since the epoch. */
  now(): number;
  random(): number;
}
