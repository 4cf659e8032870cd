import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Service } from '../../imports/k8s.js';
import { InvalidError, TransportError } from '../../src/client/api-error.js';
import type { CallOptions } from '../../src/client/cluster.js';
import { type ExternalOf, operator } from '../../src/index.js';
import { sleep } from '../../src/kube/clock.js';
import { conditionIn } from '../condition-in.js';
import { type Run, runOn } from './a-run.js';
import { Shelf } from './shelves.js';

const theShelf = (namespace: string, books: number, name = 'shelf') => ({
  apiVersion: Shelf.apiVersion,
  kind: Shelf.kind,
  metadata: { name, namespace },
  spec: { books },
});

/** Books before a door. */
const library = operator(Shelf, {
  owns: [ConfigMap, Service],
  compose(scope, { spec }) {
    for (let book = 0; book < spec.books; book++) new ConfigMap(scope, `book-${book}`);
    new Service(scope, 'door', { spec: { ports: [{ port: 80 }] } });
  },
});

describe('a round', () => {
  let run: Run;
  afterEach(() => run.stop());
  let isDeaf = true;
  let isPicky = false;

  /** One worker, and nobody answers who writes a child in the namespace `deaf`; elsewhere it takes `seconds`. */
  const start = async (seconds = 0, deafTo = ['ConfigMap']) => {
    [isDeaf, isPicky] = [true, false];
    const late = async (subject: string, { signal, timeoutSeconds = 30 }: CallOptions) => {
      await sleep(run.cluster.clock, timeoutSeconds * 1000, signal);
      throw new TransportError(`${subject} create failed: no answer within ${timeoutSeconds} s`);
    };
    run = await runOn(
      [library],
      (server) => ({
        create: async (resource, manifest, options) => {
          const { namespace, name } = manifest.metadata;
          if (isPicky && name.includes('book-0')) throw new InvalidError('it is refused at once');
          const isDeafTo = isDeaf && namespace === 'deaf' && deafTo.includes(resource.kind);
          if (isDeafTo) return late(`${resource.kind}/deaf/${name}`, options);
          if (resource.kind !== 'ConfigMap') return server.create(resource, manifest, options);
          await sleep(run.cluster.clock, seconds * 1000, options.signal);
          return server.create(resource, manifest, options);
        },
      }),
      { maxConcurrentReconciles: 1 },
    );
    await run.cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'deaf' } });
  };
  const books = async (namespace: string) =>
    (await run.cluster.list(ConfigMap, { namespace })).filter(({ metadata }) => metadata.name.startsWith('shelf-book'))
      .length;
  const ready = async (namespace: string) => conditionIn(await run.cluster.get(Shelf, 'shelf', { namespace }));

  it('ends when nobody answers for a minute, says so, and lets others go on', async () => {
    await start(0, ['ConfigMap', 'Service']);
    await run.cluster.apply(theShelf('deaf', 100));
    await run.cluster.apply(theShelf('default', 3));
    await run.cluster.advance(59);
    expect(await books('default')).toBe(0);
    await run.cluster.advance(1);
    expect(await books('default')).toBe(3);
    expect(await ready('deaf')).toMatchObject({
      status: 'False',
      reason: 'Timeout',
      message: expect.stringMatching(/^given up after 60 s .*ConfigMap.deaf.shelf-book-0\S* create failed: no answer/),
    });
  });

  it('gives each kind of child its turn, though nobody answers for another', async () => {
    await start();
    await run.cluster.apply(theShelf('deaf', 100));
    await run.cluster.advance(31);
    expect(await run.cluster.list(Service, { namespace: 'deaf' })).toHaveLength(1);
    expect(await ready('deaf')).toMatchObject({
      status: 'False',
      message: expect.stringMatching(/^ConfigMap.deaf.shelf-book-0\S* create failed: no answer/),
    });
    isDeaf = false;
    await run.cluster.settled();
    expect(await books('deaf')).toBe(100);
  });

  it('that ends so blames nobody who refused at once', async () => {
    await start(0, ['ConfigMap', 'Service']);
    isPicky = true;
    await run.cluster.apply(theShelf('deaf', 100));
    await run.cluster.advance(61);
    const { message } = (await ready('deaf')) ?? {};
    expect(message).toMatch(/^given up after 60 s .*ConfigMap.deaf.shelf-book-1\S* create failed: no answer/);
  });

  it('has time for what is in the cluster, however long what is outside took to go', async () => {
    const seat: ExternalOf<typeof Shelf, string> = {
      pollSeconds: 3600,
      observe: async () => 'there',
      ensure: async () => 'there',
      remove: (_, { signal }) => sleep(run.cluster.clock, 25_000, signal),
    };
    const booked = operator(Shelf, { owns: [], compose() {}, external: { first: seat, second: seat, third: seat } });
    run = await runOn([booked]);
    await run.cluster.apply(theShelf('default', 0));
    await run.cluster.settled();
    await run.cluster.delete(Shelf, 'shelf');
    await run.cluster.advance(80);
    expect(await run.cluster.find(Shelf, 'shelf')).toBeUndefined();
    expect(run.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is done in the next one, once somebody answers', async () => {
    await start();
    await run.cluster.apply(theShelf('deaf', 100));
    await run.cluster.advance(60);
    isDeaf = false;
    await run.cluster.settled();
    expect(await books('deaf')).toBe(100);
    expect((await ready('deaf'))?.status).toBe('True');
  });

  it('may take as long as it likes while it is answered', async () => {
    await start(2);
    await run.cluster.apply(theShelf('default', 100));
    await run.cluster.settled();
    expect(await books('default')).toBe(100);
    expect(run.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
