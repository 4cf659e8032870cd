import {
  CustomResourceDefinition,
  Namespace,
  PersistentVolume,
  PriorityClass,
  RuntimeClass,
  StorageClass,
  ValidatingAdmissionPolicy,
  ValidatingWebhookConfiguration,
} from '../../../../imports/k8s.js';
import { casesOf, type ManifestCase } from './manifest-case.js';

const definition = (plural: string, schema: object, more: object = {}) => ({
  metadata: { name: `${plural}.made.example.com` },
  spec: {
    group: 'made.example.com',
    scope: 'Namespaced',
    names: { plural, kind: plural.charAt(0).toUpperCase() + plural.slice(1) },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
  },
});

export const clusterKinds: readonly ManifestCase[] = [
  ...casesOf(PriorityClass, {
    'with a value': { value: 1000 },
    'with zeros and false': { value: 0, globalDefault: false, description: '', preemptionPolicy: null },
    'that never preempts': { value: -5, preemptionPolicy: 'Never', description: 'grüße' },
  }),
  ...casesOf(StorageClass, {
    'with a provisioner': { provisioner: 'example.com/none' },
    'with all that it can have': {
      provisioner: 'example.com/none',
      parameters: { b: '', a: '1' },
      mountOptions: ['ro', 'soft'],
      allowVolumeExpansion: false,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] }],
    },
    'with empty parameters': { provisioner: 'example.com/none', parameters: {}, mountOptions: [], reclaimPolicy: null },
  }),
  ...casesOf(PersistentVolume, {
    'on a host': {
      spec: {
        capacity: { storage: '1024Mi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/tmp', type: '' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'nobody',
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
        },
      },
    },
  }),
  ...casesOf(Namespace, { 'with nothing': {}, 'with labels': { metadata: { labels: { a: 'b' } }, spec: {} } }),
  ...casesOf(RuntimeClass, {
    'with an overhead': {
      handler: 'runc',
      overhead: { podFixed: { cpu: '1000m', memory: '2048Ki' } },
      scheduling: { nodeSelector: {}, tolerations: [{ operator: 'Exists' }] },
    },
  }),
  ...casesOf(ValidatingWebhookConfiguration, {
    'that is asked nothing': {
      webhooks: [
        {
          name: 'a.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { namespace: 'none', name: 'none' } },
          rules: [
            { apiGroups: ['none.example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['nones'] },
          ],
          objectSelector: {},
        },
      ],
    },
    'without webhooks': { webhooks: [] },
  }),
  ...casesOf(ValidatingAdmissionPolicy, {
    'that matches nothing': {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
          ],
        },
        validations: [{ expression: 'true' }, { expression: '1 == 1', message: '' }],
      },
    },
  }),
  ...casesOf(CustomResourceDefinition, {
    'of a plain kind': definition('plains', { type: 'object' }),
    'of a kind with all that a schema can have': definition(
      'schemas',
      {
        type: 'object',
        description: '',
        required: [],
        properties: {
          spec: {
            type: 'object',
            properties: {
              any: { 'x-kubernetes-preserve-unknown-fields': true, type: 'object' },
              port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
              size: {
                type: 'integer',
                format: 'int32',
                default: 0,
                minimum: 0,
                maximum: 10,
                exclusiveMaximum: false,
              },
              flag: { type: 'boolean', default: false, nullable: false },
              text: { type: 'string', default: '', enum: ['', 'a'], maxLength: 0 },
              map: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
              list: { type: 'array', items: { type: 'string' }, default: [], 'x-kubernetes-list-type': 'set' },
              maps: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['name'],
                items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              },
            },
            'x-kubernetes-validations': [{ rule: 'self.size < 9', message: 'too large' }],
          },
          status: { type: 'object' },
        },
      },
      {
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        selectableFields: [],
      },
    ),
  }),
];
