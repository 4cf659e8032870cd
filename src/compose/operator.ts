import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import { groupKindOf } from '../kube/api-resource.js';
import { DefinitionError, OperatorError } from '../kube/errors.js';
import type { KubeObject, Manifest, ManifestMetadata } from '../kube/manifest.js';
import type { CustomResource, CustomResourceClass, CustomResourceProps } from '../resource/custom-resource.js';
import { type Observed, TypedObject } from '../resource/typed-object.js';
import { isRefusal, showProblem } from '../schema/field-problem.js';
import { type Composition, composition } from './composition.js';
import type { Inputs, Read, TypedRead } from './reads.js';

/** What `compose` returned, as observed: undefined while a child does not exist yet. */
export type ObservedChildren<H> = {
  readonly [Name in keyof H]: H[Name] extends TypedObject<infer T> ? Observed<T> | undefined : KubeObject | undefined;
};

/** What the reads of an operator give, by their names. */
export type InputsOf<R> = { readonly [Name in keyof R]: R[Name] extends TypedRead<infer I, never> ? I : never };

/** What `compose` may return: children by name, for `status` to look at. */
export type Handles = Readonly<Record<string, ApiObject | undefined>>;

// biome-ignore lint/complexity/noBannedTypes: an operator without reads has none, by no name.
type NoReads = {};

export interface OperatorInput<SpecOut, Status, R, H extends Handles> {
  /** The field manager of its children, and what its Lease is called. Default: the kind in lower case. */
  readonly name?: string;
  /** The kinds of its children: they are watched, granted by RBAC, and looked through for what to prune. */
  readonly owns: readonly ApiResource[];
  /** Inputs from the cluster. */
  readonly reads?: R;
  /** How many custom resources are reconciled at once. Default 4. */
  readonly maxConcurrentReconciles?: number;
  /** Reconciles each custom resource again after this long, for what no watch can tell. Default: never. */
  readonly requeueAfterSeconds?: number;
  /**
   * Creates the children in `scope`.
   *
   * **Assumes** that it is pure: no clock, environment, randomness or network. What it creates is desired, and what it
   * no longer creates is pruned.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an author who returns nothing writes no return.
  compose(scope: Construct, cr: CustomResource<SpecOut, Status>, reads: InputsOf<R>): H | undefined | void;
  /** The fields of status, from what is observed of the children that `compose` returned. Never from what is desired. */
  status?(children: ObservedChildren<H>, reads: InputsOf<R>, cr: CustomResource<SpecOut, Status>): Partial<Status>;
}

/** A custom resource as a test or a chart hands it in: what a user writes, with a name. */
export type Written<SpecIn> = CustomResourceProps<SpecIn> & {
  readonly metadata: ManifestMetadata & { readonly uid?: string };
};

/** An operator with its types, for its author. */
export type TypedOperator<SpecIn, R> = Omit<Operator, 'desired' | 'compose'> & {
  desired(cr: Written<SpecIn>, reads?: Partial<InputsOf<R>>): Manifest[];
  compose(scope: Construct, cr: Written<SpecIn>, reads?: Partial<InputsOf<R>>): void;
};

/** A custom resource's kind and how its children follow from it: what is rendered, installed and run. */
export interface Operator {
  readonly name: string;
  readonly resource: CustomResourceClass;
  readonly owns: readonly ApiResource[];
  readonly reads: Readonly<Record<string, Read>>;
  readonly maxConcurrentReconciles: number;
  readonly requeueAfterSeconds: number | undefined;
  /** The children of a custom resource as plain objects: what a test of an operator looks at. */
  desired(cr: Written<never>, reads?: Inputs): Manifest[];
  /** Renders the children of a custom resource into an ordinary chart. */
  compose(scope: Construct, cr: Written<never>, reads?: Inputs): void;
  /** The children of a custom resource that the cluster has, with its owner references. */
  composition(cr: KubeObject, reads: Inputs): Composition;
  /** The author's fields of status. */
  status(
    children: Readonly<Record<string, KubeObject | undefined>>,
    reads: Inputs,
    cr: KubeObject,
  ): Readonly<Record<string, unknown>>;
}

/**
 * Defines an operator: which kinds it owns, how children follow from a custom resource, and what status says of them.
 *
 * Throws `DefinitionError` for a definition that cannot work. What `compose` gets wrong is thrown when it is composed.
 */
