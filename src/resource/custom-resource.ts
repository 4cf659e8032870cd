import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import type { Condition } from '../kube/condition.js';
import { OperatorError } from '../kube/errors.js';
import type { KubeObject, Manifest, ManifestMetadata } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import type { WholeNumbers } from '../kube/whole-numbers.js';
import { withDefaults } from '../schema/defaults.js';
import type { FieldProblem } from '../schema/field-problem.js';
import type { AnySchema, In, Out } from '../schema/schema.js';
import { validateObject } from '../schema/validate.js';
import { type Admission, type AdmissionPolicy, Admitting, admitted } from './admission.js';
import { Conversion } from './conversion.js';
import { definition, objectSchema } from './definition.js';
import type { OtherVersion } from './other-version.js';
import { plainData } from './plain-data.js';
import { refusePolicies } from './refuse-policies.js';
import { refuseUntypedKind } from './refuse-untyped-kind.js';
import { type NamesInput, resourceNames } from './resource-names.js';
import { type Scale, scaleProblems } from './scale.js';
import { type MetadataProps, type Props, TypedObject } from './typed-object.js';

/**
 * How an author describes a kind.
 *
 * The type parameters follow from `spec`, `status` and `versions`. `Literal` follows from nothing, and is unknown: it is const so
 * that the compiler takes a text that one of the functions returns for that very text, as an enum needs, and not for any.
 */
export interface CustomResourceInput<
  S extends AnySchema,
  T extends AnySchema,
  V extends Readonly<Record<string, AnySchema>>,
  Literal = unknown,
> extends NamesInput {
  /** What the kind is for. Shown by `kubectl explain`. */
  readonly description?: string;
  /** False for a cluster-scoped kind. True if not given. */
  readonly namespaced?: boolean;
  /** What a user writes: an `s.object`. */
  readonly spec: S;
  /** What the operator's `status` says: an `s.object`. `conditions` and what else every status has is added. */
  readonly status?: T;
  /** Columns of `kubectl get`, by name: a path such as `.spec.size`. Whether it is ready, and since when, is shown beside them. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Makes `kubectl scale` and autoscalers work. None if not given. */
  readonly scale?: Scale;
  /** Versions beside `version`, which is the one that is stored and that `compose` sees. They have the same status. */
  readonly versions?: { readonly [Name in keyof V]: OtherVersion<V[Name], S, Literal> };
  /** What the API server asks the controller, by webhooks, when one is created or changed. */
  readonly admission?: Admission<In<S> & NoInfer<Literal>, CustomResource<Out<S>, StatusOf<T>>>;
  /** Rules that the API server holds it to then by itself, without a webhook. */
  readonly policies?: readonly AdmissionPolicy[];
}

/** What every status has beside the author's fields. */
export interface CommonStatus {
  /** `Ready`, and others where they have something to say. */
  readonly conditions?: readonly Condition[];
  /** The `metadata.generation` that the last round was about. */
  readonly observedGeneration?: number;
  /** The value of the annotation `<group>/requested-at`, which asks for a reconcile at once, when that was last done. */
  readonly lastHandledReconcileAt?: string;
}

/** A kind without a status schema has the common fields alone. */
// biome-ignore lint/complexity/noBannedTypes: no fields, by no name.
type StatusOf<T extends AnySchema> = [T] extends [never] ? {} : Out<T>;

// biome-ignore lint/complexity/noBannedTypes: a kind of one version has no others, by no name.
type None = {};

/** A custom resource, as its operator sees it: defaults are filled in. */
export interface CustomResource<Spec, Status = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata & Partial<KubeObject['metadata']>;
  readonly spec: Spec;
  readonly status?: Partial<Status> & CommonStatus;
}

/** What a custom resource is written with. `spec` may be left out where its schema has a default. */
export type CustomResourceProps<Spec> = {
  readonly metadata?: MetadataProps;
} & (undefined extends Spec ? { readonly spec?: Exclude<Spec, undefined> } : { readonly spec: Spec });

/** What a user writes of a spec; undefined too, where it has a default. */
type Written<S extends AnySchema> = S extends { readonly types?: { readonly presence: 'defaulted' } }
  ? In<S> | undefined
  : In<S>;

