import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { shapeOf } from '../built-in/built-in-shape.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, StatusError } from '../status-error.js';
import { bodySummary } from './body-summary.js';

/**
 * Refuses what says that it is of another kind or version than `kind`, or does not say it as text. Who says nothing means
 * the kind of the address.
 */
export function checkHead(kind: ServedKind, body: Json, text?: string): asserts body is JsonMap {
  const said = headOf(body ?? {});
  if (typeof said === 'string') throw unrecognized(kind, text ?? JSON.stringify(body), said);
  const { group, version } = said;
  const isOpen = group === '' && version === '';
  const head: Head = {
    kind: said.kind || kind.kind,
    group: isOpen ? kind.group : group,
    version: version || (isOpen || group === kind.group ? kind.version : ''),
  };
  if (isSame(head, kind)) return;
  throw badRequest(stranger(kind, head, body as JsonMap));
}

/** Why what a patch made of an object of `kind` cannot be read as one; undefined when it can, or says of no version. */
export function patchedHeadFault(kind: ServedKind, result: Json): string | undefined {
  const head = headOf(result);
  if (typeof head === 'string') return head;
  if (!kind.shape.patchType) {
    if (kind.kind === 'Scale' && kind.group === 'autoscaling') return strangeScale(head);
    if (head.kind === '') return `Object 'Kind' is missing in '${JSON.stringify(result)}'`;
    return isMap(result) && result['apiVersion'] === null ? nullVersion : undefined;
  }
  const said = { ...head, kind: head.kind || kind.kind };
  if (isHeadless(result)) return said.kind === kind.kind ? undefined : notReadWithin(kind, said.kind);
  if (isSame(said, kind)) return undefined;
  return notReadAs(kind, said, versionOf(said), result as JsonMap);
}

/** A Scale may leave out what it is, also that of a custom resource, where the server knows nothing else. */
function strangeScale({ group, version, kind }: Head): string | undefined {
  const said = { group, version, kind: kind || 'Scale' };
  const apiVersion = versionOf(said) || 'autoscaling/v1';
  return said.kind === 'Scale' && apiVersion === 'autoscaling/v1' ? undefined : unregistered(said.kind, apiVersion);
}

/** Of a custom resource a null for a version is not the same as none. */
export const nullVersion = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';

/** Whether an object says of no version, so that the server reads it as it has objects within: without any of their fields. */
export function isHeadless(body: Json): boolean {
  return isMap(body) && (body['apiVersion'] ?? '') === '';
}

function notReadWithin(kind: ServedKind, said: string): string {
  const group = innerGroup(kind.group);
  const { version } = kind;
  if (shapeOf(versionOf({ group: kind.group, version }), said)) {
    return `converting (${group}.${said}) to (${group}.${kind.kind}): unknown conversion`;
  }
  return `no kind ${JSON.stringify(said)} is registered for the internal version of group ${JSON.stringify(kind.group)} in scheme "pkg/runtime/scheme.go:111"`;
}

/** How Go calls what the server reads of a body first. */
export const goHead =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** What a body says that it is, or why that cannot be read. */
export function headOf(body: Json): Head | string {
  if (!isMap(body)) return unread(body, `Go value of type ${goHead}`);
  const { apiVersion, kind } = { apiVersion: body['apiVersion'] ?? '', kind: body['kind'] ?? '' };
  for (const [field, value] of Object.entries(body)) {
    if (field !== 'apiVersion' && field !== 'kind') continue;
    if (value !== null && typeof value !== 'string') return unread(value, `Go struct field .${field} of type string`);
  }
  const parts = (apiVersion as string).split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion as string}`;
  const [version = '', group = ''] = parts.reverse();
  return { group, version, kind: kind as string };
}

function isSame(head: Head, kind: ServedKind): boolean {
  return head.group === kind.group && head.version === kind.version && head.kind === kind.kind;
}

function unread(value: Json, into: string): string {
  const is = Array.isArray(value)
    ? 'array'
    : { boolean: 'bool', number: 'number', string: 'string' }[typeof value as 'string'];
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${is ?? 'object'} into ${into}`;
}

export function unrecognized({ kind }: Pick<ServedKind, 'kind'>, text: string, because: string): StatusError {
  const summary = bodySummary(new TextEncoder().encode(text));
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${because} (${summary})`);
}

/** What a body says that it is. */
export interface Head {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Of a kind that nobody knows the server says so; of another one that it cannot be made the one that is wanted. */
function stranger(kind: ServedKind, head: Head, body: JsonMap): string {
  const apiVersion = versionOf(head);
  const expected = versionOf(kind);
  const because = notReadAs(kind, head, apiVersion, body);
  if (because === undefined) {
    return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
  }
  return `${head.kind} in version ${JSON.stringify(head.version)} cannot be handled as a ${kind.kind}: ${because}`;
}

function notReadAs(kind: ServedKind, head: Head, apiVersion: string, body: JsonMap): string | undefined {
  // Definitions of custom resources are served by a server within the server, which knows nothing else.
  const isKnownHere = kind.group === definitions || head.group === definitions ? head.group === kind.group : true;
  const shape = isKnownHere ? shapeOf(apiVersion, head.kind) : undefined;
  const isOfAll = unversioned.has(head.kind) || (ofAnyVersion.has(head.kind) && head.version === 'v1');
  if (!shape && !isOfAll && !(isKnownHere && isListOf(apiVersion, head.kind))) {
    return unregistered(head.kind, apiVersion);
  }
  try {
    shape?.decode(body);
  } catch (error) {
    if (error instanceof StatusError) return decodingFault(error);
    throw error;
  }
  const isSame = head.kind === kind.kind && innerGroup(head.group) === innerGroup(kind.group);
  if (isSame) return undefined;
  const found = `${isOfAll ? 'v1' : head.version}.${head.kind}`;
  return `converting (${found}) to (${innerGroup(kind.group)}.${kind.kind}): unknown conversion`;
}

const definitions = 'apiextensions.k8s.io';

/** What the server has once for all groups. */
const unversioned: ReadonlySet<string> = new Set([
  'Status',
  'APIVersions',
  'APIGroupList',
  'APIGroup',
  'APIResourceList',
]);

/** What every version of every group has. */
const ofAnyVersion: ReadonlySet<string> = new Set([
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
]);

function isListOf(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'v1' && kind === 'List') return true;
  return kind.endsWith('List') && shapeOf(apiVersion, kind.slice(0, -'List'.length)) !== undefined;
}

/** How the server calls the group of what it makes of a body within. Events of both groups are one there. */
function innerGroup(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] as string);
}

function versionOf({ group, version }: Pick<Head, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

function unregistered(kind: string, apiVersion: string): string {
  const [said, version] = [kind, apiVersion].map((text) => JSON.stringify(text));
  return `no kind ${said} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`;
}

/** What follows `cannot be handled as a Kind: ` in the words for a whole body. */
export function decodingFault({ message }: StatusError): string {
  const marker = ' cannot be handled as a ';
  const at = message.indexOf(marker);
  return at < 0 ? message : message.slice(message.indexOf(': ', at + marker.length) + 2);
}
