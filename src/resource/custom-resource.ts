import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import type { Condition } from '../kube/condition.js';
import { DefinitionError, OperatorError } from '../kube/errors.js';
import type { KubeObject, Manifest, ManifestMetadata } from '../kube/manifest.js';
import { withDefaults } from '../schema/defaults.js';
import { type FieldProblem, isRefusal, showProblem } from '../schema/field-problem.js';
import type { AnySchema, In, Out } from '../schema/schema.js';
import type { StructuralSchema } from '../schema/structural.js';
import { validateObject } from '../schema/validate.js';
import { printerColumns, schemaAt } from './printer-columns.js';
import { type NamesInput, resourceNames } from './resource-names.js';
import { statusSchema } from './status-schema.js';
import { type MetadataProps, TypedObject } from './typed-object.js';

/** What `kubectl scale` and autoscalers read and write. */
export interface Scale {
  /** `.spec.size`: how many are wanted. */
  readonly replicas: string;
  /** `.status.readyReplicas`: how many there are. */
  readonly statusReplicas: string;
  /** `.status.selector`: a label selector as text, which a HorizontalPodAutoscaler needs. */
  readonly selector?: string;
}

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
  new (scope: Construct, id: string, props: CustomResourceProps<SpecIn>): TypedObject<CustomResource<SpecIn, Status>>;
  readonly group: string;
  readonly version: string;
  readonly singular: string;
  /** The CustomResourceDefinition, as it is rendered and applied. */
  crd(): Manifest;
  /** What the API server would say about an object of this kind, in its words. */
  validate(object: Readonly<Record<string, unknown>>): FieldProblem[];
  /** The object with the server's defaults filled in. */
  withDefaults(
    object: CustomResourceProps<SpecIn> & { readonly metadata: ManifestMetadata },
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
): CustomResourceClass<In<S>, Out<S>, Out<T>> {
  const { group, version, kind, namespaced = true } = input;
  const names = resourceNames(input);
  const schema = objectSchema(input);
  const crd = definition(input, schema);

  const made = class extends TypedObject<CustomResource<In<S>, Out<T>>> {
    static readonly group = group;
    static readonly version = version;
    static readonly apiVersion = `${group}/${version}`;
    static readonly kind = kind;
    static readonly plural = names.plural;
    static readonly singular = names.singular;
    static readonly namespaced = namespaced;

    static crd(): Manifest {
      return structuredClone(crd);
    }

    static validate(object: Readonly<Record<string, unknown>>): FieldProblem[] {
      return validateObject(schema, object);
    }

    static withDefaults(object: CustomResourceProps<In<S>> & { readonly metadata: ManifestMetadata }) {
      const filled = withDefaults(schema, object) as CustomResource<Out<S>, Out<T>>;
      return { ...filled, apiVersion: made.apiVersion, kind };
    }

    constructor(scope: Construct, id: string, props: CustomResourceProps<In<S>>) {
      super(scope, id, made, props as ConstructorParameters<typeof TypedObject<CustomResource<In<S>, Out<T>>>>[3]);
      const refused = made.validate(this.manifest).filter(isRefusal);
      if (refused.length > 0) {
        throw new OperatorError(`${kind}/${this.name} is invalid: ${refused.map(showProblem).join(', ')}`, {
          hint: `change it where ${this.node.path} is constructed`,
        });
      }
    }
  };
  Object.defineProperty(made, 'name', { value: kind });
  return made;
}

function objectSchema({
  kind,
  description,
  spec,
  status,
}: CustomResourceInput<AnySchema, AnySchema>): StructuralSchema {
  const specSchema = spec.structural();
  const [wanted, seen] = [specSchema, statusSchema(status?.structural({ allOptional: true }))];
  if (specSchema.type !== 'object') {
    throw new DefinitionError(`${kind} cannot be defined: spec is no object`, { hint: 'write spec: s.object({ … })' });
  }
  return {
    type: 'object',
    description: description ?? `${kind} is reconciled by an operator.`,
    ...(spec.presence === 'required' ? { required: ['spec'] } : {}),
    properties: { spec: { ...wanted, description: wanted.description ?? 'What is wanted.' }, status: seen },
  };
}

function definition(input: CustomResourceInput<AnySchema, AnySchema>, schema: StructuralSchema): Manifest {
  const { group, version, kind, namespaced = true, columns = {}, scale } = input;
  const names = resourceNames(input);
  for (const path of scale ? Object.values(scale) : []) {
    if (schemaAt(path, schema)) continue;
    throw new DefinitionError(`${kind} scale cannot be defined: ${path} is not in its schema`);
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      names: { ...names },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {}, ...(scale ? { scale: scalePaths(scale) } : {}) },
          additionalPrinterColumns: printerColumns(kind, columns, schema),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

function scalePaths({ replicas, statusReplicas, selector }: Scale) {
  return {
    specReplicasPath: replicas,
    statusReplicasPath: statusReplicas,
    ...(selector === undefined ? {} : { labelSelectorPath: selector }),
  };
}