export function operator<
  SpecIn,
  SpecOut,
  Status,
  const R extends Readonly<Record<string, Read<CustomResource<SpecOut, Status>>>> = NoReads,
  H extends Handles = NoReads,
>(
  resource: CustomResourceClass<SpecIn, SpecOut, Status>,
  input: OperatorInput<SpecOut, Status, R, H>,
): TypedOperator<SpecIn, R> {
  const name = input.name ?? resource.kind.toLowerCase();
  check(resource, name, input.owns);
  const reads = (input.reads ?? {}) as Readonly<Record<string, Read>>;

  const composed = (cr: CustomResource<SpecOut, Status>, inputs: Inputs): Composition =>
    composition({
      operator: name,
      cr,
      owns: input.owns,
      build: (scope) => (input.compose(scope, cr, inputs as InputsOf<R>) ?? undefined) as Handles | undefined,
    });
  const desired = (cr: Written<SpecIn>, inputs: Inputs): Manifest[] => [
    ...composed(accepted(resource, cr), { ...nothingRead(reads), ...inputs }).children,
  ];

  const made = {
    name,
    resource,
    owns: input.owns,
    reads,
    maxConcurrentReconciles: input.maxConcurrentReconciles ?? 4,
    requeueAfterSeconds: input.requeueAfterSeconds,
    desired: (cr: Written<SpecIn>, inputs: Inputs = {}) => desired(cr, inputs),
    compose(scope: Construct, cr: Written<SpecIn>, inputs: Inputs = {}) {
      for (const manifest of desired(cr, inputs)) {
        const kind = input.owns.find((owned) => groupKindOf(owned) === groupKindOf(manifest)) as ApiResource;
        new TypedObject(scope, `${manifest.kind}-${manifest.metadata.name}`, kind, manifest);
      }
    },
    composition: (cr: KubeObject, inputs: Inputs) => composed(cr as unknown as CustomResource<SpecOut, Status>, inputs),
    status: (children: Readonly<Record<string, KubeObject | undefined>>, inputs: Inputs, cr: KubeObject) =>
      (input.status?.(
        children as ObservedChildren<H>,
        inputs as InputsOf<R>,
        cr as unknown as CustomResource<SpecOut, Status>,
      ) ?? {}) as Readonly<Record<string, unknown>>,
  };
  return made as unknown as TypedOperator<SpecIn, R>;
}

/** Before anything was read, `one` gives nothing and `many` an empty list. */
function nothingRead(reads: Readonly<Record<string, Read>>): Inputs {
  return Object.fromEntries(Object.entries(reads).map(([name, { type }]) => [name, type === 'many' ? [] : undefined]));
}

/** `cr` with its defaults, as the API server would store it, or an error in its words. */
function accepted<SpecIn, SpecOut, Status>(
  resource: CustomResourceClass<SpecIn, SpecOut, Status>,
  cr: Written<SpecIn>,
): CustomResource<SpecOut, Status> {
  const { apiVersion, kind } = resource;
  const refused = resource.validate({ apiVersion, kind, ...cr }).filter(isRefusal);
  if (refused.length > 0) {
    throw new OperatorError(`${kind}/${cr.metadata.name} is invalid: ${refused.map(showProblem).join(', ')}`);
  }
  return resource.withDefaults(cr);
}

function check({ kind }: ApiResource, name: string, owns: readonly ApiResource[]): void {
  if (!/^[a-z0-9]([-a-z0-9.]{0,50}[a-z0-9])?$/.test(name)) {
    throw new DefinitionError(`operator "${name}" of ${kind} cannot be defined: its name goes into labels and names`, {
      hint: 'use lower-case letters, digits and dashes, at most 52 of them',
    });
  }
  const seen = new Map<string, ApiResource>();
  for (const owned of owns) {
    const twin = seen.get(groupKindOf(owned));
    if (twin) {
      throw new DefinitionError(
        `operator "${name}" owns ${owned.kind} twice: as ${twin.apiVersion} and as ${owned.apiVersion}`,
        {
          hint: 'both are views of the same objects: keep one',
        },
      );
    }
    seen.set(groupKindOf(owned), owned);
  }
}