/** A custom resource's kind: a construct class, and what the API server has to know of it. */
export interface CustomResourceClass<SpecIn = never, SpecOut = unknown, Status = unknown> extends ApiResource {
  new (scope: Construct, id: string, props: CustomResourceProps<SpecIn>): TypedObject<CustomResource<SpecOut, Status>>;
  readonly group: string;
  readonly version: string;
  readonly singular: string;
  readonly spec: AnySchema;
  readonly status: AnySchema | undefined;
  /** The CustomResourceDefinition, as it is rendered and applied. */
  crd(): Manifest;
  /** What the API server would say about an object of this kind, in its words. */
  validate(object: Readonly<Record<string, unknown>>): FieldProblem[];
  readonly admission: Admitting;
  readonly policies: readonly AdmissionPolicy[];
  /** Whether there are versions beside the stored one, between which somebody has to convert. */
  readonly isConvertible: boolean;
  /**
   * An object of any version of this kind as another has it. Throws `OperatorError` for a version that there is not, and
   * for what the author's functions throw.
   */
  convert<T extends Manifest>(object: T, apiVersion: string): Manifest & Pick<T, 'metadata'>;
  /** The object with the server's defaults filled in. */
  withDefaults(
    object: Omit<CustomResourceProps<SpecIn>, 'metadata'> & { readonly metadata: ManifestMetadata },
  ): CustomResource<SpecOut, Status>;
}

/** A custom resource of a kind, for what an author writes beside `compose`: `CustomResourceOf<typeof Memcached>`. */
export type CustomResourceOf<K> =
  K extends CustomResourceClass<infer _, infer SpecOut, infer Status> ? CustomResource<SpecOut, Status> : never;

/**
 * Defines a kind: from one schema come its types, its CustomResourceDefinition, its construct class and the validation
 * of what is written of it.
 *
 *     export const Memcached = customResource({
 *       group: 'cache.example.com', version: 'v1', kind: 'Memcached',
 *       spec: s.object({ size: s.int32({ minimum: 0, default: 1 }) }),
 *       status: s.object({ readyReplicas: s.int32() }),
 *     });
 *     new Memcached(chart, 'cache', { metadata: { name: 'cache' }, spec: { size: 3 } });
 *
 * Throws `DefinitionError` for what the API server would refuse. The class throws `OperatorError` for a custom resource
 * that the server would refuse, in the server's words.
 */
export function customResource<
  S extends AnySchema,
  T extends AnySchema = never,
  V extends Readonly<Record<string, AnySchema>> = None,
  const Literal = unknown,
>(input: CustomResourceInput<S, T, V, Literal>): CustomResourceClass<Written<S>, Out<S>, StatusOf<T>> {
  refuseUntypedKind(input);
  const { group, version, kind, namespaced = true } = input;
  const names = resourceNames(input);
  const schema = objectSchema(input);
  const crd = definition(input);
  refusePolicies(kind, input.policies ?? [], schema);
  const versions = (input.versions ?? {}) as Readonly<Record<string, OtherVersion>>;
  const conversion = new Conversion({
    group,
    version,
    versions,
    spec: input.spec,
  });

  type Observable = CustomResource<Out<S>, StatusOf<T>>;
  const admission = new Admitting(
    (input.admission ?? {}) as Admission<unknown, never>,
    input.spec,
    (object) => withDefaults(schema, object) as KubeObject,
  );

  const made = class extends TypedObject<Observable> {
    static readonly group = group;
    static readonly version = version;
    static readonly apiVersion = `${group}/${version}`;
    static readonly kind = kind;
    static readonly plural = names.plural;
    static readonly singular = names.singular;
    static readonly namespaced = namespaced;
    static readonly spec = input.spec;
    static readonly status = input.status;
    static readonly admission = admission;
    static readonly policies = input.policies ?? [];
    static readonly isConvertible = Object.keys(versions).length > 0;

    static crd(): Manifest {
      return plainData(crd, `CustomResourceDefinition/${crd.metadata.name}`) as unknown as Manifest;
    }

    static convert(object: Manifest, apiVersion: string, numbers?: WholeNumbers): KubeObject {
      // What the API server writes of metadata is kept, and not looked at.
      return conversion.convert(object as KubeObject, apiVersion, numbers);
    }

    static validate(object: Readonly<Record<string, unknown>>): FieldProblem[] {
      const problems = validateObject(schema, object);
      const { scale } = input;
      if (scale === undefined || problems.some(({ reason }) => reason === 'UnknownField')) return problems;
      return [...problems, ...scaleProblems(withDefaults(schema, object), scale)];
    }

    static withDefaults(
      object: Omit<CustomResourceProps<Written<S>>, 'metadata'> & { readonly metadata: ManifestMetadata },
    ) {
      const filled = withDefaults(schema, object) as Observable;
      return { ...filled, apiVersion: made.apiVersion, kind };
    }

    constructor(scope: Construct, id: string, props: CustomResourceProps<Written<S>>) {
      super(scope, id, made, props as unknown as Props<Observable>);
      const { manifest } = this;
      const { problems } = admitted(made, manifest as KubeObject);
      if (problems.length > 0) {
        throw new OperatorError(`${show(refOf(manifest))} is invalid: ${problems.join(', ')}`, {
          hint: `change it where the construct ${this.node.path} is created`,
        });
      }
    }
  };
  Object.defineProperty(made, 'name', { value: kind });
  return made;
}
