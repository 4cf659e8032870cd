/** Longer than most files: one table of bodies, of many kinds and with many things wrong. */

export type Body = Readonly<Record<string, unknown>>;

/** A body as a client posts it, and what is told by it. */
export interface Case {
  readonly title: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly body: Body;
}

const labels = { app: 'a' };
const container = { name: 'a', image: 'a' };
const podOf = (spec: Body): Body => ({ spec: { containers: [container], ...spec } });
const containerOf = (fields: Body): Body => podOf({ containers: [{ ...container, ...fields }] });
const volumeOf = (source: Body): Body => podOf({ volumes: [{ name: 'v', ...source }] });
const deploymentOf = (spec: Body): Body => ({
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
    ...spec,
  },
});

function cases(apiVersion: string, kind: string, bodies: Readonly<Record<string, unknown>>): Case[] {
  return Object.entries(bodies).map(([title, body]) => ({
    title: `${kind} with ${title}`,
    apiVersion,
    kind,
    body: body as Body,
  }));
}

/** Bodies that do not decode, or not strictly: compared in the words of the answer. */
export const refused: readonly Case[] = [
  ...cases('v1', 'ConfigMap', {
    'a number for text': { data: { a: 1 } },
    'a list for a map': { data: ['a'] },
    'a map for text in a map': { data: { a: {} } },
    'text for a truth': { immutable: 'yes' },
    'bytes that are none': { binaryData: { a: '%%%' } },
    'bytes that end early': { binaryData: { a: 'YWI' } },
    'bytes with a padding too many': { binaryData: { a: 'YWJj=' } },
    'bytes with padding in the middle': { binaryData: { a: 'YQ==YQ==' } },
    'bytes with half a padding': { binaryData: { a: 'YQ=' } },
    'bytes with something after the padding': { binaryData: { a: 'YQ=a' } },
    'fields that are not': { dat: {}, data: { a: 'b' }, spec: { a: 1 } },
    'a field in the wrong case': { Data: { a: 'b' } },
    'two things wrong, of which the first counts': { data: { a: 1 }, immutable: 3 },
    'metadata of the wrong type': { metadata: 'a' },
    'a label that is a number': { metadata: { name: 'a', labels: { a: 1 } } },
    'finalizers that are text': { metadata: { name: 'a', finalizers: 'a' } },
    'a time that is none': { metadata: { name: 'a', deletionTimestamp: 'now' } },
    'a time that is a number': { metadata: { name: 'a', deletionTimestamp: 1 } },
    'a time without a zone': { metadata: { name: 'a', deletionTimestamp: '2024-01-01T00:00:00' } },
    'a time of the 13th month': { metadata: { name: 'a', deletionTimestamp: '2024-13-01T00:00:00Z' } },
    'a time of the 30th of February': { metadata: { name: 'a', deletionTimestamp: '2024-02-30T00:00:00Z' } },
    'a time at 25 hours': { metadata: { name: 'a', deletionTimestamp: '2024-02-20T25:00:00Z' } },
    'a time with a space': { metadata: { name: 'a', deletionTimestamp: '2024-02-20 10:00:00Z' } },
    'a time with something after it': { metadata: { name: 'a', deletionTimestamp: '2024-02-20T10:00:00Zulu' } },
    'a time with an odd zone': { metadata: { name: 'a', deletionTimestamp: '2024-02-20T10:00:00+25:00' } },
    'a time with letters for digits': { metadata: { name: 'a', deletionTimestamp: '2024-02-2xT10:00:00Z' } },
    'a time that is empty': { metadata: { name: 'a', deletionTimestamp: '' } },
    'an unknown field in metadata': { metadata: { name: 'a', label: {} } },
    'an owner with an unknown field': {
      metadata: { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'a', owner: true }] },
    },
  }),
  ...cases('v1', 'Secret', {
    'text that is no base64': { data: { a: 'not base64' } },
    'a number as type': { type: 1 },
    'stringData of numbers': { stringData: { a: 1 } },
  }),
  ...cases('v1', 'Pod', {
    'text for a number': podOf({ terminationGracePeriodSeconds: '30' }),
    'a fraction for a whole number': podOf({ terminationGracePeriodSeconds: 1.5 }),
    'a number beyond 32 bits': podOf({ priority: 3000000000 }),
    'a map for containers': { spec: { containers: {} } },
    'text for a container': { spec: { containers: ['a'] } },
    'an unknown field in a container': containerOf({ images: 'a' }),
    'unknown fields at many places': {
      spec: { containers: [container, { name: 'b', image: 'b', foo: 1, env: [{ name: 'a', bar: 1 }] }], baz: {} },
    },
    'a list for an embedded volume source': volumeOf({ emptyDir: [] }),
    'a wrong type inside an embedded volume source': volumeOf({ configMap: { name: 1 } }),
    'a wrong type in an embedded handler': containerOf({ livenessProbe: { httpGet: 'a' } }),
    'a wrong type below an embedded handler': containerOf({ livenessProbe: { httpGet: { port: 80, path: 1 } } }),
    'a port that is a truth': containerOf({ livenessProbe: { httpGet: { port: true } } }),
    'a port that is a fraction': containerOf({ livenessProbe: { httpGet: { port: 1.5 } } }),
    'a port that is a map': containerOf({ livenessProbe: { tcpSocket: { port: {} } } }),
    'an amount that is none': containerOf({ resources: { limits: { cpu: 'lots' } } }),
    'an amount with an odd suffix': containerOf({ resources: { limits: { cpu: '1iK' } } }),
    'an amount that is a map': containerOf({ resources: { limits: { cpu: { a: 1 } } } }),
    'an amount that is empty': containerOf({ resources: { limits: { cpu: '' } } }),
    'an amount that is a truth': containerOf({ resources: { limits: { cpu: true } } }),
    'a number for limits': containerOf({ resources: { limits: 1 } }),
    'a number for a named type of text': podOf({ restartPolicy: 1 }),
    'a truth for a number': containerOf({ ports: [{ containerPort: true }] }),
    'a wrong type before an amount that is none': containerOf({
      name: 1,
      resources: { limits: { cpu: 'lots' } },
    }),
    'an unknown field beside a wrong type': podOf({ hostNetwork: 'yes', foo: 1 }),
    'a list for text in args': containerOf({ args: [['a']] }),
    'a selector that is a list': podOf({ nodeSelector: ['a'] }),
  }),
  ...cases('apps/v1', 'Deployment', {
    'text for replicas': deploymentOf({ replicas: 'three' }),
    'no object for spec': { spec: 'a' },
    'an unknown strategy field': deploymentOf({ strategy: { typo: 'Recreate' } }),
    'an unknown field in the template': deploymentOf({
      template: { metadata: { labels }, spec: { containers: [container], containres: [] } },
    }),
    'maxSurge of a wrong type': deploymentOf({ strategy: { rollingUpdate: { maxSurge: [] } } }),
    'a match expression of a wrong type': deploymentOf({ selector: { matchExpressions: [{ key: 'a', values: 'b' }] } }),
  }),
  ...cases('apps/v1', 'StatefulSet', {
    'a claim template of a wrong type': {
      spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: 'big' } } } }] },
    },
    'text for claim templates': { spec: { volumeClaimTemplates: 'a' } },
  }),
  ...cases('apps/v1', 'DaemonSet', { 'a truth for template': { spec: { template: true } } }),
  ...cases('batch/v1', 'CronJob', {
    'a number for schedule': { spec: { schedule: 5 } },
    'a deep unknown field': {
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { x: 1 } } } } },
    },
  }),
  ...cases('batch/v1', 'Job', { 'text for parallelism': { spec: { parallelism: '1' } } }),
  ...cases('v1', 'Service', {
    'a text port': { spec: { ports: [{ port: 'http' }] } },
    'an unknown port field': { spec: { ports: [{ port: 80, target: 80 }] } },
    'ports as a map': { spec: { ports: { http: 80 } } },
  }),
  ...cases('networking.k8s.io/v1', 'Ingress', {
    'a wrong type in an embedded rule': { spec: { rules: [{ http: 'a' }] } },
    'the fields of an older version': {
      spec: { rules: [{ http: { paths: [{ path: '/', backend: { serviceName: 'a', servicePort: 80 } }] } }] },
    },
  }),
  ...cases('networking.k8s.io/v1', 'NetworkPolicy', { 'text for policyTypes': { spec: { policyTypes: 'Ingress' } } }),
  ...cases('rbac.authorization.k8s.io/v1', 'Role', {
    'a map for rules': { rules: {} },
    'text for verbs': { rules: [{ verbs: '*' }] },
    'an unknown field in a rule': { rules: [{ verbs: ['*'], resource: ['pods'] }] },
  }),
  ...cases('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { 'text for roleRef': { roleRef: 'admin' } }),
  ...cases('coordination.k8s.io/v1', 'Lease', {
    'a time without micros': { spec: { renewTime: '2024-01-01T00:00:00Z' } },
    'a time with three digits': { spec: { renewTime: '2024-01-01T00:00:00.123Z' } },
    'a time that is none': { spec: { renewTime: 'soon' } },
  }),
  ...cases('autoscaling/v2', 'HorizontalPodAutoscaler', {
    'text for maxReplicas': { spec: { maxReplicas: 'many' } },
    'a metric of a wrong type': { spec: { metrics: [{ resource: { target: { averageUtilization: '80' } } }] } },
  }),
  ...cases('policy/v1', 'PodDisruptionBudget', { 'a list for minAvailable': { spec: { minAvailable: [1] } } }),
  ...cases('v1', 'PersistentVolumeClaim', {
    'an amount that is none': { spec: { resources: { requests: { storage: '5 gigs' } } } },
    'text for accessModes': { spec: { accessModes: 'ReadWriteOnce' } },
  }),
  ...cases('scheduling.k8s.io/v1', 'PriorityClass', { 'a value beyond 32 bits': { value: 9999999999 } }),
  ...cases('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
    'a wrong type in what is embedded twice': { webhooks: [{ rules: [{ apiGroups: 'apps' }] }] },
    'bytes that are none': { webhooks: [{ clientConfig: { caBundle: '-----BEGIN' } }] },
  }),
  ...cases('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
    'a schema that is text': { spec: { versions: [{ schema: { openAPIV3Schema: 'a' } }] } },
    'a wrong type in a schema': {
      spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { minLength: 'a' } } } } }] },
    },
    'a wrong type in a schema for items': {
      spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { items: { minLength: 'a' } } } } } }] },
    },
    'text for additionalProperties': {
      spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 'a' } } }] },
    },
    'unknown fields in schemas, of which those in items count for none': {
      spec: {
        versions: [{ schema: { openAPIV3Schema: { typo: 1, items: { typo: 1 }, properties: { a: { x: 1 } } } } }],
      },
    },
  }),
  ...cases('v1', 'Event', { 'a wrong type for the object': { involvedObject: 'a' } }),
  ...cases('v1', 'Namespace', { 'a map for finalizers': { spec: { finalizers: {} } } }),
  ...cases('discovery.k8s.io/v1', 'EndpointSlice', { 'a number for an address': { endpoints: [{ addresses: [1] }] } }),
  ...cases('v1', 'ResourceQuota', { 'an amount that is none': { spec: { hard: { pods: 'ten' } } } }),
];

