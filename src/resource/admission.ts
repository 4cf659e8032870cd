import { asError, OperatorError } from '../kube/errors.js';
import { frozen } from '../kube/frozen.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { type FieldProblem, isRefusal, showProblem } from '../schema/field-problem.js';
import { objectMetaProblems, unknownMetadata } from '../schema/object-meta.js';
import type { AnySchema } from '../schema/schema.js';
import { unknownFields } from '../schema/unknown-fields.js';
import { storedData } from './plain-data.js';

/**
 * What is asked when a custom resource is created or changed, where the schema and its CEL rules cannot say it. Both are
 * pure functions of the custom resource and, when it is changed, of what it was: with defaults, in the stored version.
 */
export interface Admission<SpecIn, Observable> {
  /** What is wrong with it, a sentence each, with which the API server refuses it; an empty list, where it may be stored. */
  validate?(now: Observable, before: Observable | undefined): readonly string[];
  /** The whole spec as it is to be stored, such as with defaults that follow from other fields. Called before `validate`. */
  mutate?(now: Observable, before: Observable | undefined): SpecIn;
}

/**
 * A rule in CEL about a custom resource as it is created or changed, which the API server evaluates itself: no webhook is
 * called. Unlike a rule of the schema it sees `oldObject`, `request` (who asks) and all of `object`'s metadata.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export interface AdmissionPolicy {
  readonly expression: string;
  /** What is said to who is refused. */
  readonly message: string;
}

/** The admission of one kind, for whoever asks it about objects. */
export class Admitting {
  readonly validates: boolean;
  readonly mutates: boolean;

  constructor(
    private readonly admission: Admission<unknown, never>,
    private readonly spec: AnySchema,
    private readonly withDefaults: (object: KubeObject) => KubeObject,
  ) {
    this.validates = admission.validate !== undefined;
    this.mutates = admission.mutate !== undefined;
  }

  /** `now` as it is to be stored. Throws `OperatorError` for what the author's function throws, and for a field that is none. */
  mutated(now: KubeObject, before?: KubeObject): KubeObject {
    const { mutate } = this.admission;
    if (!mutate) return now;
    const given = this.#attempt('mutate', now, () => mutate(this.#lent(now), frozen(before) as never));
    const spec = storedData(given, `${show(refOf(now))}: what mutate gives`);
    this.#attempt('mutate', now, () => this.#refuseStrange(spec, now));
    return { ...now, spec };
  }

  /**
   * Throws for a field that `mutate` made up: the compiler overlooks one in what a function returns, and the API server would drop it
   * without a word. What was there before stays, as by a newer definition than this one.
   */
  #refuseStrange(given: unknown, { spec }: KubeObject & { readonly spec?: unknown }): void {
    const schema = this.spec.structural();
    const unknown = unknownFields(schema, given, 'spec');
    if (unknown.length === 0) return;
    const before = new Set(unknownFields(schema, spec, 'spec').map(({ path }) => path));
    const strange = unknown.filter(({ path }) => !before.has(path));
    if (strange.length === 0) return;
    throw new OperatorError(`it gives ${strange.map(showProblem).join(', ')}`, {
      hint: 'give the spec as its schema has it, and nothing else',
    });
  }

  /** What is wrong with `now`. Throws `OperatorError` for what the author's function throws. */
  problems(now: KubeObject, before?: KubeObject): readonly string[] {
    const { validate } = this.admission;
    if (!validate) return [];
    return this.#attempt('validate', now, () =>
      sentences(validate(this.#lent(now), frozen(before) as never) as unknown),
    );
  }

  /** With a copy of what the schema has: who would change the rest would change what the API server has sent, and nobody see it. */
  #lent(now: KubeObject): never {
    return this.withDefaults(frozen(now)) as never;
  }

  #attempt<T>(step: string, object: KubeObject, body: () => T): T {
    try {
      return body();
    } catch (cause) {
      const hint = cause instanceof OperatorError ? cause.hint : undefined;
      throw new OperatorError(`${step} of ${show(refOf(object))} failed: ${asError(cause).message}`, {
        cause,
        ...(hint === undefined ? {} : { hint }),
      });
    }
  }
}

/** What `validate` gave, if that says what is wrong: a promise, which has no length, would say that nothing is. */
function sentences(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every((each) => typeof each === 'string')) return given;
  if (given instanceof Promise) given.catch(() => {});
  throw new OperatorError(`it gives ${given instanceof Promise ? 'a promise' : 'no list of sentences'}`, {
    hint: 'return what is wrong, a sentence each, and [] where nothing is',
  });
}

/** Who knows what may be stored of a kind. */
interface Judging {
  readonly admission: Admitting;
  validate(object: KubeObject): FieldProblem[];
}

/**
 * A custom resource as it would be stored when it is created, and why it would not be.
 *
 * As on the server: fields that metadata or its schema does not have are refused first, then it is mutated, and what came of that
 * is judged: its metadata and what the schema says of the rest, and then what the author says.
 */
export function admitted(
  kind: Judging,
  object: KubeObject,
): { readonly object: KubeObject; readonly problems: readonly string[] } {
  const unknown = [
    ...unknownMetadata(object.metadata),
    ...kind.validate(object).filter(({ reason }) => reason === 'UnknownField'),
  ];
  if (unknown.length > 0) return { object, problems: unknown.map(showProblem) };
  const mutated = kind.admission.mutated(object);
  const invalid = [...objectMetaProblems(object.metadata), ...kind.validate(mutated).filter(isRefusal)].map(
    showProblem,
  );
  return { object: mutated, problems: invalid.length > 0 ? invalid : kind.admission.problems(mutated) };
}
