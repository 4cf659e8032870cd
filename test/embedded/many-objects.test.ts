import { setMaxListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';

const write = { fieldManager: 'test' };
const mapOf = (name: string, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { part: name.slice(-1) } },
});

describe('a cluster with 10,000 objects and 200 watches', () => {
  const server = new EmbeddedServer({ controllers: false });
  const cluster = server.cluster();
  beforeAll(async () => {
    for (let index = 0; index < 10_000; index++) {
      await cluster.create(ConfigMap, mapOf(`map-${String(index).padStart(5, '0')}`), write);
    }
  });
  afterAll(() => server.stop());

  it('lists them all, whole, in pages and by labels', async () => {
    expect((await cluster.list(ConfigMap, { namespace: 'default' })).items).toHaveLength(10_000);
    expect((await cluster.list(ConfigMap, { labelSelector: 'part=7' })).items).toHaveLength(1000);
    const names = new Set<string>();
    let next: string | undefined;
    do {
      const page = await cluster.list(ConfigMap, { limit: 500, ...(next === undefined ? {} : { continue: next }) });
      for (const { metadata } of page.items) names.add(metadata.name);
      next = page.continue;
    } while (next);
    expect(names.size).toBe(10_000);
  });

  it('tells every change to each watch, in the order in which they happened', async () => {
    const stop = new AbortController();
    // Each watch is a listener, and Node takes more than ten for a leak.
    setMaxListeners(0, stop.signal);
    const { resourceVersion } = await cluster.list(ConfigMap, { limit: 1 });
    const follow = async () => {
      const told: string[] = [];
      for await (const event of cluster.watch(ConfigMap, { resourceVersion, signal: stop.signal })) {
        if (event.type === 'BOOKMARK') continue;
        told.push(`${event.type} ${event.object.metadata.name}`);
        if (told.length === 150) break;
      }
      return told;
    };
    const following = Array.from({ length: 200 }, follow);
    const names = Array.from({ length: 50 }, (_, index) => `new-${index}`);
    for (const name of names) await cluster.create(ConfigMap, mapOf(name), write);
    for (const name of names) {
      await cluster.patch(
        ConfigMap,
        { namespace: 'default', name },
        { type: 'merge', body: { data: { a: 'b' } } },
        write,
      );
    }
    for (const name of names) await cluster.delete(ConfigMap, { namespace: 'default', name });
    const expected = ['ADDED', 'MODIFIED', 'DELETED'].flatMap((type) => names.map((name) => `${type} ${name}`));
    for (const told of await Promise.all(following)) expect(told).toEqual(expected);
    stop.abort();
  });
});
