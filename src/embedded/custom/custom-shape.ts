import type { Json } from '../../kube/manifest.js';
import { withDefaults } from '../../schema/defaults.js';
import { problem, showProblem } from '../../schema/field-problem.js';
import type { StructuralSchema } from '../../schema/structural.js';
import type { Draft, DraftMetadata } from '../draft.js';
import { objectType } from '../fields/structural-type.js';
import type { Shape } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { type Head, headOf } from '../verbs/body-head.js';
import { checkHead } from './custom-head.js';
import { decodeMeta, isMoment, MetaError } from './object-meta.js';

/** What a walk needs to know of one schema, worked out once. */
interface Node {
  readonly schema: StructuralSchema;
  readonly fields: ReadonlyMap<string, Node>;
  readonly others: Node | undefined;
  readonly items: Node | undefined;
  readonly keepsUnknown: boolean;
  readonly isEmbedded: boolean;
  readonly isNullable: boolean;
  readonly default: Json | undefined;
  /** The fields that have a default. */
  readonly defaulted: readonly (readonly [name: string, value: Json])[];
}

interface Walk {
  /** Paths of fields that no schema has. */
  readonly pruned: string[];
  /** Paths of fields that ObjectMeta does not have, in embedded resources. */
  readonly unknownMeta: string[];
  readonly cannotBeHandled: string;
  /** Whether defaults are filled in. */
  readonly fills: boolean;
  /** Whether what the schema does not have is kept, for now. */
  readonly keeps: boolean;
}

interface VersionHead extends Head {
  /** False: this is not the version that is stored. What is converted on its way to the store keeps nothing unseen. */
  readonly isStored?: boolean;
}

/**
 * How bodies of one version of a custom resource become objects: fields that the schema does not have are dropped, unless
 * it preserves them, and defaults are filled in.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning
 */
export function customShape(schema: StructuralSchema, { group, version, kind, isStored = true }: VersionHead): Shape {
  const root = nodeOf(schema);
  /** What was merged is judged with all that it says; only the store drops what nobody knows. */
  const merged = new WeakSet<Draft>();
  const read = (body: JsonMap, keeps: boolean) => {
    const said = headOf(body) as Head;
    // Of another kind nothing is known, and of another version of this one that it has no fields.
    const isOther = said.group !== group || said.kind !== kind;
    const isKnown = said.version === version;
    const walk: Walk = {
      pruned: [],
      unknownMeta: [],
      cannotBeHandled: `${said.kind} in version ${JSON.stringify(said.version)} cannot be handled as a ${kind}`,
      fills: isKnown && !isOther,
      keeps: keeps || isOther,
    };
    const object = taken(body, isOther ? undefined : isKnown ? root : nodeOf(noFields), '', walk, true) as Draft;
    object.apiVersion = body['apiVersion'] as string;
    object.kind = body['kind'] as string;
    if (keeps) {
      const said = Object.entries((body['metadata'] ?? {}) as JsonMap);
      const isNothing = ([name, value]: readonly [string, Json]) =>
        value === null || (name === 'deletionTimestamp' && !isMoment(value));
      object.metadata = structuredClone(Object.fromEntries(said.filter((each) => !isNothing(each)))) as DraftMetadata;
      const nothing = said.filter((each) => isNothing(each) && keptUnseen.has(each[0]));
      if (nothing.length > 0) unseen.set(object.metadata, nothing);
      return { object, strict: none };
    }
    const meta = metaOf(body['metadata'] ?? {}, walk, '');
    object.metadata = meta.metadata as DraftMetadata;
    return { object, strict: strictProblems(meta.unknown, walk) };
  };
  return {
    fieldType: objectType(schema),
    checkHead: (body, isLenient, text) => checkHead(body, { group, version, kind }, isLenient, text),
    decode: (body) => read(body, false),
    convert(body) {
      const { object } = read(body, true);
      merged.add(object);
      return { object, strict: none };
    },
    ...(isStored ? { kept: withUnseen } : {}),
    stored: (object) => (merged.has(object) ? read(object as unknown as JsonMap, false).object : object),
  };
}

type JsonMap = { readonly [field: string]: Json };

/** What an apply said of metadata that is nothing, as null is: the server stores it so, though it shows nothing of it. */
const unseen = new WeakMap<DraftMetadata, readonly (readonly [field: string, value: Json])[]>();
const droppedOfNew: ReadonlySet<string> = new Set(['deletionTimestamp', 'deletionGracePeriodSeconds']);
/** Of the others the server writes each itself. */
const keptUnseen: ReadonlySet<string> = new Set([
  ...['annotations', 'finalizers', 'generateName', 'labels', 'ownerReferences'],
  ...droppedOfNew,
]);

function withUnseen(object: Draft, isNew: boolean): Draft {
  const fields = unseen.get(object.metadata)?.filter(([name]) => !isNew || !droppedOfNew.has(name)) ?? [];
  if (fields.length === 0) return object;
  return { ...object, metadata: { ...object.metadata, ...Object.fromEntries(fields) } as DraftMetadata };
}

