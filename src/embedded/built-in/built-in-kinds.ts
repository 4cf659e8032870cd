import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { ScalePaths, ServedKind } from '../kinds/served-kind.js';
import { rulesOf } from '../rules/rules-of.js';
import { notEmbedded } from '../status-error.js';
import { kindRecords } from './api-type.js';
import { BuiltInShape } from './built-in-shape.js';
import { columnsOf } from './columns/columns-of.js';
import { eventConversion } from './event-conversion.js';
import { selectableFieldsOf } from './selectable-fields.js';
import type { KindRecord } from './type-record.js';

/** What the real server serves at stable versions and this one does not, and why, by group, version and plural name. */
export const notServed: Readonly<Record<string, string>> = {
  'v1/bindings': 'there is no scheduler: a Pod is bound by its subresource',
  'v1/componentstatuses': 'deprecated, and about processes that are not there',
  'authentication.k8s.io/v1/selfsubjectreviews': 'a question, and no object',
  'authentication.k8s.io/v1/tokenreviews': 'a question, and no object',
  'authorization.k8s.io/v1/localsubjectaccessreviews': 'a question, and no object',
  'authorization.k8s.io/v1/selfsubjectaccessreviews': 'a question, and no object',
  'authorization.k8s.io/v1/selfsubjectrulesreviews': 'a question, and no object',
  'authorization.k8s.io/v1/subjectaccessreviews': 'a question, and no object',
  'autoscaling/v1/horizontalpodautoscalers': 'an older view of autoscaling/v2',
  'apiregistration.k8s.io/v1/apiservices': 'there is no aggregation of servers',
};

/** Throws a `StatusError` (501) for a kind that the real server serves and this one does not. */
export function refuseUnserved({ group, version, plural }: Pick<ServedKind, 'group' | 'version' | 'plural'>): void {
  const name = `${group === '' ? version : `${group}/${version}`}/${plural}`;
  if (Object.hasOwn(notServed, name)) throw notEmbedded(`${name} (${notServed[name]})`);
}

/** Every built-in kind that can be created and read, at its stable version, with the rules and columns that it has. */
export function builtInKinds(): readonly ServedKind[] {
  return kindRecords()
    .filter(({ apiVersion, plural }) => !Object.hasOwn(notServed, `${apiVersion}/${plural}`))
    .map(servedKind);
}

function servedKind(record: KindRecord): ServedKind {
  const { apiVersion, kind, plural, singular, type, shortNames = [], categories = [], verbs } = record;
  const group = groupOf(apiVersion);
  const resource = group === '' ? plural : `${plural}.${group}`;
  const isNewerEvent = resource === 'events.events.k8s.io';
  return {
    group,
    version: versionOf(apiVersion),
    kind,
    listKind: `${kind}List`,
    plural,
    singular,
    shortNames,
    categories,
    namespaced: record.namespaced ?? false,
    storage: isNewerEvent ? 'events' : resource,
    verbs,
    subresources: subresourcesOf(record),
    shape: new BuiltInShape(apiVersion, kind, type),
    rules: rulesOf(resource),
    ...columnsOf(resource),
    selectableFields: selectableFieldsOf(resource),
    ...(isNewerEvent && { conversion: eventConversion }),
    ...(resource === 'endpoints' && { warnings: [endpointsAreOld] }),
  };
}

const endpointsAreOld = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

function subresourcesOf({ subresources }: KindRecord): ServedKind['subresources'] {
  const names = subresources.map(({ name }) => name);
  return {
    status: names.includes('status'),
    ...(names.includes('scale') && { scale }),
  };
}

/** The same in all kinds that scale. The selector of a ReplicationController is a plain map of labels. */
const scale: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};
