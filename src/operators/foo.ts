import { Deployment } from '../../imports/k8s.js';
import { customResource, labelSelector, labelValue, operator, s } from '../index.js';

export const Foo = customResource({
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'Foo',
  categories: ['kilter'],
  description: 'Foo runs nginx in a Deployment whose name it chooses.',
  spec: s.object({
    deploymentName: s.string({
      minLength: 1,
      maxLength: 242,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
      description: 'Name of the Deployment. One that somebody else made is left alone.',
    }),
    replicas: s.int32({ minimum: 1, maximum: 10, default: 1, description: 'How many pods run.' }),
  }),
  status: s.object({
    availableReplicas: s.int32({ description: 'How many pods are available.' }),
    selector: s.string({ optional: true, description: 'Which pods these are, as an autoscaler asks for it.' }),
  }),
  columns: { Deployment: '.spec.deploymentName', Available: '.status.availableReplicas' },
  scale: { replicas: '.spec.replicas', statusReplicas: '.status.availableReplicas', selector: '.status.selector' },
});

export const foo = operator(Foo, {
  owns: [Deployment],
  compose(scope, cr) {
    const labels = { 'samplecontroller.k8s.io/name': labelValue(cr.metadata.name) };
    const server = new Deployment(scope, 'server', {
      metadata: { name: cr.spec.deploymentName },
      spec: {
        replicas: cr.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'nginx', image: 'nginx:1.29-alpine' }] },
        },
      },
    });
    return { server };
  },
  status({ server }) {
    return {
      availableReplicas: server?.status?.availableReplicas ?? 0,
      selector: labelSelector(server?.spec?.selector.matchLabels),
    };
  },
});
