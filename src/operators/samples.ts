import type { Construct } from 'constructs';
import { Foo } from './foo.js';
import { Genericdaemon } from './genericdaemon.js';
import { Memcached } from './memcached.js';
import { Podroute } from './podroute.js';

/** One custom resource of each kind, as a person would write his first. */
export function addSamples(scope: Construct): void {
  new Memcached(scope, 'memcached', { metadata: { name: 'memcached-sample' }, spec: { size: 3 } });
  new Podroute(scope, 'podroute', {
    metadata: { name: 'example-podroute' },
    spec: { image: 'quay.io/podroute/podroute:v1', replicas: 1 },
  });
  new Foo(scope, 'foo', { metadata: { name: 'example-foo' }, spec: { deploymentName: 'example-foo', replicas: 1 } });
  new Genericdaemon(scope, 'genericdaemon', {
    metadata: { name: 'syslog' },
    spec: { image: 'mbessler/syslogdocker', label: 'logs' },
  });
}
