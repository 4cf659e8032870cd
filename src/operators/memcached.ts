import { Deployment, Pod, Service } from '../../imports/k8s.js';
import { customResource, labelSelector, labelValue, many, operator, s } from '../index.js';

export const Memcached = customResource({
  group: 'memcached.cache.example.com',
  version: 'v1',
  kind: 'Memcached',
  shortNames: ['mc'],
  categories: ['kilter'],
  description: 'Memcached runs a number of memcached pods behind a headless Service.',
  spec: s.object({
    size: s.int32({ minimum: 0, maximum: 10, description: 'How many memcached pods run.' }),
    image: s.string({ pattern: '^[!-~]+$', default: 'memcached:1.6-alpine', description: 'Image that each pod runs.' }),
  }),
  status: s.object({
    nodes: s.array(s.string(), { description: 'Names of the pods, sorted.' }),
    readyReplicas: s.int32({ description: 'How many pods are ready.' }),
    selector: s.string({ optional: true, description: 'Which pods these are, as an autoscaler asks for it.' }),
  }),
  columns: { Size: '.spec.size', Pods: '.status.readyReplicas' },
  scale: { replicas: '.spec.size', statusReplicas: '.status.readyReplicas', selector: '.status.selector' },
});

export const memcached = operator(Memcached, {
  owns: [Deployment, Service],
  reads: {
    pods: many(Pod, (cr) => ({ labels: labelsOf(cr) })),
  },
  compose(scope, cr) {
    const labels = labelsOf(cr);
    const server = new Deployment(scope, 'server', {
      spec: {
        replicas: cr.spec.size,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              { name: 'memcached', image: cr.spec.image, ports: [{ name: 'memcached', containerPort: 11211 }] },
            ],
          },
        },
      },
    });
    new Service(scope, 'service', {
      spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'memcached', port: 11211 }] },
    });
    return { server };
  },
  status({ server }, { pods }) {
    return {
      nodes: pods.map((pod) => pod.metadata.name).sort(),
      readyReplicas: server?.status?.readyReplicas ?? 0,
      selector: labelSelector(server?.spec?.selector.matchLabels),
    };
  },
});

/** What tells the pods of one Memcached from all others. */
function labelsOf({ metadata }: { readonly metadata: { readonly name: string } }) {
  return { 'memcached.cache.example.com/name': labelValue(metadata.name) };
}
