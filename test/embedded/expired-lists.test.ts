import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { GoneError } from '../../src/client/api-error.js';
import type { ListOptions } from '../../src/client/cluster.js';
import { listAll } from '../../src/client/list-all.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';

const namespace = 'default';
const write = { fieldManager: 'test' };

/** A server with three objects that forgets what was soon, and what makes it forget. */
async function forgetful() {
  const cluster = new EmbeddedServer({ controllers: false, historyLimit: 10 }).cluster();
  const create = (name: string) =>
    cluster.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } }, write);
  for (const name of ['a', 'b', 'c']) await create(name);
  const forget = async () => {
    for (let count = 0; count < 20; count++) await create(`z-${count}`);
    await cluster.delete(ConfigMap, { namespace, name: 'b' });
  };
  return { cluster, forget };
}

it('the rest of a list that is not kept is offered as it is now, as by the real server', async () => {
  const { cluster, forget } = await forgetful();
  const page = (token: string | undefined) => cluster.list(ConfigMap, { namespace, limit: 1, continue: token! });
  const { continue: token } = await cluster.list(ConfigMap, { namespace, limit: 1 });
  await forget();
  const error = (await page(token).catch((thrown: unknown) => thrown)) as GoneError;
  expect(error).toBeInstanceOf(GoneError);
  expect(error.message).toContain('or use the continue token in this response to retrieve the remainder');
  const { items, continue: more } = await page(error.status?.metadata?.continue);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['c']);
  expect((await page(more)).items.map(({ metadata }) => metadata.name)).toEqual(['z-0']);
});

it('a list that may be mixed is read to its end though the server forgets in its midst', async () => {
  const { cluster, forget } = await forgetful();
  const asked: (string | undefined)[] = [];
  const names: string[] = [];
  const pages = {
    async list(kind: typeof ConfigMap, options: ListOptions) {
      asked.push(options.continue);
      if (asked.length === 2) await forget();
      return cluster.list(kind, { ...options, limit: 2 });
    },
  } as never;
  await listAll(
    pages,
    ConfigMap,
    { namespace, isMixed: true },
    () =>
      ({ metadata }) =>
        names.push(metadata.name),
  );
  expect(names).toHaveLength(23);
  expect(names.slice(0, 4)).toEqual(['a', 'b', 'c', 'z-0']);
});
