import type { Construct } from 'constructs';
import type { AdoptMode } from '../kube/adopt.js';
import { type ApiResource, groupKindOf, kindAmong } from '../kube/api-resource.js';
import type { DriftRule, SensitiveField } from '../kube/drift-mode.js';
import { OperatorError } from '../kube/errors.js';
import { frozen } from '../kube/frozen.js';
import type { KubeObject, Manifest, ManifestMetadata } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { controllerReferenceTo } from '../kube/owner-reference.js';
import { isMap } from '../kube/plain-map.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import type { Reach } from '../kube/reach.js';
import { admitted } from '../resource/admission.js';
import type { CustomResource, CustomResourceClass, CustomResourceProps } from '../resource/custom-resource.js';
import { plainData } from '../resource/plain-data.js';
import { TypedObject } from '../resource/typed-object.js';
import { type Composition, composition } from './composition.js';
import type { External, States } from './external.js';
import type { DriftInput, Handles, ObservedChildren, OperatorInput, StatusFields } from './operator-input.js';
import type { OwnedKind } from './owned-kind.js';
import { type GivenTo, type Inputs, type InputsOf, nothingRead, type Read, withKinds } from './reads.js';
import { refuseImpossibleOperator } from './refuse-impossible-operator.js';
import { refuseNotOwned } from './refuse-not-owned.js';
import { refuseUntyped } from './refuse-untyped.js';
import { isOutlived, type RemovalOf, removalField } from './removal-field.js';
import { statusFields } from './status-fields.js';

