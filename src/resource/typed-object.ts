import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject, Manifest, ManifestMetadata } from '../kube/manifest.js';

/** `metadata` as an author writes it. Without a name the construct's path gives one. */
export interface MetadataProps {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** What an author writes of an object of type `T`: what says its kind is known, and status is not his to write. */
export type Props<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & { readonly metadata?: MetadataProps };

/** An object of type `T` as the cluster has it. */
export type Observed<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & KubeObject;

/** A typed construct class: a kind, and the way to write one of it. */
export interface TypedClass<T> extends ApiResource {
  new (scope: Construct, id: string, props: Props<T>): TypedObject<T>;
}

/**
 * One object of a kind, typed, for charts and for `compose`.
 *
 * **Guarantees.** What was passed is what is rendered, to the letter: there is no conversion that could lose a field,
 * and any key is data. What cdk8s adds (a name, the chart's namespace and labels, `metadata.addLabel(…)`) is added.
 */
export class TypedObject<T> extends ApiObject {
  /** Carries the type alone; there is no value. */
  declare readonly object?: T;

  constructor(
    scope: Construct,
    id: string,
    readonly resource: ApiResource,
    private readonly body: Props<T>,
  ) {
    const { name, namespace } = body.metadata ?? {};
    super(scope, id, {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
    });
  }

  /** The object as it is sent and rendered. */
  get manifest(): Manifest {
    const { metadata, ...rest } = this.body as Props<T> & Readonly<Record<string, unknown>>;
    return {
      apiVersion: this.apiVersion,
      kind: this.kind,
      metadata: this.#metadata(metadata ?? {}),
      ...rest,
    };
  }

  override toJson(): Manifest {
    return this.manifest;
  }

  #metadata(given: MetadataProps): ManifestMetadata {
    const { namespace, labels, annotations, ...added } = this.metadata.toJson() as ManifestMetadata;
    const allLabels = { ...labels, ...given.labels };
    const allAnnotations = { ...annotations, ...given.annotations };
    return {
      ...given,
      ...added,
      ...(this.resource.namespaced && namespace !== undefined ? { namespace } : {}),
      ...(Object.keys(allLabels).length === 0 ? {} : { labels: allLabels }),
      ...(Object.keys(allAnnotations).length === 0 ? {} : { annotations: allAnnotations }),
    };
  }
}
