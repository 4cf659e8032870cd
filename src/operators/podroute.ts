import { Deployment, Service } from '../../imports/k8s.js';
import { Route, type RouteStatusIngress } from '../../imports/route.js';
import { customResource, labelSelector, labelValue, operator, optional, s } from '../index.js';

export const Podroute = customResource({
  group: 'quay.io',
  version: 'v1alpha1',
  kind: 'Podroute',
  categories: ['kilter'],
  description: 'Podroute runs an image and makes it reachable from outside the cluster by an OpenShift Route.',
  spec: s.object({
    image: s.string({ pattern: '^[!-~]+$', description: 'Image that every pod runs. It listens on port 8080.' }),
    replicas: s.int32({ minimum: 0, default: 1, description: 'How many pods run.' }),
  }),
  status: s.object({
    url: s.string({ optional: true, description: 'Where it is reachable, once a router has let the Route in.' }),
    readyReplicas: s.int32({ description: 'How many pods are ready.' }),
    selector: s.string({ optional: true, description: 'Which pods these are, as an autoscaler asks for it.' }),
  }),
  columns: { Replicas: '.spec.replicas', URL: '.status.url' },
  scale: { replicas: '.spec.replicas', statusReplicas: '.status.readyReplicas', selector: '.status.selector' },
});

export const podroute = operator(Podroute, {
  owns: [Deployment, Service, optional(Route)],
  compose(scope, { metadata, spec: { image, replicas } }) {
    const labels = { app: 'PodRoute', podroute_cr: labelValue(metadata.name), tier: 'backend-podroute' };
    const server = new Deployment(scope, 'server', {
      metadata: { labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'podroute-pod',
                image,
                imagePullPolicy: 'Always',
                ports: [{ name: 'podroute', containerPort: 8080 }],
              },
            ],
          },
        },
      },
    });
    const service = new Service(scope, 'service', {
      metadata: { labels },
      spec: { selector: labels, ports: [{ name: 'podroute', port: 8080, targetPort: 8080 }] },
    });
    const route = new Route(scope, 'route', {
      metadata: { labels },
      spec: { to: { kind: 'Service', name: service.name }, port: { targetPort: 'podroute' } },
    });
    return { server, route };
  },
  status({ server, route }) {
    // A router that refuses a host, which somebody else may have claimed before, names it all the same.
    const host = route?.status?.ingress?.find((ingress) => ingress.host && !isRefused(ingress))?.host;
    // Whoever puts a certificate to it, which is left alone, is not served without.
    const scheme = route?.spec?.tls ? 'https' : 'http';
    return {
      url: host && `${scheme}://${host}`,
      readyReplicas: server?.status?.readyReplicas ?? 0,
      selector: labelSelector(server?.spec?.selector.matchLabels),
    };
  },
});

function isRefused({ conditions = [] }: RouteStatusIngress): boolean {
  return conditions.some(({ type, status }) => type === 'Admitted' && status === 'False');
}