const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

/** Bodies of kinds whose rules fill in little: compared in the object that the server makes of them. */
export const accepted: readonly Case[] = [
  ...cases('v1', 'ConfigMap', {
    nothing: {},
    'nulls everywhere': { data: null, immutable: null, metadata: { name: 'a', labels: null, finalizers: null } },
    'empty maps': { data: {}, binaryData: {} },
    'null and empty text in a map': { data: { a: null, b: '' } },
    'a name that is __proto__ in JSON': { data: JSON.parse('{"__proto__":"a","constructor":"b"}') },
    'false that is a value below a pointer': { immutable: false },
    'bytes on several lines': { binaryData: { a: 'YWJj\r\nYWJj\n', b: '' } },
    'empty metadata': { metadata: { name: 'a', labels: {}, annotations: {}, finalizers: [], ownerReferences: [] } },
    'an owner with nulls': {
      metadata: {
        name: 'a',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'a', controller: null, blockOwnerDeletion: false },
        ],
      },
    },
  }),
  ...cases('v1', 'Secret', { 'bytes and a type': { type: 'Opaque', data: { a: 'YQ==', b: '' }, immutable: true } }),
  ...cases('v1', 'ServiceAccount', {
    'empty lists': { secrets: [], imagePullSecrets: [] },
    'empty items': { secrets: [{}, { name: 'b' }], imagePullSecrets: [{}, { name: '' }, { name: 'a' }] },
    'a truth below a pointer': { automountServiceAccountToken: false },
  }),
  ...cases('v1', 'ResourceQuota', {
    'amounts of all kinds': {
      spec: {
        hard: {
          pods: 10,
          'requests.cpu': '1500m',
          'limits.memory': '2048Mi',
          'requests.storage': '1.5Gi',
          'count/a.b': '1e3',
          'count/c.d': 0,
        },
      },
    },
  }),
  ...cases('v1', 'Event', {
    'empty times': {
      metadata: { name: 'a', namespace: 'default' },
      involvedObject: { namespace: 'default' },
      firstTimestamp: null,
      count: 0,
      source: {},
    },
    'times in other zones': {
      metadata: { name: 'b', namespace: 'default' },
      involvedObject: { namespace: 'default', kind: 'Pod' },
      firstTimestamp: '2024-02-20T01:00:00.987+02:00',
      lastTimestamp: '2024-02-20T1:00:00Z',
      eventTime: null,
      type: '',
    },
  }),
  ...cases('v1', 'LimitRange', {
    'an empty list': { spec: { limits: [] } },
    'a limit of pods': { spec: { limits: [{ type: 'Pod', max: { cpu: 2 }, min: {} }] } },
  }),
  ...cases('rbac.authorization.k8s.io/v1', 'Role', {
    'no rules': {},
    'an empty list of rules': { rules: [] },
    'rules with empty lists': { rules: [{ ...rule, resourceNames: [] }] },
  }),
  ...cases('rbac.authorization.k8s.io/v1', 'ClusterRole', {
    'an aggregation of nothing': { aggregationRule: { clusterRoleSelectors: [{}] }, rules: null },
    urls: { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] },
  }),
  ...cases('rbac.authorization.k8s.io/v1', 'RoleBinding', {
    'no subjects': { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' }, subjects: [] },
  }),
  ...cases('networking.k8s.io/v1', 'NetworkPolicy', {
    'empty rules': { spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}] } },
    'empty selectors': {
      spec: {
        podSelector: { matchLabels: {}, matchExpressions: [] },
        policyTypes: ['Egress'],
        egress: [{ to: [{ podSelector: {} }, { namespaceSelector: { matchLabels: { a: 'b' } } }], ports: [] }],
      },
    },
    'a port by name': {
      spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 'http', protocol: 'TCP' }] }] },
    },
  }),
  ...cases('networking.k8s.io/v1', 'IngressClass', { 'a controller': { spec: { controller: 'a.b/c' } } }),
  ...cases('coordination.k8s.io/v1', 'Lease', {
    'nothing in it': { spec: {} },
    times: {
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        acquireTime: '2024-02-20T10:00:00.000000Z',
        renewTime: '2024-02-20T10:00:00.123456+01:00',
        leaseTransitions: 0,
      },
    },
  }),
  ...cases('scheduling.k8s.io/v1', 'PriorityClass', {
    'a value of zero': { value: 0, globalDefault: false, preemptionPolicy: 'Never' },
  }),
  ...cases('apps/v1', 'ControllerRevision', {
    'any data': { revision: 0, data: { a: null, b: [1, { c: '' }], d: 1.5 } },
  }),
  ...cases('node.k8s.io/v1', 'RuntimeClass', {
    'an overhead': { handler: 'a', overhead: { podFixed: { cpu: '0.1', memory: '1024Ki' } }, scheduling: {} },
  }),
  ...cases('discovery.k8s.io/v1', 'EndpointSlice', {
    'no endpoints': { addressType: 'IPv4', endpoints: [], ports: [] },
    conditions: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.1.1'], conditions: { ready: false }, hints: {} }],
      ports: null,
    },
  }),
];
