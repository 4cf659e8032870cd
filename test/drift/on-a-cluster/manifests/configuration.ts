/** A table of the kinds that hold settings, and the ways in which people write them. */
import {
  ConfigMap,
  HorizontalPodAutoscaler,
  Lease,
  LimitRange,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from '../../../../imports/k8s.js';
import { casesOf, type ManifestCase } from './manifest-case.js';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

export const configuration: readonly ManifestCase[] = [
  ...casesOf(ConfigMap, {
    'with text': { data: { a: '1', b: 'two', 'c.yaml': 'a: 1\nb: 2\n' } },
    'without data': {},
    'with empty data': { data: {}, binaryData: {} },
    'with empty values and unicode': {
      data: { empty: '', snow: '☃ 𝔘 grüße', separators: '\u2028\u0085', spaces: '  \n' },
    },
    'with names that JavaScript knows': {
      data: { constructor: 'x', toString: 'y', hasOwnProperty: 'z', __proto__x: 'w' },
    },
    'with names that are numbers': { data: { '1': 'one', '0': 'zero', '10': 'ten', 'a.b': 'x', 'a-b': 'y', a_b: 'z' } },
    'with bytes': { binaryData: { zero: 'AA==', empty: '', text: base64('grüße') } },
    'that cannot be changed': { data: { a: 'b' }, immutable: true },
    'that can be changed': { data: { a: 'b' }, immutable: false },
    'with empty metadata': { metadata: { labels: {}, annotations: {}, finalizers: [] }, data: { a: 'b' } },
    'with many labels and annotations': {
      metadata: {
        labels: { 'example.com/a.b_c-d': '', team: 'x', 'app.kubernetes.io/name': 'mine' },
        annotations: { 'example.com/json': '{"a":[1,2]}', snow: '☃', empty: '', 'a/b': 'x'.repeat(5000) },
      },
      data: { a: 'b' },
    },
    'with finalizers': { metadata: { finalizers: [] }, data: { key: 'value' } },
    'with a long name': { metadata: { name: `long-${'x'.repeat(240)}` }, data: { a: 'b' } },
    'with a name of its own': { metadata: { name: 'by.its-own.name' }, data: { a: 'b' } },
    'with a large value': { data: { large: 'x'.repeat(300_000) } },
    'with data that is null': { data: { a: null, b: 'x' }, binaryData: null },
  }),
  ...casesOf(Secret, {
    'with text': { stringData: { password: 'geheim ☃', empty: '' } },
    'with bytes': { data: { a: base64('x'), empty: '' } },
    'with both, of one key': { data: { a: base64('overruled'), b: base64('y') }, stringData: { a: 'rules' } },
    'with bytes in lines': {
      data: { a: `${base64('x'.repeat(60)).slice(0, 40)}\n${base64('x'.repeat(60)).slice(40)}` },
    },
    'of its type': { type: 'kubernetes.io/basic-auth', stringData: { username: 'u', password: 'p' } },
    'with a type that is empty': { type: '', stringData: { a: 'b' } },
    'without data': { data: {}, stringData: {} },
    'that cannot be changed': { stringData: { a: 'b' }, immutable: true },
    'with nulls': { data: null, stringData: { a: 'b', c: null }, type: null },
  }),
  ...casesOf(ServiceAccount, {
    'with nothing': {},
    'with nothing mounted': { automountServiceAccountToken: false },
    'with secrets': { secrets: [{ name: 'b' }, { name: 'a' }], imagePullSecrets: [{ name: 'r' }] },
    'with empty lists': { secrets: [], imagePullSecrets: [] },
  }),
  ...casesOf(HorizontalPodAutoscaler, {
    'with nothing but a maximum': { spec: { scaleTargetRef, maxReplicas: 3 } },
    'with metrics of all kinds': {
      spec: {
        scaleTargetRef,
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
          { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '2048Mi' } } },
          {
            type: 'Pods',
            pods: { metric: { name: 'rps', selector: {} }, target: { type: 'AverageValue', averageValue: '1000m' } },
          },
          {
            type: 'External',
            external: { metric: { name: 'q' }, target: { type: 'Value', value: 1e3 } },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
              metric: { name: 'm' },
              target: { type: 'Value', value: '0.1' },
            },
          },
        ],
      },
    },
    'with a behaviour': {
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [],
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
          scaleUp: {},
        },
      },
    },
    'with half a behaviour': {
      spec: { scaleTargetRef, maxReplicas: 3, behavior: { scaleDown: { selectPolicy: 'Disabled' } } },
    },
  }),
  ...casesOf(PodDisruptionBudget, {
    'in per cent': { spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } } },
    'in Pods': { spec: { maxUnavailable: 0, selector: {} } },
    'with expressions': {
      spec: {
        maxUnavailable: 1,
        selector: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['z', 'b'] }] },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    },
    'without a selector': { spec: { minAvailable: 1 } },
  }),
  ...casesOf(PersistentVolumeClaim, {
    'with a size': { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } } },
    'with a size as a number': {
      spec: { accessModes: ['ReadWriteMany', 'ReadOnlyMany'], resources: { requests: { storage: 1073741824 } } },
    },
    'without a class': {
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '0.5Ti' } } },
    },
    'of a volume': {
      spec: {
        accessModes: ['ReadWriteOnce'],
        volumeName: 'v',
        volumeMode: 'Block',
        selector: { matchLabels: { a: 'b' } },
        resources: { requests: { storage: '1e9' }, limits: {} },
      },
    },
    'from a snapshot': {
      spec: {
        accessModes: ['ReadWriteOnce'],
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
        resources: { requests: { storage: '1Gi' } },
      },
    },
  }),
  ...casesOf(Lease, {
    'with times': {
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: '2026-01-01T00:00:00.000000Z',
        leaseTransitions: 0,
      },
    },
    'with fractions of seconds': {
      spec: { acquireTime: '2026-01-01T00:00:00.100000Z', renewTime: '2026-01-01T01:00:00.000000+01:00' },
    },
    'with nothing': { spec: {} },
  }),
  ...casesOf(LimitRange, {
    'in every spelling': {
      spec: {
        limits: [
          {
            type: 'Container',
            default: { cpu: '1000m', memory: '2048Mi' },
            defaultRequest: { cpu: 0.1, memory: '2e6' },
            max: { cpu: 8 },
            min: { memory: '1048576' },
          },
          { type: 'Pod', maxLimitRequestRatio: { cpu: '10000m' } },
          { type: 'PersistentVolumeClaim', max: { storage: '1024Gi' }, min: {} },
        ],
      },
    },
  }),
  ...casesOf(ResourceQuota, {
    'in every spelling': {
      spec: {
        hard: { configmaps: '1e3', 'requests.storage': '1024Gi', 'count/deployments.apps': 100, services: '1000' },
      },
    },
    'with scopes': {
      spec: {
        hard: { pods: '1000' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['none', 'low'] }] },
      },
    },
    'of nothing': { spec: { hard: {} } },
  }),
];
