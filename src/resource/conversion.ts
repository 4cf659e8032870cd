import { groupOf, versionOf } from '../kube/api-resource.js';
import { asError, OperatorError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { keptSpec, tooLong } from '../kube/stored-spec.js';
import { WholeNumbers } from '../kube/whole-numbers.js';
import { isRefusal } from '../schema/field-problem.js';
import { pruned } from '../schema/pruned.js';
import { isSameJson } from '../schema/same-json.js';
import type { AnySchema } from '../schema/schema.js';
import { keptIn, withKept } from './kept-spec.js';
import { merged } from './merged.js';
import type { OtherVersion } from './other-version.js';
import { storedData } from './plain-data.js';

type Spec = Readonly<Record<string, unknown>>;

export interface ConversionInput {
  readonly group: string;
  /** The version that is stored. */
  readonly version: string;
  readonly versions: Readonly<Record<string, OtherVersion>>;
  /** The schema of what is stored. */
  readonly spec: AnySchema;
}

/**
 * Turns objects of one version of a kind into objects of another, by way of the stored one.
 *
 * **Guarantees.** Pure. Metadata stays as it is, but for one annotation. What somebody reads in an older version and writes
 * back unchanged is stored unchanged, whatever that version has no words for: the whole spec goes with it in
 * `kilter.dev/stored-spec`, and what he did not change is taken from there, if it is what could have been stored.
 *
 * Throws `OperatorError` for a version that there is not, for what `upgrade` or `downgrade` throws, and for an object that was
 * read without what is stored of it, which was too long.
 */
export class Conversion {
  constructor(private readonly input: ConversionInput) {}

  /** `numbers` are those of the JSON that `object` was parsed of, and then those of what was kept beside it as well. */
  convert(object: KubeObject, apiVersion: string, numbers = new WholeNumbers()): KubeObject {
    if (object.apiVersion === apiVersion) return object;
    return this.#toOther(this.#toStored(object, numbers), apiVersion, numbers);
  }

  #toStored(object: KubeObject, numbers: WholeNumbers): KubeObject {
    const other = this.#versionOf(object, object.apiVersion);
    if (!other) return object;
    const subject = `${show(refOf(object))} of ${object.apiVersion}`;
    const spec = this.#upgraded(object['spec'], other, subject);
    const { [keptSpec]: kept, ...annotations } = object.metadata.annotations ?? {};
    if (kept === tooLong) {
      const stored = `${this.input.group}/${this.input.version}`;
      throw new OperatorError(`${subject} cannot be written: what is stored of it is too long to be kept beside it`, {
        hint: `write it as ${stored}`,
      });
    }
    const given = kept === undefined || object['spec'] === undefined ? undefined : keptIn(kept, numbers);
    const restored = given && this.#restored(given, spec, other, subject);
    return {
      ...object,
      apiVersion: `${this.input.group}/${this.input.version}`,
      metadata: withAnnotations(object, annotations),
      ...(object['spec'] === undefined ? {} : { spec: restored ?? spec }),
    };
  }

  /**
   * What was kept beside a spec, with what was changed in it since. Undefined where nothing is to be had of it.
   *
   * The server has judged the version that was written and nothing else: whoever may write a custom resource could store
   * anything by the annotation. So a field that the stored version refuses is taken from the spec alone. To throw would be
   * worse: an object that is stored in an older version is converted whenever anybody lists its kind.
   */
  #restored(kept: Spec, written: Spec, other: OtherVersion, subject: string): Spec | undefined {
    const schema = this.input.spec.structural();
    try {
      const stored = pruned(schema, kept) as Spec;
      // What he would have read of what was kept, against what he writes, is what he changed.
      const read = this.#upgraded(this.#downgraded(stored, other, subject), other, subject);
      return this.#judged(pruned(schema, merged(schema, stored, read, written)) as Spec, written);
    } catch {
      // What no function of the author's can read was never kept by us.
      return undefined;
    }
  }

  /** `restored` with those fields of `written` in whose place it has something that the server would refuse. */
  #judged(restored: Spec, written: Spec): Spec | undefined {
    const refused = this.input.spec.validate(restored, 'spec').filter(isRefusal);
    const fields = new Set(refused.map(({ path }) => /^spec\.([^.[]+)/.exec(path)?.[1]));
    // A rule about the whole says nothing of a field.
    if (fields.has(undefined)) return undefined;
    const kept = Object.entries(restored).filter(([field]) => !fields.has(field));
    return Object.fromEntries([...kept, ...Object.entries(written).filter(([field]) => fields.has(field))]);
  }

  #toOther(object: KubeObject, apiVersion: string, numbers: WholeNumbers): KubeObject {
    const other = this.#versionOf(object, apiVersion);
    if (!other) return { ...object, apiVersion };
    if (object['spec'] === undefined) return { ...object, apiVersion };
    const subject = `${show(refOf(object))} to ${apiVersion}`;
    const stored = this.#withDefaults(object['spec'] as Spec);
    const spec = this.#downgraded(stored, other, subject);
    const isLossless = isSameJson(this.#upgraded(spec, other, subject), stored);
    const { [keptSpec]: _, ...annotations } = object.metadata.annotations ?? {};
    const kept = isLossless ? annotations : withKept(annotations, stored, numbers);
    return { ...object, apiVersion, metadata: withAnnotations(object, kept), spec };
  }

  /** Undefined: the stored one. */
  #versionOf(object: KubeObject, apiVersion: string): OtherVersion | undefined {
    const { group, version, versions } = this.input;
    const name = versionOf(apiVersion);
    if (groupOf(apiVersion) === group) {
      if (name === version) return undefined;
      if (Object.hasOwn(versions, name)) return versions[name];
    }
    throw new OperatorError(`${show(refOf(object))} cannot be converted: there is no version ${apiVersion}`, {
      hint: `there are ${[version, ...Object.keys(versions)].map((each) => `${group}/${each}`).join(', ')}`,
    });
  }

  #upgraded(spec: unknown, { spec: schema, upgrade }: OtherVersion, subject: string): Spec {
    const stored = attempt(subject, 'upgrade', upgrade, schema.withDefaults(spec ?? {}));
    return this.#withDefaults(declared(this.input.spec, stored));
  }

  #withDefaults(spec: Spec): Spec {
    return this.input.spec.withDefaults(spec) as Spec;
  }

  #downgraded(spec: Spec, { spec: schema, downgrade }: OtherVersion, subject: string): Spec {
    const given = attempt(subject, 'downgrade', downgrade, spec);
    return schema.withDefaults(declared(schema, given)) as Spec;
  }
}

/** `convert` gets a copy: what it changed in place would be changed in what its answer is held against. */
function attempt(subject: string, step: string, convert: (spec: never) => unknown, spec: unknown): Spec {
  try {
    const lent = storedData(spec, `${subject}: what ${step} is handed`);
    return storedData(convert(lent as never), `${subject}: what ${step} gives`) as Spec;
  } catch (cause) {
    throw new OperatorError(`converting ${subject} failed: ${step}: ${asError(cause).message}`, { cause });
  }
}

/**
 * What of a converted spec its version knows. The compiler overlooks a field too many in what a function returns, and an API
 * server that finds one cannot tell whose it is: it then refuses every apply of the object, that of its status too, with 500.
 */
function declared(schema: AnySchema, spec: Spec): Spec {
  return pruned(schema.structural(), spec) as Spec;
}

function withAnnotations(
  { metadata }: KubeObject,
  annotations: Readonly<Record<string, string>>,
): KubeObject['metadata'] {
  const { annotations: _, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}