const noFields: StructuralSchema = { type: 'object' };

/** What a version has of an object of another version, without defaults: as the server converts. */
export function prunedTo(schema: StructuralSchema, object: { readonly [field: string]: Json }): Draft {
  const walk: Walk = { pruned: [], unknownMeta: [], cannotBeHandled: '', fills: false, keeps: false };
  const { apiVersion, kind, metadata } = object;
  return { ...(taken(object, nodeOf(schema), '', walk, true) as object), apiVersion, kind, metadata } as Draft;
}

const none: readonly string[] = [];

function strictProblems(unknownMeta: readonly string[], walk: Walk): readonly string[] {
  if (unknownMeta.length === 0 && walk.pruned.length === 0 && walk.unknownMeta.length === 0) return none;
  const paths = [...unknownMeta.map((path) => `metadata.${path}`), ...walk.pruned.sort(), ...walk.unknownMeta.sort()];
  return paths.map((path) => `unknown field "${path}"`);
}

function metaOf(value: Json, { cannotBeHandled }: Walk, path: string) {
  try {
    return decodeMeta(value);
  } catch (error) {
    if (!(error instanceof MetaError)) throw error;
    if (path === '') throw badRequest(`${cannotBeHandled}: ${error.message}`);
    throw badRequest(`${cannotBeHandled}: ${showProblem(problem('FieldValueInvalid', path, value, error.message))}`);
  }
}

/** A copy of `value` as the schema has it. `isRoot`: apiVersion, kind and metadata are somebody else's business. */
function taken(value: Json, node: Node | undefined, path: string, walk: Walk, isRoot = false, keeps = false): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return takenList(value as readonly Json[], node, path, walk, keeps);
  const map = value as JsonMap;
  const keepsUnknown = keeps || node?.keepsUnknown === true;
  const result: Record<string, Json> = {};
  for (const name of Object.keys(map)) {
    const child = map[name] as Json;
    if (metaFields.has(name)) {
      if (isRoot) continue;
      if (node?.isEmbedded) {
        put(result, name, embeddedMeta(name, child, node, path, walk));
        continue;
      }
    }
    const field = node?.fields.get(name) ?? node?.others;
    if (field) {
      if (child !== null || field.isNullable) put(result, name, taken(child, field, below(path, name), walk));
      else if (field.default !== undefined && walk.fills) put(result, name, structuredClone(field.default));
      else if (walk.keeps) put(result, name, null);
    } else if (keepsUnknown || walk.keeps) put(result, name, structuredClone(child));
    else walk.pruned.push(below(path, name));
  }
  if (node && walk.fills) {
    for (const [name, value] of node.defaulted) {
      if (!Object.hasOwn(result, name)) put(result, name, typeof value === 'object' ? structuredClone(value) : value);
    }
  }
  return result;
}

function takenList(value: readonly Json[], node: Node | undefined, path: string, walk: Walk, keeps: boolean): Json {
  const keepsUnknown = keeps || node?.keepsUnknown === true;
  const items = node?.items;
  // Below a list that preserves everything the items preserve too, whatever else they say.
  if (items === undefined && keepsUnknown) return structuredClone(value) as Json;
  return value.map((item, index) => {
    if (item === null && items && !items.isNullable)
      return items.default === undefined ? null : structuredClone(items.default);
    return taken(item, items, `${path}[${index}]`, walk, false, keepsUnknown);
  });
}

function embeddedMeta(name: string, value: Json, node: Node, path: string, walk: Walk): Json {
  const at = below(path, name);
  if (name === 'metadata') {
    const { metadata, unknown } = metaOf(value, walk, at);
    for (const each of unknown) walk.unknownMeta.push(`${at}.${each}`);
    const { properties = {} } = node.schema;
    return (properties['metadata'] ? withDefaults(properties['metadata'], metadata) : metadata) as Json;
  }
  if (typeof value === 'string') return value;
  throw badRequest(
    `${walk.cannotBeHandled}: ${showProblem(problem('FieldValueInvalid', at, value, 'must be a string'))}`,
  );
}

const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function put(object: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

const nodes = new WeakMap<StructuralSchema, Node>();

function nodeOf(schema: StructuralSchema): Node {
  let node = nodes.get(schema);
  if (!node) {
    node = compiled(schema);
    nodes.set(schema, node);
  }
  return node;
}

function compiled(schema: StructuralSchema): Node {
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, child]) => [name, nodeOf(child)]));
  return {
    schema,
    fields,
    others: schema.additionalProperties && nodeOf(schema.additionalProperties),
    items: schema.items && nodeOf(schema.items),
    keepsUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    isEmbedded: schema['x-kubernetes-embedded-resource'] === true,
    isNullable: schema.nullable === true,
    // A default is filled in with the defaults below it.
    default: schema.default === undefined ? undefined : (withDefaults(schema, schema.default) as Json),
    defaulted: [...fields].flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  };
}
