import { ApiObject, type JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { metadataOf } from './metadata-of.js';
import { patched } from './patched.js';
import { plainData } from './plain-data.js';

/**
 * `metadata` as an author writes it. A child without a `name` is called after its custom resource and its construct id; an object
 * in a chart after the path of its construct, as in cdk8s.
 */
export interface MetadataProps {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
}

/** What an author writes of an object of type `T`: all but `apiVersion` and `kind`, which the class knows, and `status`. */
export type Props<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  readonly metadata?: MetadataProps | undefined;
};

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
 * and any key is data. What cdk8s adds (a name, the chart's namespace and labels, `metadata.addLabel(…)`,
 * `addJsonPatch(…)`) is added. Throws `TerminalError` for what JSON cannot say, with its path.
 */
export class TypedObject<T> extends ApiObject {
  /** As in JavaScript. cdk8s answers true for every object of Kubernetes, whatever its class. */
  static override [Symbol.hasInstance](value: unknown): value is TypedObject<unknown> {
    // biome-ignore lint/complexity/noThisInStatic: this is the subclass that is asked about.
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** Carries the type alone; there is no value. */
  declare readonly object?: T;
  readonly #patches: JsonPatch[] = [];

  constructor(
    scope: Construct,
    id: string,
    readonly resource: ApiResource,
    private readonly body: Props<T>,
  ) {
    super(scope, id, {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: Object.fromEntries(
        Object.entries(body.metadata ?? {}).filter(([, value]) => value !== undefined && value !== null),
      ),
    });
  }

  /** The object as it is sent and rendered. */
  get manifest(): Manifest {
    const { metadata: _, ...rest } = this.body as Props<T> & Readonly<Record<string, unknown>>;
    const subject = `${this.kind}/${this.name} (construct ${this.node.path})`;
    const { name, namespace, ...others } = metadataOf(this, subject);
    const metadata = {
      name,
      ...(this.resource.namespaced && namespace !== undefined ? { namespace } : {}),
      ...others,
    };
    const plain = plainData({ apiVersion: this.apiVersion, kind: this.kind, metadata, ...rest }, subject);
    return patched(plain, this.#patches, subject) as unknown as Manifest;
  }

  override toJson(): Manifest {
    return this.manifest;
  }

  override addJsonPatch(...ops: JsonPatch[]): void {
    this.#patches.push(...ops);
  }
}
