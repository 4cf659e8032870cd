import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ForbiddenError } from '../../src/client/api-error.js';
import type { Cluster, Patch } from '../../src/client/cluster.js';
import { namespaceKind } from '../../src/kube/consent.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { type Log, silentLog } from '../../src/runtime/telemetry/log.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { LineLog, type LogLine } from '../../src/testing/line-log.js';
import { type BundleHolder, CaBundle } from '../../src/webhooks/ca-bundle.js';

/** In place of a definition, which on this server has no webhooks: what is said stands in an annotation. */
const holder: BundleHolder = {
  resource: namespaceKind,
  name: 'held',
  missing: ({ metadata: { annotations = {} } }, { ca }) =>
    annotations['ca'] === ca ? undefined : { type: 'merge', body: { metadata: { annotations: { ca } } } },
};

describe('what the API server verifies webhooks by', () => {
  let cluster: TestCluster;
  let server: Cluster;
  let abort: AbortController;
  beforeEach(async () => {
    abort = new AbortController();
    cluster = await startCluster();
    server = cluster.server.cluster();
    const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'held' } };
    await server.create(namespaceKind, manifest, { fieldManager: 'a-person' });
  });
  afterEach(async () => {
    abort.abort(new Error('the test is over'));
    await cluster.stop();
  });

  /** A replica that serves `ca`, and what it finds when it looks which one counts by now. */
  const replica = async (
    ca: string,
    kept: () => string = () => ca,
    server: Cluster = cluster.server.cluster(),
    held: BundleHolder = holder,
    log: Log = silentLog,
  ) => {
    const { clock } = cluster;
    const renew = async () => {
      await bundle.change({ ca: kept(), url: undefined });
    };
    const following = { cluster: server, clock, random: () => 0, log, fieldManager: ca, renew };
    const bundle: CaBundle = new CaBundle(held, { ca, url: undefined }, following);
    void bundle.run(abort.signal);
    const told = bundle.told();
    await cluster.advance(1);
    await told;
    return bundle;
  };
  const held = async () => (await server.get(namespaceKind, { name: 'held' })).metadata;
  const writesWithin = async (seconds: number) => {
    const before = Number((await held()).resourceVersion);
    await cluster.advance(seconds);
    return Number((await held()).resourceVersion) - before;
  };

  it('is told again when somebody takes it away', async () => {
    await replica('one');
    expect((await held()).annotations).toEqual({ ca: 'one' });
    const body = { metadata: { annotations: { ca: null } } };
    await server.patch(namespaceKind, { name: 'held' }, { type: 'merge', body }, { fieldManager: 'a-person' });
    await cluster.advance(2);
    expect((await held()).annotations).toEqual({ ca: 'one' });
  });

  it('is told again at once where it was in peace for long, however often it was taken away before', async () => {
    await replica('one');
    const body = { metadata: { annotations: { ca: null } } };
    const takeAway = () =>
      server.patch(namespaceKind, { name: 'held' }, { type: 'merge', body }, { fieldManager: 'a-person' });
    for (let times = 0; times < 8; times++) {
      await takeAway();
      await cluster.advance(60);
    }
    await takeAway();
    await cluster.advance(5);
    expect((await held()).annotations).toBeUndefined();
    await cluster.advance(360);
    expect((await held()).annotations).toEqual({ ca: 'one' });
    await takeAway();
    await cluster.advance(2);
    expect((await held()).annotations).toEqual({ ca: 'one' });
  });

  it('is what all replicas have, once each has looked which one that is', async () => {
    let kept = 'old';
    await replica('old', () => kept);
    kept = 'new';
    await replica('new', () => kept);
    expect(await writesWithin(60)).toBeLessThanOrEqual(2);
    expect((await held()).annotations).toEqual({ ca: 'new' });
    expect(await writesWithin(3600)).toBe(0);
  });

  it('is told each five seconds while it cannot be, of which is told once, and when it could be', async () => {
    const lines: LogLine[] = [];
    let isRefused = true;
    const refusing: Cluster = {
      ...server,
      watch: (resource, options) => server.watch(resource, options),
      list: (resource, options) => server.list(resource, options),
      patch: async (resource, target, patch, options) => {
        if (isRefused) throw new ForbiddenError('Namespace/held patch failed: forbidden');
        return server.patch(resource, target, patch, options);
      },
    };
    await replica('one', undefined, refusing, holder, new LineLog(lines, cluster.clock));
    await cluster.advance(24 * 60 * 60);
    isRefused = false;
    await cluster.advance(5);
    expect((await held()).annotations).toEqual({ ca: 'one' });
    expect(lines.filter(({ level }) => level !== 'debug').map(({ message }) => message)).toEqual([
      'Failed to tell the API server how to verify webhooks',
      'Told the API server how to verify webhooks',
    ]);
  });

  it('is looked at again and again where nobody can say whether it is needed, of which is told once', async () => {
    const lines: LogLine[] = [];
    const say = (ca: string | null): Patch => ({ type: 'merge', body: { metadata: { annotations: { ca } } } });
    await server.patch(namespaceKind, { name: 'held' }, say('one'), { fieldManager: 'who-needed-it' });
    let refusal: Error | undefined = new ForbiddenError('caches is forbidden');
    const unneeded: BundleHolder = {
      ...holder,
      missing: () => undefined,
      superfluous: ({ metadata }) => (metadata.annotations?.['ca'] === undefined ? undefined : say(null)),
      async isFree() {
        if (refusal) throw refusal;
        return true;
      },
    };
    await replica('one', undefined, undefined, unneeded, new LineLog(lines, cluster.clock));
    await cluster.advance(24 * 60 * 60);
    refusal = undefined;
    await cluster.advance(600);
    expect((await held()).annotations).toBeUndefined();
    expect(lines.filter(({ level }) => level !== 'debug').map(({ message }) => message)).toEqual([
      'Failed to see whether anything needs webhooks',
      'Took back how to verify webhooks',
    ]);
  });

  it('is taken back once nothing needs it any more, for which it is looked again', async () => {
    const say = (ca: string | null): Patch => ({ type: 'merge', body: { metadata: { annotations: { ca } } } });
    await server.patch(namespaceKind, { name: 'held' }, say('one'), { fieldManager: 'who-needed-it' });
    let isFree = false;
    const unneeded: BundleHolder = {
      ...holder,
      missing: () => undefined,
      superfluous: ({ metadata }) => (metadata.annotations?.['ca'] === undefined ? undefined : say(null)),
      isFree: async () => isFree,
    };
    await replica('one', undefined, undefined, unneeded);
    expect(await writesWithin(3600)).toBe(0);
    expect((await held()).annotations).toEqual({ ca: 'one' });
    isFree = true;
    await cluster.advance(600);
    expect((await held()).annotations).toBeUndefined();
  });

  it('is not taken back by what was found before somebody came to need it', async () => {
    const say = (ca: string | null): Patch => ({ type: 'merge', body: { metadata: { annotations: { ca } } } });
    await server.patch(namespaceKind, { name: 'held' }, say('one'), { fieldManager: 'who-needed-it' });
    const isNeeded = ({ metadata }: KubeObject) => metadata.labels?.['needed'] !== undefined;
    let answer = (_isFree: boolean) => {};
    const unneeded: BundleHolder = {
      ...holder,
      missing: (object, connection) => (isNeeded(object) ? holder.missing(object, connection) : undefined),
      superfluous: (object) =>
        isNeeded(object) || object.metadata.annotations?.['ca'] === undefined ? undefined : say(null),
      isFree: () => new Promise((resolve) => (answer = resolve)),
    };
    const telling = replica('one', undefined, undefined, unneeded);
    await cluster.advance(1);
    const body = { metadata: { labels: { needed: 'yes' } } };
    await server.patch(namespaceKind, { name: 'held' }, { type: 'merge', body }, { fieldManager: 'a-person' });
    await cluster.advance(1);
    const writes = writesWithin(0.1);
    answer(true);
    expect(await writes).toBe(0);
    await telling;
    expect((await held()).annotations).toEqual({ ca: 'one' });
  });

  it('is the latest where an earlier one is on its way still', async () => {
    let arrive = () => {};
    const slow = new Promise<void>((resolve) => (arrive = resolve));
    const patch: Cluster['patch'] = async (...call) => {
      if (JSON.stringify(call[2]).includes('old')) await slow;
      return server.patch(...call);
    };
    const congested = new Proxy(server, {
      get: (target, name: keyof Cluster) => (name === 'patch' ? patch : target[name].bind(target)),
    });
    const { clock } = cluster;
    const following = { clock, random: () => 0, log: silentLog, fieldManager: 'one', renew: async () => {} };
    const bundle = new CaBundle(holder, { ca: 'old', url: undefined }, { ...following, cluster: congested });
    void bundle.run(abort.signal);
    const told = bundle.told();
    await cluster.advance(1);
    const changed = bundle.change({ ca: 'new', url: undefined });
    await cluster.advance(0.1);
    arrive();
    expect(await changed).toBe(true);
    await told;
    expect((await held()).annotations).toEqual({ ca: 'new' });
  });

  it('is not said to be another before the API server was told', async () => {
    let isRefused = false;
    const patch: Cluster['patch'] = (...call) =>
      isRefused ? Promise.reject(new Error('refused by a policy')) : server.patch(...call);
    const moody = new Proxy(server, {
      get: (target, name: keyof Cluster) => (name === 'patch' ? patch : target[name].bind(target)),
    });
    const bundle = await replica('old', undefined, moody);
    isRefused = true;
    expect(await bundle.change({ ca: 'new', url: undefined })).toBe(false);
    expect((await held()).annotations).toEqual({ ca: 'old' });
    isRefused = false;
    await cluster.advance(6);
    expect((await held()).annotations).toEqual({ ca: 'new' });
    expect(await bundle.change({ ca: 'new', url: undefined })).toBe(true);
  });

  it('changes less and less often where replicas never agree', async () => {
    await replica('one');
    await replica('two');
    // Each of them waits half a minute to a minute.
    expect(await writesWithin(3600)).toBeLessThan(250);
  });
});
