import { expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/kube/manifest.js';
import { Foo, foo } from '../../src/operators/foo.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { Podroute, podroute } from '../../src/operators/podroute.js';

it.each([
  [Memcached, memcached, { size: 1, image: 'a' }, 'memcached.cache.example.com/name=web'],
  [Podroute, podroute, { image: 'a', replicas: 1 }, 'app=PodRoute,podroute_cr=web,tier=backend-podroute'],
  [Foo, foo, { deploymentName: 'web', replicas: 1 }, 'samplecontroller.k8s.io/name=web'],
] as const)('%p tells an autoscaler which pods it has', (kind, operator, spec, selector) => {
  const { apiVersion, kind: name } = kind;
  const cr = {
    apiVersion,
    kind: name,
    metadata: { name: 'web', namespace: 'prod', uid: 'u', resourceVersion: '1' },
    spec,
  };
  const [server] = operator.composition(cr, { pods: [] }).children;
  expect(operator.status({ server: server as unknown as KubeObject }, { pods: [] }, cr)).toMatchObject({ selector });
});
