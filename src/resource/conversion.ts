import { groupOf, versionOf } from '../kube/api-resource.js';
import { OperatorError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { isMap } from '../kube/plain-map.js';
import { isSameJson } from '../schema/same-json.js';
import type { OtherVersion } from './other-version.js';
import { plainData } from './plain-data.js';

/** Where what an older version has no words for waits: the spec of the stored version. */
export const keptSpec = 'kilter.dev/stored-spec';

type Spec = Readonly<Record<string, unknown>>;

export interface ConversionInput {
  readonly group: string;
  /** The version that is stored. */
  readonly version: string;
  readonly versions: Readonly<Record<string, OtherVersion>>;
  /** A spec of the stored version with the server's defaults. */
  withDefaults(spec: Spec): Spec;
}

/**
 * Turns objects of one version of a kind into objects of another, by way of the stored one.
 *
 * **Guarantees.** Pure. Metadata stays as it is, but for one annotation. What somebody reads in an older version and writes
 * back unchanged is stored unchanged, whatever that version has no words for: the whole spec goes with it in
 * `kilter.dev/stored-spec`, and what he did not change is taken from there.
 *
 * Throws `OperatorError` for a version that there is not, and for what `upgrade` or `downgrade` throws.
 */
export class Conversion {
  constructor(private readonly input: ConversionInput) {}

  convert(object: KubeObject, apiVersion: string): KubeObject {
    if (object.apiVersion === apiVersion) return object;
    return this.#toOther(this.#toStored(object), apiVersion);
  }

  #toStored(object: KubeObject): KubeObject {
    const other = this.#versionOf(object, object.apiVersion);
    if (!other) return object;
    const subject = `${show(refOf(object))} of ${object.apiVersion}`;
    const spec = this.#upgraded(object['spec'], other, subject);
    const { [keptSpec]: kept, ...annotations } = object.metadata.annotations ?? {};
    const stored = kept === undefined ? undefined : parsed(kept);
    // What he would have read of what was kept, against what he writes, is what he changed.
    const restored =
      stored && merged(stored, this.#upgraded(this.#downgraded(stored, other, subject), other, subject), spec);
    return {
      ...object,
      apiVersion: `${this.input.group}/${this.input.version}`,
      metadata: withAnnotations(object, annotations),
      ...(object['spec'] === undefined ? {} : { spec: restored ?? spec }),
    };
  }

  #toOther(object: KubeObject, apiVersion: string): KubeObject {
    const other = this.#versionOf(object, apiVersion);
    if (!other) return { ...object, apiVersion };
    if (object['spec'] === undefined) return { ...object, apiVersion };
    const subject = `${show(refOf(object))} to ${apiVersion}`;
    const stored = this.input.withDefaults(object['spec'] as Spec);
    const spec = this.#downgraded(stored, other, subject);
    const isLossless = isSameJson(this.#upgraded(spec, other, subject), stored);
    const { [keptSpec]: _, ...annotations } = object.metadata.annotations ?? {};
    const kept = isLossless ? annotations : { ...annotations, [keptSpec]: JSON.stringify(stored) };
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
    const stored = attempt(subject, 'upgrade', () => upgrade(schema.withDefaults(spec ?? {}) as never));
    return this.input.withDefaults(stored);
  }

  #downgraded(spec: Spec, { spec: schema, downgrade }: OtherVersion, subject: string): Spec {
    return schema.withDefaults(attempt(subject, 'downgrade', () => downgrade(spec as never))) as Spec;
  }
}

function attempt(subject: string, step: string, body: () => unknown): Spec {
  try {
    return plainData(body(), `${subject}: what ${step} gives`) as Spec;
  } catch (cause) {
    throw new OperatorError(`converting ${subject} failed: ${step}: ${(cause as Error).message}`, { cause });
  }
}

/** Somebody may have written anything there. */
function parsed(text: string): Spec | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Spec) : undefined;
  } catch {
    return undefined;
  }
}

/** `stored` with what differs between `before` and `after`. Lists are one value. */
function merged(stored: Spec, before: Spec, after: Spec): Spec {
  const result = new Map(Object.entries(stored));
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [own(before, name), own(after, name)];
    if (isSameJson(was, is)) continue;
    const had = own(stored, name);
    if (is === undefined) result.delete(name);
    else if (isMap(had) && isMap(was) && isMap(is)) result.set(name, merged(had, was, is));
    else result.set(name, is);
  }
  // fromEntries, because a field may well be called __proto__.
  return Object.fromEntries(result);
}

const own = (map: Spec, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

function withAnnotations(
  { metadata }: KubeObject,
  annotations: Readonly<Record<string, string>>,
): KubeObject['metadata'] {
  const { annotations: _, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}
