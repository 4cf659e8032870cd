import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { Memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/index.js';
import type { Connection } from '../../src/typed-client/index.js';
import { packageRoot } from '../cluster/package-root.js';
import { scaleIdleCaches } from './scale-idle-caches.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

it('the page about the client shows a program that is compiled, to the letter', () => {
  const [block = ''] = [...read('docs/client.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(block).toBe(
    read('test/docs/scale-idle-caches.ts')
      .replace("'../../imports/k8s.js'", "'kilter/imports/k8s'")
      .replace("'../../src/operators/memcached.js'", "'./memcached.js'")
      .replace("'../../src/typed-client/index.js'", "'kilter/client'"),
  );
});

it('that program does what it says', async () => {
  const cluster = await startCluster();
  await cluster.install(Memcached.crd());
  for (const [name, size] of Object.entries({ busy: 3, idle: 3, small: 1 })) {
    await cluster.apply({ apiVersion: Memcached.apiVersion, kind: 'Memcached', metadata: { name }, spec: { size } });
  }
  const connection = Object.assign(cluster.server.cluster(), { namespace: 'default', close: async () => {} });
  await scaleIdleCaches(connection satisfies Connection, (name) => name !== 'busy');

  const sizes = (await cluster.list(Memcached)).map(({ metadata, spec }) => [metadata.name, spec.size]);
  expect(sizes).toEqual([
    ['busy', 3],
    ['idle', 1],
    ['small', 1],
  ]);
  expect((await cluster.get(ConfigMap, 'idle-caches')).data).toEqual({ names: 'idle' });
  await cluster.stop();
});
