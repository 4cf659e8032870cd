import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import type { Condition } from '../kube/condition.js';
import { DefinitionError, OperatorError } from '../kube/errors.js';
import type { KubeObject, Manifest, ManifestMetadata } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { withDefaults } from '../schema/defaults.js';
import { checkObjectDefinition } from '../schema/definition.js';
import { type FieldProblem, isRefusal, showProblem } from '../schema/field-problem.js';
import type { AnySchema, In, Out } from '../schema/schema.js';
import type { StructuralSchema } from '../schema/structural.js';
import { validateObject } from '../schema/validate.js';
import { plainData } from './plain-data.js';
import { printerColumns } from './printer-columns.js';
import { type NamesInput, resourceNames } from './resource-names.js';
import { type Scale, scalePaths } from './scale.js';
import { statusSchema } from './status-schema.js';
import { type MetadataProps, type Props, TypedObject } from './typed-object.js';

export interface CustomResourceInput<S extends AnySchema, T extends AnySchema> extends NamesInput {
  readonly description?: string;
  /** False for a cluster-scoped kind. */
  readonly namespaced?: boolean;
  readonly spec: S;
  readonly status?: T;
  /** Columns of `kubectl get`, by name: a path such as `.spec.size`. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly scale?: Scale;
}

/** What every status has beside the author's fields. */
export interface CommonStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly lastHandledReconcileAt?: string;
}

/** A kind without a status schema has the common fields alone. */
// biome-ignore lint/complexity/noBannedTypes: no fields, by no name.
type StatusOf<T extends AnySchema> = [T] extends [never] ? {} : Out<T>;

/** A custom resource, as its operator sees it: defaults are filled in. */
export interface CustomResource<Spec, Status = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata & Partial<KubeObject['metadata']>;
  readonly spec: Spec;
  readonly status?: Partial<Status> & CommonStatus;
}

/** What a user writes of a custom resource. */
export interface CustomResourceProps<Spec> {
  readonly metadata?: MetadataProps;
  readonly spec: Spec;
}

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
  /** The object with the server's defaults filled in. */
  withDefaults(
    object: Omit<CustomResourceProps<SpecIn>, 'metadata'> & { readonly metadata: ManifestMetadata },
  ): CustomResource<SpecOut, Status>;
}

/**
 * Defines a kind: from one schema come its types, its CustomResourceDefinition, its construct class and the validation
 * of what is written of it.
 *
 * Throws `DefinitionError` for what the API server would refuse. The class throws `OperatorError` for a custom resource
 * that the server would refuse, in the server's words.
 */
export function customResource<S extends AnySchema, T extends AnySchema = never>(
  input: CustomResourceInput<S, T>,
): CustomResourceClass<In<S>, Out<S>, StatusOf<T>> {
  const { group, version, kind, namespaced = true } = input;
  const names = resourceNames(input);
  const schema = objectSchema(input);
  checkObjectDefinition(schema, kind);
  const crd = definition(input, schema);

  type Observable = CustomResource<Out<S>, StatusOf<T>>;

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

    static crd(): Manifest {
      return plainData(crd, `CustomResourceDefinition/${crd.metadata.name}`) as unknown as Manifest;
    }

    static validate(object: Readonly<Record<string, unknown>>): FieldProblem[] {
      return validateObject(schema, object);
    }

    static withDefaults(
      object: Omit<CustomResourceProps<In<S>>, 'metadata'> & { readonly metadata: ManifestMetadata },
    ) {
      const filled = withDefaults(schema, object) as Observable;
      return { ...filled, apiVersion: made.apiVersion, kind };
    }

    constructor(scope: Construct, id: string, props: CustomResourceProps<In<S>>) {
      super(scope, id, made, props as unknown as Props<Observable>);
      const { manifest } = this;
      const refused = made.validate(manifest).filter(isRefusal);
      if (refused.length > 0) {
        throw new OperatorError(`${show(refOf(manifest))} is invalid: ${refused.map(showProblem).join(', ')}`, {
          hint: `change it where the construct ${this.node.path} is created`,
        });
      }
    }
  };
  Object.defineProperty(made, 'name', { value: kind });
  return made;
}

function objectSchema(input: CustomResourceInput<AnySchema, AnySchema>): StructuralSchema {
  const { kind, description, spec, status } = input;
  const wanted = spec.structural();
  if (wanted.type !== 'object') {
    throw new DefinitionError(`${kind} cannot be defined: spec is no object`, { hint: 'write spec: s.object({ … })' });
  }
  return {
    type: 'object',
    description: description ?? `${kind} is reconciled by an operator.`,
    ...(spec.presence === 'required' ? { required: ['spec'] } : {}),
    properties: {
      spec: { ...wanted, description: wanted.description ?? 'What is wanted.' },
      status: statusSchema(kind, status?.structural({ allOptional: true })),
    },
  };
}

function definition(input: CustomResourceInput<AnySchema, AnySchema>, schema: StructuralSchema): Manifest {
  const { group, version, kind, namespaced = true, columns = {}, scale } = input;
  const names = resourceNames(input);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${names.plural}.${group}`,
      ...(isProtected(group)
        ? { annotations: { [approval]: 'unapproved, not an API of the Kubernetes project' } }
        : {}),
    },
    spec: {
      group,
      names: { ...names },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {}, ...(scale ? { scale: scalePaths(kind, scale, schema) } : {}) },
          additionalPrinterColumns: printerColumns(kind, columns, schema),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

/** The API server refuses a definition in a group of the Kubernetes project that does not say whether it is approved. */
const approval = 'api-approved.kubernetes.io';

function isProtected(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
