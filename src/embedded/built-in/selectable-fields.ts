import type { Json, KubeObject } from '../../kube/manifest.js';
import type { ServedKind } from '../kinds/served-kind.js';

type Fields = ServedKind['selectableFields'];

/**
 * What field selectors may name beside name and namespace, by the name under which a kind is kept.
 *
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/#list-of-supported-fields
 */
export function selectableFieldsOf(resource: string): Fields {
  return Object.hasOwn(fields, resource) ? (fields[resource] as Fields) : {};
}

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const fields: Readonly<Record<string, Fields>> = {
  pods: {
    ...at('spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'),
    'spec.hostNetwork': (pod) => textAt(pod, ['spec', 'hostNetwork']) || 'false',
    'status.phase': (pod) => textAt(pod, ['status', 'phase']),
    'spec.host': (pod) => textAt(pod, ['spec', 'nodeName']),
    'status.podIP': podIp,
    // May be asked for, and never found.
    'status.podIPs': () => '',
    'status.nominatedNodeName': (pod) => textAt(pod, ['status', 'nominatedNodeName']),
  },
  nodes: { 'spec.unschedulable': (node) => textAt(node, ['spec', 'unschedulable']) || 'false' },
  namespaces: { ...at('status.phase'), name: ({ metadata }) => metadata.name },
  secrets: at('type'),
  services: at('spec.clusterIP', 'spec.type'),
  replicationcontrollers: { 'status.replicas': (object) => textAt(object, ['status', 'replicas']) || '0' },
  'jobs.batch': { 'status.successful': (job) => textAt(job, ['status', 'succeeded']) || '0' },
  'resourceslices.resource.k8s.io': at('spec.nodeName', 'spec.driver'),
  'certificatesigningrequests.certificates.k8s.io': at('spec.signerName'),
  events: {
    ...at(...involved.map((name) => `involvedObject.${name}`), 'reason', 'reportingComponent', 'type'),
    source: (event) => textAt(event, ['source', 'component']) || textAt(event, ['reportingComponent']),
  },
  'events.events.k8s.io': {
    ...Object.fromEntries(involved.map((name) => [`regarding.${name}`, read('regarding', name)])),
    ...at('reason', 'reportingController', 'type'),
  },
};

function podIp(pod: KubeObject): string {
  const { podIP, podIPs } = (pod['status'] ?? {}) as { podIP?: string; podIPs?: readonly { ip?: string }[] };
  return podIPs?.[0]?.ip ?? podIP ?? '';
}

function at(...paths: readonly string[]): Fields {
  return Object.fromEntries(paths.map((path) => [path, read(...path.split('.'))]));
}

function read(...path: readonly string[]): (object: KubeObject) => string {
  return (object) => textAt(object, path);
}

/** The value as text; of nothing, no text. */
function textAt(object: KubeObject, path: readonly string[]): string {
  let value = object as unknown as Json | undefined;
  for (const name of path) {
    value =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as { readonly [key: string]: Json })[name]
        : undefined;
  }
  return value === undefined || value === null ? '' : String(value);
}
