import { expect, it } from '@jest/globals';
import type { WatchEvent } from '../../src/client/cluster.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { settled, VirtualClock } from '../../src/testing/virtual-clock.js';
import { configMaps } from '../runtime/an-object.js';

const by = { fieldManager: 'test' };

/** https://github.com/kubernetes/apiserver/blob/v0.36.3/pkg/storage/cacher/cache_watcher.go */
it('shows nothing of what is before the version from which it is watched, by bookmarks neither, and all that comes after', async () => {
  const clock = new VirtualClock();
  const server = new EmbeddedServer({ clock, controllers: false });
  const cluster = server.cluster();
  const write = (name: string) =>
    cluster.create(configMaps, { ...configMaps, metadata: { name, namespace: 'default' } }, by);
  const seen: string[] = [];
  const stop = new AbortController();
  const from = server.store.revision + 2;
  const watching = (async () => {
    const options = { resourceVersion: String(from), allowWatchBookmarks: true, signal: stop.signal };
    for await (const event of cluster.watch(configMaps, options)) seen.push(shown(event));
  })();
  await clock.advance(90_000);
  expect(seen).toEqual([]);

  for (const name of ['a', 'b', 'c']) await write(name);
  await settled();
  expect(seen).toEqual(['ADDED c']);
  await clock.advance(60_000);
  expect(seen).toEqual(['ADDED c', `BOOKMARK ${from + 1}`]);
  stop.abort(new Error('stopped'));
  await expect(watching).rejects.toThrow('stopped');
  server.stop();
});

function shown(event: WatchEvent): string {
  return `${event.type} ${event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.name}`;
}
