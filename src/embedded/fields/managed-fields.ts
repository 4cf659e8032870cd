import type { FieldsV1, Json, ManagedFieldsEntry } from '../../kube/manifest.js';
import { UntypedError } from './compare.js';
import { FieldSet } from './field-set.js';
import { apply, type Managed, type Managers, update } from './ownership.js';
import type { Versions } from './versions.js';

/** Who writes, and how: the part of an entry that tells managers apart. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

export interface Entry {
  readonly writer: Writer;
  readonly time: string | undefined;
}

/** The managers of an object as its `managedFields` tell. */
export interface Decoded {
  readonly managers: Managers;
  readonly entries: ReadonlyMap<string, Entry>;
}

export const none: Decoded = { managers: new Map(), entries: new Map() };

/** How many managers that update are told apart; older ones become one. */
const maxUpdateManagers = 10;

/**
 * The `managedFields` after `writer` changed `before` to `after` in any way but apply. `requested` are those that the
 * caller sent: an empty list or entry resets ownership, none leaves it as it is in the object.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#clearing-managedfields
 */
export function updateManagedFields(
  before: Json,
  after: Json,
  { live, requested, exists }: { readonly live: Entries; readonly requested: Entries; readonly exists: boolean },
  writer: Writer,
  versions: Versions,
  now: string,
): ManagedFieldsEntry[] | undefined {
  const state = isReset(requested) ? none : (nonEmpty(decode(requested)) ?? decode(live) ?? none);
  // An object whose ownership was reset is not tracked again until somebody applies.
  if (state.managers.size === 0 && exists) return undefined;
  try {
    return encode(tracked(before, after, state, writer, versions, now));
  } catch (error) {
    // As on the server, an object that cannot be tracked loses its owners.
    if (error instanceof UntypedError) return undefined;
    throw error;
  }
}

export type Entries = readonly ManagedFieldsEntry[] | undefined;

export interface ApplyOptions {
  readonly force: boolean;
  readonly now: string;
  /** What every object of the kind holds, when there was an object before: the one that is applied to has more. */
  readonly empty?: () => Json;
}

/** The object and its `managedFields` after `writer` applied `config`. Throws `ClashError` and `UntypedError`. */
export function applyManagedFields(
  live: Json,
  config: Json,
  current: Entries,
  writer: Writer,
  versions: Versions,
  { force, now, empty }: ApplyOptions,
): { readonly object: Json; readonly managedFields: ManagedFieldsEntry[] | undefined } {
  let state = decode(current) ?? none;
  if (state.managers.size === 0 && empty !== undefined) {
    const first: Writer = { ...writer, manager: 'before-first-apply', operation: 'Update' };
    state = tracked(empty(), live, state, first, versions, now);
  }
  const id = idOf(writer);
  const { object, managers } = apply(live, config, versions, state.managers, id, force);
  const next = stripped(managers, id);
  const entries = new Map(state.entries);
  // As on the server, who changes nothing gets no new time; who only joins the owners gets none at all.
  entries.set(id, { writer, time: object === live ? state.entries.get(id)?.time : now });
  return { object, managedFields: encode({ managers: next, entries }) };
}

function tracked(
  before: Json,
  after: Json,
  { managers, entries }: Decoded,
  writer: Writer,
  versions: Versions,
  now: string,
): Decoded {
  const current = 'the operation that goes on';
  const next = new Map(stripped(update(before, after, versions, managers, current), current));
  const times = new Map(entries);
  const changed = next.get(current);
  if (changed) {
    next.delete(current);
    const id = idOf(writer);
    const previous = next.get(id);
    next.set(id, previous ? { ...changed, fields: changed.fields.union(previous.fields) } : changed);
    times.set(id, { writer, time: now });
  }
  return capped({ managers: next, entries: times });
}

