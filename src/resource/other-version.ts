import { DefinitionError } from '../kube/errors.js';
import type { AnySchema, In, Out } from '../schema/schema.js';
import type { Scale } from './scale.js';

/**
 * A version of a kind beside the one that is stored: how a spec of it reads, and how it comes to be the other.
 * `upgrade` and `downgrade` are pure. What a spec of this version has no words for is not lost when somebody writes
 * through it: it is kept beside it in an annotation, and put back.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/
 */
export interface OtherVersion<V extends AnySchema = AnySchema, S extends AnySchema = AnySchema, Literal = unknown> {
  /** What a user writes in this version: an `s.object`. */
  readonly spec: V;
  /** A spec of this version, with its defaults, as the stored version has it. */
  upgrade(spec: Out<V>): In<S> & NoInfer<Literal>;
  /** A spec of the stored version, as this version has it. */
  downgrade(spec: Out<S>): In<V> & NoInfer<Literal>;
  /** False: it is there for what is still stored so, and nobody can ask for it. Default: true. */
  readonly served?: boolean;
  /** Whoever uses it is warned, with these words if there are any: one line of at most 256 bytes. */
  readonly deprecated?: boolean | string;
  /** As of the stored version, with paths into this one. */
  readonly columns?: Readonly<Record<string, string>>;
  /** As of the stored version, with paths into this one. */
  readonly scale?: Scale;
}

/** Refuses names that Kubernetes cannot put in order: https://kubernetes.io/docs/reference/using-api/#api-versioning */
export function checkVersionNames(kind: string, stored: string, others: readonly string[]): void {
  for (const name of others) {
    const subject = `${kind} cannot be defined: its version "${name}"`;
    if (name === stored) throw new DefinitionError(`${subject} is the stored one`, { hint: 'take it out of versions' });
    if (!/^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(name)) {
      throw new DefinitionError(`${subject} is no version of Kubernetes`, { hint: 'write v1, v2beta1, v1alpha3 …' });
    }
  }
}

/** Refuses words that the API server would not pass on: https://pkg.go.dev/unicode#IsPrint says which it would. */
export function checkDeprecation(kind: string, name: string, { deprecated }: OtherVersion): void {
  if (typeof deprecated !== 'string') return;
  const unfit = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecated);
  const bytes = Buffer.byteLength(deprecated);
  const what =
    deprecated === ''
      ? 'empty'
      : bytes > 256
        ? `${bytes} bytes long`
        : unfit && `no printable text, for ${JSON.stringify(unfit[0])}`;
  if (!what) return;
  throw new DefinitionError(`${kind} cannot be defined: deprecated of its version "${name}" is ${what}`, {
    hint: 'write one line of at most 256 bytes, or deprecated: true',
  });
}
