import type { Construct } from 'constructs';
import type { AdoptMode } from '../kube/adopt.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { DriftMode, DriftRule, SensitiveField } from '../kube/drift-mode.js';
import type { KubeObject } from '../kube/manifest.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import type { Reach } from '../kube/reach.js';
import type { CustomResource } from '../resource/custom-resource.js';
import type { Observed, TypedObject } from '../resource/typed-object.js';
import type { External, States } from './external.js';
import type { KnownFields } from './known-field.js';
import type { OwnedKind } from './owned-kind.js';
import type { InputsOf } from './reads.js';

/** What `compose` may return: constructs that it created, by name, for `status` to look at what came of them. */
export type Handles = Readonly<Record<string, Construct | undefined>>;

/** What `compose` returned, as observed: undefined while a child does not exist yet, or where another `return` has it. */
export type ObservedChildren<H> = {
  readonly [Name in keyof NamesOf<H>]: ObservedChild<Child<H, Name>> | undefined;
};

/**
 * The names of a union of handles are those of all its members, and not only those that every `return` of `compose` gives. As
 * properties, and not as a union of names, in which `string` would take those of children that are beside others made in a loop.
 */
type NamesOf<H> = Intersected<H extends unknown ? { readonly [Name in keyof H]: true } : never>;

type Intersected<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void ? All : never;

type Child<H, Name> = H extends unknown ? (Name extends keyof H ? NonNullable<H[Name]> : never) : never;

type ObservedChild<C> = C extends TypedObject<infer T> ? Observed<T> : KubeObject;

/** What `status` may return: the fields of the status schema, of which the optional ones may be undefined, however deep. */
export type StatusFields<Status> = {
  readonly [Name in keyof Status]: object extends Pick<Status, Name>
    ? WithGaps<Status[Name]> | undefined
    : WithGaps<Status[Name]>;
};

type WithGaps<T> = T extends readonly (infer Item)[]
  ? readonly WithGaps<Item>[]
  : T extends object
    ? StatusFields<T>
    : T;

/**
 * Refuses fields that `Status` does not have, which TypeScript overlooks in what a function returns. It asks for a property
 * whose name says so, and not for these fields as `never`: what is expected of a field would then be never, too, and a text
 * that is returned for an enum would be taken for any text.
 */
export type NoOthers<Status, Given> = [Exclude<keyof Given, keyof Status>] extends [never]
  ? unknown
  : { readonly 'is no field of the status': Exclude<keyof Given, keyof Status> };

/** What of the children is enforced. */
export interface DriftInput {
  /** For whatever no rule is about, and no custom resource and no flag says otherwise. `enforce` if not given. */
  readonly mode?: DriftMode;
  /** For kinds and for fields: `{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }`. The most specific wins. */
  readonly rules?: readonly DriftRule[];
  /**
   * Whether what others add under what is declared is removed, too: a container, a port, a label, a field. Otherwise it is
   * reported. Rules say it for a kind or a field: `{ kind: Deployment, field: 'spec.template', strict: true }`.
   */
  readonly strict?: boolean;
  /** Fields whose values no difference shows. Those of Secrets are never shown. */
  readonly sensitive?: readonly SensitiveField[];
}

/** The same, in which the compiler looks at the fields that are named. */
interface CheckedDrift<D extends readonly DriftRule[], S extends readonly SensitiveField[]> extends DriftInput {
  readonly rules?: D & KnownFields<D>;
  readonly sensitive?: S & KnownFields<S>;
}

/** How an author describes an operator. */
export interface OperatorInput<
  SpecOut,
  Status,
  R,
  H extends Handles,
  G extends StatusFields<Status>,
  // biome-ignore lint/complexity/noBannedTypes: an operator without externals has none, by no name.
  X = {},
  D extends readonly DriftRule[] = readonly DriftRule[],
  S extends readonly SensitiveField[] = readonly SensitiveField[],
> {
  /** The field manager of its children, and its name in logs and metrics. The kind in lower case if not given. */
  readonly name?: string;
  /** The kinds of its children: they are watched, granted by RBAC, and looked through for what to prune. */
  readonly owns: readonly OwnedKind[];
  /** Inputs from the cluster that are no children, by name: what `one` and `many` give. */
  readonly reads?: R;
  /**
   * How far a custom resource reaches. `namespace` if not given: its own alone. With `consent` also into namespaces that
   * agree; with `cluster` everywhere. What it has there gets a finalizer and an inventory in place of owner references.
   */
  readonly reach?: Reach;
  /**
   * True where a composition without any child is meant, such as that of a copy whose source is gone. Otherwise it is
   * taken for a mistake, and prunes nothing until somebody says so with `<group>/allow-empty: "true"`.
   */
  readonly allowEmpty?: boolean;
  /** What the operator keeps true outside the cluster for each custom resource, such as a booking or a bucket, by name. */
  readonly external?: { readonly [Name in keyof X]: External<CustomResource<SpecOut, Status>, X[Name], NoInfer<R>> };
  /**
   * Settings that `external` needs, by the names of environment variables, each with what it is for. Whoever runs the
   * operator sets them; without one of them the custom resources say which is missing.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** What becomes of objects that have a child's name and were made by others: `never` if not given, so that none is taken over. */
  readonly adopt?: AdoptMode;
  /**
   * The path of the field by which a custom resource says what becomes of its children when they are composed no more, and
   * when it is deleted itself: `.spec.deletionPolicy`, an enum of `Delete`, `Retain` and `Orphan`, or of some of them. Its
   * children then have labels and an inventory in place of owner references, and it has a finalizer. If not given each child
   * says it by the annotation `kilter.dev/removal`.
   */
  readonly removal?: string;
  /**
   * Values that `name` had before. Fields that these managers own count as the operator's, so that one that is composed no more is
   * removed, and not left behind under the old name.
   */
  readonly formerly?: readonly string[];
  /**
   * Kinds of children that are deleted and made anew where what is desired of them changes in a field that is immutable.
   * None if not given: then a person has to choose. What holds data needs the consent of its custom resource, too.
   */
  readonly recreate?: readonly ApiResource[];
  /**
   * Rights beyond those that follow from `owns`, `reads` and the rest. Who owns Roles, RoleBindings and their like needs them:
   * the API server lets nobody grant what he neither may himself nor is let grant, by the verbs `bind` and `escalate`.
   */
  readonly rights?: readonly PolicyRule[];
  /** How many custom resources are reconciled at once. 4 if not given. */
  readonly maxConcurrentReconciles?: number;
  /** Reconciles each custom resource again after this long, for what no watch can tell. Never if not given. */
  readonly requeueAfterSeconds?: number;
  /** What happens when somebody changes what was applied. Everything is put back if not given. */
  readonly drift?: CheckedDrift<D, S>;
  /**
   * Creates the children in `scope`.
   *
   * **Assumes** that it is pure: no clock, environment, randomness or network. What it creates is desired, and what it
   * no longer creates is pruned.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an author who returns nothing writes no return.
  compose(scope: Construct, cr: CustomResource<SpecOut, Status>, reads: InputsOf<R>): H | undefined | void;
  /** The fields of status, from what is observed of the children that `compose` returned. Never from what is desired. */
  status?(
    children: ObservedChildren<H>,
    reads: InputsOf<R>,
    cr: CustomResource<SpecOut, Status>,
    external: States<X>,
  ): G & NoOthers<Status, G>;
}
