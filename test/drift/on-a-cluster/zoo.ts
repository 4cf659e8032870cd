import {
  ConfigMap,
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  PodDisruptionBudget,
  Role,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from '../../../imports/k8s.js';
import type { DriftInput } from '../../../src/compose/operator-input.js';
import { customResource, type KubeObject, type Operator, operator, s, TypedObject } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';

/** A child of its own kind, and what others do to it. */
export interface Animal {
  readonly resource: ApiResource;
  readonly body: Readonly<Record<string, unknown>>;
  /** A merge patch that changes a value, and where. */
  readonly change: object;
  readonly field: string;
  /** A merge patch that takes something away, beside the label that all of them have. */
  readonly removal: object;
}

export const Gauge = customResource({
  group: 'zoo.example.com',
  version: 'v1',
  kind: 'Gauge',
  spec: s.object({ size: s.int32(), names: s.map(s.string()), tags: s.set(s.string()) }),
});

const labels = { app: 'zoo' };
const selector = { matchLabels: labels };
const template = {
  metadata: { labels },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'nginx:1',
        ports: [{ containerPort: 80 }, { containerPort: 81 }],
        env: [{ name: 'A', value: '1' }],
      },
    ],
  },
};
const withoutPorts = (path: (spec: object) => object) =>
  path({ containers: [{ name: 'web', image: 'nginx:1', env: [{ name: 'A', value: '1' }] }] });
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };

export const animals: readonly Animal[] = [
  {
    resource: Deployment,
    body: { spec: { replicas: 2, selector, template } },
    change: { spec: { replicas: 9 } },
    field: 'spec.replicas',
    removal: withoutPorts((spec) => ({ spec: { template: { spec } } })),
  },
  {
    resource: StatefulSet,
    body: { spec: { replicas: 2, serviceName: 'none', selector, template } },
    change: { spec: { replicas: 9 } },
    field: 'spec.replicas',
    removal: withoutPorts((spec) => ({ spec: { template: { spec } } })),
  },
  {
    resource: DaemonSet,
    body: { spec: { minReadySeconds: 3, selector, template } },
    change: { spec: { minReadySeconds: 9 } },
    field: 'spec.minReadySeconds',
    removal: withoutPorts((spec) => ({ spec: { template: { spec } } })),
  },
  {
    resource: CronJob,
    body: {
      spec: {
        schedule: '0 0 * * *',
        suspend: true,
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
    change: { spec: { schedule: '1 1 * * *' } },
    field: 'spec.schedule',
    removal: withoutPorts((spec) => ({ spec: { jobTemplate: { spec: { template: { spec } } } } })),
  },
  {
    resource: Service,
    body: {
      spec: {
        selector: labels,
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    },
    change: { spec: { selector: { app: 'theirs' } } },
    field: 'spec.selector',
    removal: { spec: { ports: [{ name: 'a', port: 80 }] } },
  },
  {
    resource: ConfigMap,
    body: { data: { a: '1', b: '2' } },
    change: { data: { a: 'x' } },
    field: 'data.a',
    removal: { data: { b: null } },
  },
  {
    resource: Secret,
    body: { stringData: { a: 'geheim', b: 'geheim' } },
    change: { data: { a: 'dGhlaXJz' } },
    field: 'data.a',
    removal: { data: { b: null } },
  },
  {
    resource: ServiceAccount,
    body: { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'a' }] },
    change: { automountServiceAccountToken: true },
    field: 'automountServiceAccountToken',
    removal: { imagePullSecrets: null },
  },
  {
    resource: Role,
    body: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    change: { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }] },
    field: 'rules',
    removal: { rules: null },
  },
  {
    resource: Ingress,
    body: { spec: { ingressClassName: 'ours', defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
    change: { spec: { ingressClassName: 'theirs' } },
    field: 'spec.ingressClassName',
    removal: { spec: { ingressClassName: null } },
  },
  {
    resource: PodDisruptionBudget,
    body: { spec: { minAvailable: 1, selector } },
    change: { spec: { minAvailable: 2 } },
    field: 'spec.minAvailable',
    removal: { spec: { minAvailable: null } },
  },
  {
    resource: HorizontalPodAutoscaler,
    body: { spec: { scaleTargetRef: target, minReplicas: 2, maxReplicas: 3 } },
    change: { spec: { maxReplicas: 9 } },
    field: 'spec.maxReplicas',
    removal: { spec: { minReplicas: null } },
  },
  {
    resource: Gauge,
    body: { spec: { size: 1, names: { a: 'x', b: 'y' }, tags: ['p', 'q'] } },
    change: { spec: { size: 9 } },
    field: 'spec.size',
    removal: { spec: { names: { b: null }, tags: ['p'] } },
  },
];

/** A custom resource that has one child of each kind, with a label that may be dropped. */
export const zooOf = (kind: string) =>
  customResource({
    group: 'zoo.example.com',
    version: 'v1',
    kind,
    spec: s.object({ label: s.string({ default: 'ours' }), edition: s.int32({ default: 0 }) }),
  });

export function zooOperator(zoo: ReturnType<typeof zooOf>, drift: DriftInput = {}): Operator {
  return operator(zoo, {
    owns: animals.map(({ resource }) => resource),
    drift,
    compose(scope, { spec: { label, edition } }) {
      const metadata = {
        ...(label === '' ? {} : { labels: { tier: label } }),
        ...(edition === 0 ? {} : { annotations: { 'zoo.example.com/edition': String(edition) } }),
      };
      for (const { resource, body } of animals) {
        new TypedObject<KubeObject>(scope, resource.kind.toLowerCase(), resource, { metadata, ...body } as never);
      }
    },
  });
}
