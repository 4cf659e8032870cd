/** The controller of another version, which makes more of a Memcached, and something of it otherwise. */
import { Deployment, Pod, Service } from '../../../imports/k8s.js';
import { labelSelector, labelValue, many, operator } from '../../../src/index.js';
import { operators } from '../../../src/operators/all.js';
import { Memcached, memcached } from '../../../src/operators/memcached.js';
import { runOperators } from '../../../src/program/run-operators.js';

const labelsOf = ({ metadata }: { readonly metadata: { readonly name: string } }) => ({
  'memcached.cache.example.com/name': labelValue(metadata.name),
});

const next = operator(Memcached, {
  owns: [Deployment, Service],
  reads: { pods: many(Pod, (cr) => ({ labels: labelsOf(cr) })) },
  compose(scope, cr) {
    const labels = labelsOf(cr);
    const ports = [{ name: 'memcached', port: 11211 }];
    const container = { name: 'memcached', image: cr.spec.image, args: ['-m', '64'] };
    const server = new Deployment(scope, 'server', {
      spec: {
        replicas: cr.spec.size,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    new Service(scope, 'service', { spec: { clusterIP: 'None', selector: labels, ports } });
    new Service(scope, 'reader', { spec: { clusterIP: 'None', selector: labels, ports } });
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

process.exitCode = await runOperators(operators.map((each) => (each === memcached ? next : each)));