/** The oldest of too many updating managers become one that is called `ancient-changes`. */
function capped(state: Decoded): Decoded {
  const updaters = [...state.managers.keys()].filter((id) => state.entries.get(id)?.writer.operation === 'Update');
  if (updaters.length <= maxUpdateManagers) return state;
  const managers = new Map(state.managers);
  const entries = new Map(state.entries);
  const timeOf = (id: string) => entries.get(id)?.time ?? '';
  updaters.sort((a, b) => compareText(timeOf(a), timeOf(b)) || compareText(a, b));
  const firstOfVersion = new Map<string, string>();
  let length = updaters.length;
  for (const id of updaters) {
    if (length <= maxUpdateManagers) break;
    const { writer, time } = entries.get(id) as Entry;
    const bucket: Writer = { manager: 'ancient-changes', operation: 'Update', apiVersion: writer.apiVersion };
    const bucketId = idOf(bucket);
    const first = firstOfVersion.get(writer.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(writer.apiVersion, id);
      continue;
    }
    if (!managers.has(bucketId)) {
      managers.set(bucketId, managers.get(first) as Managed);
      managers.delete(first);
    }
    const held = managers.get(bucketId) as Managed;
    managers.set(bucketId, { ...held, fields: held.fields.union((managers.get(id) as Managed).fields) });
    managers.delete(id);
    entries.set(bucketId, { writer: bucket, time });
    length -= 1;
  }
  return { managers, entries };
}

/** Undefined when an entry is not one that the server could have written. */
export function decode(list: Entries): Decoded | undefined {
  const managers = new Map<string, Managed>();
  const entries = new Map<string, Entry>();
  for (const { manager = '', operation, apiVersion = '', subresource, time, fieldsType, fieldsV1 } of list ?? []) {
    if (operation !== 'Apply' && operation !== 'Update') return undefined;
    if (apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
    const writer: Writer = { manager, operation, apiVersion, ...(subresource ? { subresource } : {}) };
    const id = idOf(writer);
    const fields = fieldSetOf(fieldsV1);
    if (!fields) return undefined;
    managers.set(id, { fields, applied: operation === 'Apply', version: apiVersion });
    entries.set(id, { writer, time });
  }
  return { managers, entries };
}

export function encode({ managers, entries }: Decoded): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const list = [...managers].map(([id, { fields, version }]): ManagedFieldsEntry => {
    const { writer, time } = entries.get(id) as Entry;
    return {
      manager: writer.manager,
      operation: writer.operation,
      apiVersion: version,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: fields.toFieldsV1(),
      ...(writer.subresource ? { subresource: writer.subresource } : {}),
    };
  });
  return list.sort(
    (a, b) =>
      compareText(a.operation, b.operation) ||
      compareText(a.time, b.time) ||
      compareText(a.manager, b.manager) ||
      compareText(a.apiVersion, b.apiVersion) ||
      compareText(a.subresource, b.subresource),
  );
}

/**
 * For whoever applies, the version does not tell managers apart. In the server's own form, by which it sorts them where it
 * tells of conflicts and where it has to do with fewer.
 */
export function idOf({ manager, operation, apiVersion, subresource }: Writer): string {
  const who = manager ? `"manager":${JSON.stringify(manager)},` : '';
  const version = operation === 'Apply' || !apiVersion ? '' : `,"apiVersion":${JSON.stringify(apiVersion)}`;
  const where = subresource ? `,"subresource":${JSON.stringify(subresource)}` : '';
  return `{${who}"operation":${JSON.stringify(operation)}${version}${where}}`;
}

/** The writer that an id stands for, as far as it tells. */
export function writerOf(id: string): Writer {
  const { manager = '', apiVersion = '', ...rest } = JSON.parse(id) as Partial<Writer> & Pick<Writer, 'operation'>;
  return { manager, apiVersion, ...rest };
}

/** Without what nobody owns because every object has it. */
function stripped(managers: Managers, id: string): Managers {
  const mine = managers.get(id);
  if (!mine) return managers;
  const fields = mine.fields.difference(never);
  const next = new Map(managers);
  if (fields.isEmpty) next.delete(id);
  else next.set(id, { ...mine, fields });
  return next;
}

const never = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields']
    .concat('resourceVersion')
    .map((name) => ['f:metadata', `f:${name}`]),
);

function isReset(requested: Entries): boolean {
  if (requested === undefined) return false;
  return requested.length === 0 || (requested.length === 1 && Object.keys(requested[0] as object).length === 0);
}

function nonEmpty(decoded: Decoded | undefined): Decoded | undefined {
  return decoded && decoded.managers.size > 0 ? decoded : undefined;
}

/** What the store holds is frozen and read again and again. */
const parsed = new WeakMap<FieldsV1, FieldSet>();

function fieldSetOf(fields: FieldsV1 = {}): FieldSet | undefined {
  let set = parsed.get(fields);
  if (!set) {
    set = FieldSet.parse(fields);
    if (set && Object.isFrozen(fields)) parsed.set(fields, set);
  }
  return set;
}

function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
