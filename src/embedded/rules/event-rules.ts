import type { EventObject, EventsEventObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { goJson } from '../../schema/go-format.js';
import { dns1123Subdomain, dns1123SubdomainName, pathSegmentName } from '../../schema/name-formats.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

/** An event under the names of the core group, whichever group a client used for it. */
type Event = Unchecked<EventObject>;

/**
 * The rules of events of either group, which are one kind to the store:
 * https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
 *
 * Only who uses the newer group is held to the stricter rules.
 */
export const eventRules: Rules = {
  validate(object) {
    return isNew(object) ? [...legacyProblems(object), ...strictProblems(object)] : legacyProblems(object);
  },
  validateUpdate(object, old) {
    return isNew(object) ? [...legacyProblems(object), ...changeProblems(object, old)] : legacyProblems(object);
  },
  nameProblems: (name, isPrefix, object) =>
    isNew(object) ? dns1123SubdomainName(name, isPrefix) : pathSegmentName(name, isPrefix),
  judgesMetadataLast: (object) => !isNew(object),
  allowsCreateOnUpdate: true,
};

function isNew({ apiVersion }: KubeObject): boolean {
  return apiVersion !== 'v1';
}

function eventOf(object: KubeObject): Event {
  if (!isNew(object)) return object as unknown as Event;
  const event = object as unknown as Unchecked<EventsEventObject>;
  const { regarding, note, reportingController, deprecatedSource, deprecatedCount, ...rest } = event;
  const { deprecatedFirstTimestamp, deprecatedLastTimestamp, ...same } = rest;
  return {
    ...(same as Event),
    involvedObject: regarding ?? {},
    message: note,
    reportingComponent: reportingController,
    source: deprecatedSource ?? {},
    count: deprecatedCount,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
  };
}

function legacyProblems(object: KubeObject): readonly FieldProblem[] {
  const event = eventOf(object);
  const { namespace = '' } = object.metadata;
  const about = event.involvedObject?.namespace ?? '';
  const found = new Problems();
  const otherNamespace = () => found.invalid('involvedObject.namespace', about, 'does not match event.namespace');
  if (!event.eventTime) {
    const matches = about === '' ? namespace === '' || namespace === 'default' : namespace === about;
    if (!matches) otherNamespace();
  } else {
    if (about === '' && namespace !== 'default' && namespace !== 'kube-system') otherNamespace();
    const controller = event.reportingComponent ?? '';
    const controllerPath = isNew(object) ? 'reportingController' : 'reportingComponent';
    if (controller === '') found.required(controllerPath);
    found.qualifiedName(controllerPath, controller);
    textProblems(found, 'reportingInstance', event.reportingInstance);
    textProblems(found, 'action', event.action);
    textProblems(found, 'reason', event.reason);
    if (Buffer.byteLength(event.message ?? '') > 1024) tooLong(found, 'message', 1024);
  }
  found.format('namespace', namespace, dns1123Subdomain);
  return found.all;
}

function textProblems(found: Problems, path: string, text = ''): void {
  if (text === '') found.required(path);
  if (Buffer.byteLength(text) > 128) tooLong(found, path, 128);
}

function tooLong(found: Problems, path: string, most: number): void {
  found.invalid(path, '', `can have at most ${most} characters`);
}

function strictProblems(object: KubeObject): readonly FieldProblem[] {
  const event = eventOf(object);
  const found = new Problems();
  seriesProblems(found, event);
  if (!event.eventTime) found.required('eventTime');
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    found.invalid('type', '', `has invalid value: ${event.type ?? ''}`);
  }
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (event[field]) found.invalid(field, '', 'needs to be unset');
  }
  if (event.source?.component || event.source?.host) found.invalid('source', '', 'needs to be unset');
  return found.all;
}

function seriesProblems(found: Problems, { series }: Event): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) found.invalid('series.count', '', 'should be at least 2');
  if (!series.lastObservedTime) found.required('series.lastObservedTime');
}

const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
].concat(['type', 'eventTime', 'action', 'related', 'reportingComponent', 'reportingInstance']);

/** Of an event only its series and its metadata change. */
function changeProblems(object: KubeObject, old: KubeObject): readonly FieldProblem[] {
  const [now, was] = [eventOf(object), eventOf(old)] as unknown as Record<string, Json>[];
  const found = new Problems();
  if (!equal(now?.series, was?.series)) seriesProblems(found, eventOf(object));
  for (const field of fixed) {
    const value = now?.[field];
    if (equal(value, was?.[field])) continue;
    const path = field === 'reportingComponent' ? 'reportingController' : field;
    found.invalidShown(path, shown(field, value), 'field is immutable');
  }
  return found.all;
}

/** A value as the server prints it: structs are its own. */
function shown(field: string, value: Json | undefined): string {
  if (field === 'source') return goJson(named(value, ['component', 'host']));
  if (field !== 'involvedObject' && field !== 'related') return goJson(value ?? (field === 'count' ? 0 : ''));
  if (field === 'related' && value === undefined) return 'null';
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return JSON.stringify(named(value, fields));
}

function named(value: Json | undefined, fields: readonly string[]): Record<string, Json> {
  const given = (value ?? {}) as Readonly<Record<string, Json>>;
  const goName = (field: string) => special[field] ?? `${field[0]?.toUpperCase()}${field.slice(1)}`;
  return Object.fromEntries(fields.map((field) => [goName(field), given[field] ?? '']));
}

const special: Readonly<Record<string, string>> = { uid: 'UID', apiVersion: 'APIVersion' };
