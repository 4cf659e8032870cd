import type { Json } from '../../kube/manifest.js';
import { shapeOf } from '../built-in/built-in-shape.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, StatusError } from '../status-error.js';
import { bodySummary } from './body-summary.js';
import { isObject, type JsonObject } from './json-object.js';

/**
 * Refuses what says that it is of another kind or version than `kind`, or does not say it as text. Who says nothing means
 * the kind of the address.
 */
export function checkHead(kind: ServedKind, body: Json): asserts body is JsonObject {
  if (!isObject(body)) {
    throw unrecognized(kind, body, unread(body, `Go value of type ${goHead}`));
  }
  const head = { group: kind.group, version: kind.version, kind: textOf(kind, body, 'kind') || kind.kind };
  const apiVersion = textOf(kind, body, 'apiVersion');
  if (apiVersion !== '' && apiVersion !== '/') {
    const parts = apiVersion.split('/');
    if (parts.length > 2) throw unrecognized(kind, body, `unexpected GroupVersion string: ${apiVersion}`);
    const [version = '', group = ''] = parts.reverse();
    Object.assign(head, { group, version: version || (group === kind.group ? kind.version : '') });
  }
  if (head.group === kind.group && head.version === kind.version && head.kind === kind.kind) return;
  throw badRequest(stranger(kind, head, body));
}

/** How Go calls what the server reads of a body first. */
const goHead =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function textOf(kind: ServedKind, body: JsonObject, field: 'apiVersion' | 'kind'): string {
  const value = body[field] ?? '';
  if (typeof value === 'string') return value;
  throw unrecognized(kind, body, unread(value, `Go struct field .${field} of type string`));
}

function unread(value: Json, into: string): string {
  const is = Array.isArray(value)
    ? 'array'
    : { boolean: 'bool', number: 'number', string: 'string' }[typeof value as 'string'];
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${is ?? 'object'} into ${into}`;
}

function unrecognized({ kind }: ServedKind, body: Json, because: string): StatusError {
  const text = new TextEncoder().encode(JSON.stringify(body));
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${because} (${bodySummary(text)})`);
}

interface Head {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Of a kind that nobody knows the server says so; of another one that it cannot be made the one that is wanted. */
function stranger(kind: ServedKind, head: Head, body: JsonObject): string {
  const apiVersion = versionOf(head);
  const expected = versionOf(kind);
  const because = notReadAs(kind, head, apiVersion, body);
  if (because === undefined) {
    return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
  }
  return `${head.kind} in version ${JSON.stringify(head.version)} cannot be handled as a ${kind.kind}: ${because}`;
}

function notReadAs(kind: ServedKind, head: Head, apiVersion: string, body: JsonObject): string | undefined {
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

export function unregistered(kind: string, apiVersion: string): string {
  const [said, version] = [kind, apiVersion].map((text) => JSON.stringify(text));
  return `no kind ${said} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`;
}

/** What follows `cannot be handled as a Kind: ` in the words for a whole body. */
export function decodingFault({ message }: StatusError): string {
  const marker = ' cannot be handled as a ';
  const at = message.indexOf(marker);
  return at < 0 ? message : message.slice(message.indexOf(': ', at + marker.length) + 2);
}
