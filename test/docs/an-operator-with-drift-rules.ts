import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';

const Web = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({ replicas: s.int32({ default: 3 }) }),
});

export const web = operator(Web, {
  owns: [Deployment, ConfigMap],
  drift: {
    mode: 'enforce',
    strict: false,
    rules: [
      { kind: Deployment, field: 'spec.replicas', mode: 'ignore' },
      { kind: Deployment, field: 'spec.template.spec.containers', strict: true },
      { kind: ConfigMap, field: 'data', mode: 'report' },
    ],
    sensitive: [{ kind: Deployment, field: 'spec.template.spec.containers[*].env' }],
  },
  compose(scope, { spec: { replicas } }) {
    const labels = { app: 'web' };
    new Deployment(scope, 'server', {
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
      },
    });
    new ConfigMap(scope, 'settings', { data: { greeting: 'hello' } });
  },
});
