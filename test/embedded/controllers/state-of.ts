import {
  ConfigMap,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Endpoints,
  Job,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from '../../../imports/k8s.js';
import type { Cluster } from '../../../src/client/cluster.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { Condition } from '../../../src/kube/condition.js';
import type { KubeObject } from '../../../src/kube/manifest.js';

const Event: ApiResource = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true };
const Namespace: ApiResource = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const kinds: readonly ApiResource[] = [
  ConfigMap,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  Endpoints,
  EndpointSlice,
  Job,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
];
const hashLabels = ['pod-template-hash', 'controller.kubernetes.io/hash', 'controller-revision-hash'];
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Which word stands for what chance decided, in one cluster; of what is gone, too. */
export type Words = Map<string, string>;

/**
 * All of a namespace, less what no two clusters have in common: names by chance, hashes, uids, times, addresses; and less what
 * Deployments say of their progress, where that is by chance.
 */
export async function stateOf(
  cluster: Cluster,
  namespace: string,
  words: Words,
  { isProgressByChance = false } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const objects: KubeObject[] = [];
  for (const kind of kinds) {
    const { items } = await cluster.list(kind, { namespace });
    objects.push(...items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })));
  }
  const events = (await cluster.list(Event, { namespace })).items;
  const own = (await cluster.list(Namespace, {})).items.filter(({ metadata }) => metadata.name === namespace);
  const symbols = symbolsOf(objects, namespace, words);
  const shown = (object: KubeObject) =>
    JSON.parse(symbols(JSON.stringify(tidied(object, isProgressByChance)))) as unknown;
  return {
    namespace: own.map(shown),
    objects: sorted(objects.map(shown)),
    events: [...new Set(events.filter(isCommon).map((event) => symbols(told(event))))].sort(),
  };
}

/**
 * Volumes are bound in one of the two alone, and only where controllers run at once do they get in each other's way. A loaded
 * kube-apiserver may look for Services whose address it has not noted before it has noted it.
 */
const ofOneAlone: readonly unknown[] = ['FailedBinding', 'FailedUpdate', 'ClusterIPNotAllocated'];

function isCommon({ reason }: KubeObject): boolean {
  return !ofOneAlone.includes(reason);
}

function told(event: KubeObject): string {
  const { involvedObject, reason, message, type } = event as unknown as {
    involvedObject: { kind: string; name: string };
    reason: string;
    message: string;
    type: string;
  };
  return `${type} ${reason} ${involvedObject.kind}/${involvedObject.name}: ${message}`.replace(
    /(pod: .*-)[bcdfghjklmnpqrstvwxz2456789]{5}$/,
    '$1{chance}',
  );
}

/** Whether a rollout that was paused a moment after it began had been seen to go on is a matter of time. */
const begunOrGoingOn: ReadonlySet<unknown> = new Set(['NewReplicaSetCreated', 'ReplicaSetUpdated']);

function withoutHaste(status: unknown, isProgressByChance: boolean): unknown {
  const { conditions, ...rest } = status as { readonly conditions?: readonly Condition[] };
  if (!conditions) return status;
  const said = conditions
    .filter(({ type }) => !(isProgressByChance && type === 'Progressing'))
    .map((each) => (begunOrGoingOn.has(each.reason) ? { ...each, reason: 'begun or going on', message: '' } : each));
  return { ...rest, conditions: said };
}

function tidied({ metadata, ...rest }: KubeObject, isProgressByChance: boolean): unknown {
  const { resourceVersion: _, managedFields, annotations, generateName, ...more } = metadata;
  const { [triggerTime]: __, ...kept } = annotations ?? {};
  const status = rest['status'];
  return {
    ...rest,
    ...(status ? { status: withoutHaste(status, isProgressByChance) } : {}),
    metadata: {
      ...more,
      ...(Object.keys(kept).length > 0 ? { annotations: kept } : {}),
      managedFields: sorted(
        (managedFields ?? []).map((entry) => ({ ...entry, time: 'T', fieldsV1: withoutTrigger(entry.fieldsV1) })),
      ),
    },
  };
}

function withoutTrigger(fields: unknown): unknown {
  const text = JSON.stringify(fields) ?? 'null';
  const annotations = new RegExp(`"f:annotations":\\{"\\.":\\{\\},"f:${triggerTime}":\\{\\}\\},?`);
  return JSON.parse(text.replace(annotations, ''));
}

/** A function that replaces in a text what stands for the same thing in both clusters by the same word. */
function symbolsOf(objects: readonly KubeObject[], namespace: string, known: Words): (text: string) => string {
  const hashOf = ({ metadata }: KubeObject) => hashLabels.map((label) => metadata.labels?.[label]).find(Boolean);
  const revisions = objects.filter(({ kind }) => kind === 'ReplicaSet' || kind === 'ControllerRevision');
  for (const object of revisions) {
    const owner = object.metadata.ownerReferences?.[0]?.name ?? '';
    const number = object.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? object['revision'];
    const hash = hashOf(object);
    if (hash && number !== undefined) known.set(hash, `{revision ${number} of ${owner}}`);
  }
  for (const { kind, metadata } of objects) {
    const { generateName } = metadata as { generateName?: string };
    let { name } = metadata;
    if (generateName && /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name.slice(generateName.length))) {
      known.set(name, `${generateName}{chance}`);
      name = `${generateName}{chance}`;
    }
    known.set(metadata.uid, `{uid of ${kind} ${name}}`);
  }
  const words = [...known].sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let result = text.replaceAll(namespace, '{namespace}');
    // Names may hold hashes, so that hashes, which are shorter, come last.
    for (const [word, symbol] of words) result = result.replaceAll(word, symbol);
    for (const [word, symbol] of words) result = result.replaceAll(word, symbol);
    return result
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '{uid}')
      .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '{time}')
      .replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-{chance}')
      .replace(/\b10\.0\.\d{1,3}\.\d{1,3}\b/g, '{address}')
      .replace(/-----BEGIN[^"]*/g, '{certificate}');
  };
}

function sorted(values: readonly unknown[]): unknown[] {
  const key = (value: unknown) => JSON.stringify(ordered(value));
  return [...values].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, ordered(each)]));
}
