import type { JsonMap } from '../operation.js';
import type { KindGrammar } from './kind-grammar.js';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
const one = (resource: string, kind: string, namespaced: boolean, ...bases: JsonMap[]): KindGrammar => ({
  resource,
  kind,
  namespaced,
  bases,
  fields: [],
});

/** Kinds that no grammar by hand describes. */
export const otherKinds: readonly KindGrammar[] = [
  one(
    'v1/resourcequotas',
    'ResourceQuota',
    true,
    { spec: { hard: { pods: '5', 'requests.cpu': '1' } } },
    { spec: { hard: { pods: '5' }, scopes: ['BestEffort'] } },
  ),
  one('v1/endpoints', 'Endpoints', true, { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }),
  one('v1/events', 'Event', true, {
    involvedObject: { kind: 'Pod', name: 'a' },
    reason: 'R',
    message: 'm',
    type: 'Normal',
  }),
  one('events.k8s.io/v1/events', 'Event', true, {
    regarding: { kind: 'Pod', name: 'a' },
    reason: 'R',
    action: 'A',
    note: 'm',
    type: 'Normal',
    eventTime: '2020-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'c',
  }),
  one('v1/podtemplates', 'PodTemplate', true, { template }),
  one('v1/replicationcontrollers', 'ReplicationController', true, { spec: { selector: { app: 'web' }, template } }),
  one(
    'v1/persistentvolumes',
    'PersistentVolume',
    false,
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'example.com', volumeHandle: 'h' },
      },
    },
  ),
  one(
    'v1/nodes',
    'Node',
    false,
    {},
    { spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  ),
  one('apps/v1/controllerrevisions', 'ControllerRevision', true, { revision: 1, data: { a: 1 } }),
  one('discovery.k8s.io/v1/endpointslices', 'EndpointSlice', true, {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'] }],
    ports: [{ port: 80 }],
  }),
  one('networking.k8s.io/v1/ingressclasses', 'IngressClass', false, { spec: { controller: 'example.com/a' } }),
  one('node.k8s.io/v1/runtimeclasses', 'RuntimeClass', false, { handler: 'h' }),
  one(
    'storage.k8s.io/v1/storageclasses',
    'StorageClass',
    false,
    { provisioner: 'example.com/p' },
    {
      provisioner: 'example.com/p',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      parameters: { a: 'b' },
    },
  ),
  one('storage.k8s.io/v1/csidrivers', 'CSIDriver', false, { spec: {} }),
];

const rule = { apiGroups: ['nowhere.example.com'], apiVersions: ['v1'], resources: ['foos'], operations: ['CREATE'] };
const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [rule],
};

const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };

/** Kinds that would meddle with what others do, were they really made. */
export const dryKinds: readonly KindGrammar[] = [
  one('admissionregistration.k8s.io/v1/validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', false, {
    webhooks: [webhook],
  }),
  one('admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', false, {
    webhooks: [webhook],
  }),
  one('admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', false, {
    spec: { policyName: 'a', validationActions: ['Deny'] },
  }),
  {
    ...one('apiextensions.k8s.io/v1/customresourcedefinitions', 'CustomResourceDefinition', false, {
      spec: {
        group: 'typed.example.com',
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    }),
    names: ['things.typed.example.com'],
  },
];
