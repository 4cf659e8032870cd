import { ConfigMap } from '../../imports/k8s.js';
import { Memcached } from '../../src/operators/memcached.js';
import { type Connection, client } from '../../src/typed-client/index.js';

/** Scales caches that nobody has used to one pod, and notes which they were. */
export async function scaleIdleCaches(connection: Connection, isIdle: (name: string) => boolean): Promise<void> {
  const manager = 'idle-caches';
  const caches = client(Memcached, connection, { manager });
  const notes = client(ConfigMap, connection, { manager });

  const idle = (await caches.list()).filter(({ metadata, spec }) => spec.size > 1 && isIdle(metadata.name));
  for (const { metadata } of idle) await caches.patch(metadata.name, { spec: { size: 1 } });

  const names = idle.map(({ metadata }) => metadata.name).join(' ');
  await notes.apply({ metadata: { name: 'idle-caches' }, data: { names } });
}
