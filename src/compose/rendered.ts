import { ApiObject, type JsonPatch, Lazy } from 'cdk8s';
import { TerminalError } from '../kube/errors.js';
import type { Json, Manifest } from '../kube/manifest.js';
import { metadataOf } from '../resource/metadata-of.js';
import { patched } from '../resource/patched.js';
import { plainData } from '../resource/plain-data.js';
import { TypedObject } from '../resource/typed-object.js';

/**
 * What an object of any construct class renders, as plain data.
 *
 * **Guarantees.** Nothing that was given is missing. Classes that `cdk8s import` generates copy only what they know, so
 * that a field newer than the import, or a quantity given as text, would silently not be there: that is a
 * `TerminalError` which names the field.
 */
export function rendered(object: ApiObject, subject: string): Manifest {
  if (object instanceof TypedObject) return object.manifest;
  produceOnce(object);
  const given = givenTo(object, subject);
  if (object.toJson === ApiObject.prototype.toJson) return given as unknown as Manifest;

  const converted = plainData(converse(object, subject), subject);
  const dropped = firstMissing(given, converted, '');
  if (dropped === undefined) return converted as unknown as Manifest;
  throw new TerminalError(`${subject} cannot be rendered: ${object.constructor.name} drops ${dropped}`, {
    hint: passesOn,
  });
}

/**
 * Lets each part that is produced late be produced once, whoever asks. It is asked for twice here, and some classes of cdk8s-plus
 * add to what they produce each time: a Deployment with `spread` two terms of anti-affinity.
 */
function produceOnce(object: ApiObject): void {
  const { props = {} } = object as unknown as { readonly props?: object };
  for (const late of Object.values(props) as readonly unknown[]) {
    if (!(late instanceof Lazy) || Object.hasOwn(late, 'produce')) continue;
    let made: { readonly value: unknown } | undefined;
    const produce = (): unknown => {
      made ??= { value: Lazy.prototype.produce.call(late) as unknown };
      return made.value;
    };
    Object.defineProperty(late, 'produce', { value: produce });
  }
}

const passesOn = 'use a class that passes on what it is given: the one of imports/, or one by kilter import';

/** What the object was made with, before a class converts it. cdk8s keeps it to itself. */
function givenTo(object: ApiObject, subject: string): Json {
  const { props, patches } = object as unknown as { readonly props: object; readonly patches: readonly JsonPatch[] };
  const { apiVersion, kind } = object;
  const given = plainData({ ...props, apiVersion, kind, metadata: metadataOf(object, subject) }, subject);
  return patched(given, patches, subject);
}

function converse(object: ApiObject, subject: string): unknown {
  try {
    return object.toJson() as unknown;
  } catch (cause) {
    throw new TerminalError(`${subject} cannot be rendered: ${object.constructor.name} fails to convert it`, {
      cause,
      hint: passesOn,
    });
  }
}

/** The path of the first thing in `given` that has no counterpart in `converted`. */
function firstMissing(given: Json, converted: Json | undefined, path: string): string | undefined {
  if (given === null) return undefined;
  if (converted === undefined || converted === null) return holdsNothing(given) ? undefined : path;
  if (typeof given !== 'object' || typeof converted !== 'object') return undefined;
  for (const [key, child] of Object.entries(given) as [string, Json][]) {
    const at = Array.isArray(given) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstMissing(child, counterpart(key, given, converted), at);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Parent = Readonly<Record<string, Json>> | readonly Json[];

/** The classes write some names their own way, `clusterIp` for `clusterIP`, and rename them when they convert. */
function counterpart(key: string, given: Parent, converted: Parent): Json | undefined {
  const children = converted as Readonly<Record<string, Json>>;
  if (Object.hasOwn(converted, key)) return children[key];
  const renamed = Object.keys(converted).find((other) => plain(other) === plain(key) && !Object.hasOwn(given, other));
  return renamed === undefined ? undefined : children[renamed];
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** True of null, and of a map or a list in which, however deep, there is nothing else. */
function holdsNothing(value: Json): boolean {
  return (
    value === null || (typeof value === 'object' && Object.values(value).every((child: Json) => holdsNothing(child)))
  );
}
