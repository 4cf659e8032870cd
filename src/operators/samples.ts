import type { Construct } from 'constructs';
import { ConfigMap, Namespace } from '../../imports/k8s.js';
import { ConfigMapSync } from './config-map-sync.js';
import { FlightTicket } from './flightticket.js';
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
  new FlightTicket(scope, 'flightticket', {
    metadata: { name: 'example-flightticket' },
    spec: { from: 'Frankfurt', to: 'Lisbon', number: 2 },
  });
  new Foo(scope, 'foo', { metadata: { name: 'example-foo' }, spec: { deploymentName: 'example-foo', replicas: 1 } });
  new Genericdaemon(scope, 'genericdaemon', {
    metadata: { name: 'syslog' },
    spec: { image: 'mbessler/syslogdocker', label: 'logs' },
  });
  addConfigMapSync(scope, 'configmapsync-sample');
}

/** A copy needs two namespaces, and the consent of the one in which the ConfigMapSync is not. */
function addConfigMapSync(scope: Construct, name: string): void {
  new Namespace(scope, 'destination', { metadata: { name, annotations: { 'kilter.dev/accept-from': 'default' } } });
  new ConfigMap(scope, 'source', { metadata: { name, namespace: 'default' }, data: { greeting: 'hello' } });
  new ConfigMapSync(scope, 'configmapsync', {
    metadata: { name, namespace: 'default' },
    spec: { sourceNamespace: 'default', destinationNamespace: name, configMapName: name },
  });
}