/** A custom resource's kind and how its children follow from it: what is rendered, installed and run. */
export interface Operator {
  /** The field manager of its children, and what its Lease is called. */
  readonly name: string;
  readonly resource: CustomResourceClass;
  readonly owns: readonly OwnedKind[];
  readonly reads: Readonly<Record<string, Read>>;
  /** What belongs to a custom resource outside the cluster. */
  readonly external: Readonly<Record<string, External<KubeObject, unknown>>>;
  /** Environment variables that it needs, and what for. */
  readonly settings: Readonly<Record<string, string>>;
  readonly maxConcurrentReconciles: number;
  readonly requeueAfterSeconds: number | undefined;
  readonly reach: Reach;
  /** Whether a composition without children is meant, so that it prunes all there were. */
  readonly allowEmpty: boolean;
  readonly adopt: AdoptMode;
  /** Reads the field that `removal` names. Absent: each child says by an annotation what becomes of it. */
  readonly removalOf: RemovalOf | undefined;
  /** Values that `name` had before. */
  readonly formerly: readonly string[];
  /** Kinds of children that are deleted and made anew where a field cannot be changed. */
  readonly recreate: readonly ApiResource[];
  /** Rights of its account beyond those that follow from `owns`, `reads` and the rest. */
  readonly rights: readonly PolicyRule[];
  /** What happens when somebody changes what was applied. */
  readonly drift: DriftInput;
  /**
   * The children of a custom resource as plain objects: what a test of an operator looks at.
   *
   * Throws `OperatorError` where the API server would refuse the custom resource, and a `TypeError` where `compose`
   * changes what it was handed.
   */
  desired(cr: Written<never>, reads?: Inputs): Manifest[];
  /** Renders the children of a custom resource into an ordinary chart, without owner references. */
  compose(scope: Construct, cr: Written<never>, reads?: Inputs): void;
  /** The children of a custom resource that the cluster has, with its owner references. */
  composition(cr: KubeObject, reads: Inputs): Composition;
  /** The author's fields of status, from observed children under the names that `compose` returned. */
  status(
    children: Readonly<Record<string, KubeObject | undefined>>,
    reads: Inputs,
    cr: KubeObject,
    external?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
}

/** A custom resource as a test or a chart hands it in: what a user writes, with a name. */
export type Written<SpecIn> = Omit<CustomResourceProps<SpecIn>, 'metadata'> & {
  readonly metadata: ManifestMetadata & { readonly uid?: string };
};

/** An operator with its types, for its author. */
export type TypedOperator<SpecIn, R> = Omit<Operator, 'desired' | 'compose'> & {
  desired(cr: Written<SpecIn>, reads?: GivenTo<R>): Manifest[];
  compose(scope: Construct, cr: Written<SpecIn>, reads?: GivenTo<R>): void;
};

// biome-ignore lint/complexity/noBannedTypes: an operator without reads has none, by no name.
type None = {};

/**
 * Defines an operator: which kinds it owns, how children follow from a custom resource, and what status says of them.
 *
 *     export const memcached = operator(Memcached, {
 *       owns: [Deployment],
 *       compose: (scope, { spec }) => ({ server: new Deployment(scope, 'server', { … }) }),
 *       status: ({ server }) => ({ readyReplicas: server?.status?.readyReplicas ?? 0 }),
 *     });
 *
 * A child is named after its custom resource and its construct id, `cache-server`, unless it says a name: to rename an id is to
 * delete one object and create another.
 *
 * Throws `DefinitionError` for a definition that cannot work. What `compose` gets wrong is thrown when it is composed: by
 * `desired` in a test, and in the cluster it is said in the condition `Ready`.
 */
export function operator<
  SpecIn,
  SpecOut,
  Status,
  const R extends Readonly<Record<string, Read<CustomResource<SpecOut, Status>>>> = None,
  H extends Handles = None,
  const G extends StatusFields<Status> = StatusFields<Status>,
  X = None,
  const D extends readonly DriftRule[] = readonly DriftRule[],
  const S extends readonly SensitiveField[] = readonly SensitiveField[],
>(
  resource: CustomResourceClass<SpecIn, SpecOut, Status>,
  input: OperatorInput<SpecOut, Status, R, H, G, X, D, S>,
): TypedOperator<SpecIn, R> {
  refuseUntyped(resource, input);
  const { owns, maxConcurrentReconciles = 4, drift = {}, settings = {} } = input;
  const { reach = 'namespace', allowEmpty = false, adopt = 'never', formerly = [], recreate = [], rights = [] } = input;
  const external = (input.external ?? {}) as Operator['external'];
  const name = input.name ?? resource.kind.toLowerCase();
  const reads = (input.reads ?? {}) as Readonly<Record<string, Read>>;
  const nothing = nothingRead(reads);
  refuseNotOwned(name, owns, recreate);
  const { requeueAfterSeconds, removal } = input;
  const removalOf = removal === undefined ? undefined : removalField(resource as never, removal);
  refuseImpossibleOperator(resource, { name, owns, maxConcurrentReconciles, requeueAfterSeconds, external, drift });

  const composed = (cr: CustomResource<SpecOut, Status>, inputs: Inputs): Composition => {
    const { metadata } = cr;
    const { apiVersion, kind } = resource;
    const owner =
      metadata.uid === undefined ? undefined : controllerReferenceTo({ apiVersion, kind, metadata } as KubeObject);
    return composition({
      operator: name,
      resource,
      metadata,
      owner,
      owns,
      reach,
      isOutlived: isOutlived(removalOf, { apiVersion, kind, metadata }),
      build: (scope) => input.compose(scope, cr, inputs as InputsOf<R>),
    });
  };

  const made: Omit<TypedOperator<SpecIn, R>, 'resource'> & { readonly resource: unknown } = {
    name,
    resource,
    owns,
    reads,
    external,
    settings,
    maxConcurrentReconciles,
    requeueAfterSeconds,
    reach,
    allowEmpty,
    adopt,
    removalOf,
    formerly,
    recreate,
    rights,
    drift,
    desired(cr, inputs = {}) {
      refuseNoResource(resource.kind, cr);
      // Copies, because they are frozen, and the fixture of a test is not compose's to change.
      const given = { ...nothing, ...withKinds(inputs, reads) };
      const read = plainData(given, `what ${resource.kind}/${cr.metadata.name} reads`) as Inputs;
      return [...composed(frozen(accepted(resource, cr)), frozen(read)).children];
    },
    compose(scope, cr, inputs = {}) {
      refuseNoResource(resource.kind, cr);
      const { uid: _, ...metadata } = cr.metadata;
      for (const manifest of made.desired({ ...cr, metadata }, inputs)) {
        const kind = kindAmong(owns, manifest)!;
        const { namespace = '', name: childsName } = manifest.metadata;
        new TypedObject<Manifest>(scope, [groupKindOf(kind), namespace, childsName].join(':'), kind, manifest);
      }
    },
    composition: (cr, inputs) => composed(cr as unknown as CustomResource<SpecOut, Status>, { ...nothing, ...inputs }),
    status(children, inputs, cr, states = {}) {
      const fields = input.status?.(
        children as ObservedChildren<H>,
        inputs as InputsOf<R>,
        cr as unknown as CustomResource<SpecOut, Status>,
        states as States<X>,
      );
      const { namespace, name: ownName } = cr.metadata;
      const subject = `${show({ kind: resource.kind, name: ownName, ...(namespace ? { namespace } : {}) })} status`;
      return statusFields(fields, subject);
    },
  };
  return made as TypedOperator<SpecIn, R>;
}

/** Throws `OperatorError` for what a compiler would refuse. */
function refuseNoResource(kind: string, cr: unknown): void {
  if (isMap(cr) && isMap(cr['metadata'])) return;
  throw new OperatorError(`${kind} cannot be composed: what was handed in is no custom resource`, {
    hint: "hand in one as it is written, with a name: { metadata: { name: 'one' }, spec: { … } }",
  });
}

/** `cr` with its defaults, as the API server would store it, or an error in its words. */
function accepted<SpecIn, SpecOut, Status>(
  resource: CustomResourceClass<SpecIn, SpecOut, Status>,
  cr: Written<SpecIn>,
): CustomResource<SpecOut, Status> {
  const { apiVersion, kind } = resource;
  const { namespace, name = '(without a name)' } = cr.metadata;
  const subject = show({ kind, name, ...(namespace ? { namespace } : {}) });
  const written = plainData({ apiVersion, kind, ...cr }, subject) as unknown as KubeObject;
  const { object, problems } = admitted(resource, written);
  if (problems.length > 0) throw new OperatorError(`${subject} is invalid: ${problems.join(', ')}`);
  return resource.withDefaults(object as never);
}
