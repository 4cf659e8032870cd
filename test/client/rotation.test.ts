import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { inClusterConfig } from '../../src/client/in-cluster-config.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { issued } from '../../src/tls/issued.js';
import { eventually } from '../cluster/eventually.js';
import { json, ScriptedServer } from './scripted-server.js';

const place = { namespace: 'default', name: 'a' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...place, resourceVersion: '7', uid: 'a' } };
const pairOf = (authority: string, now = Date.now()) =>
  issued({ authority, subject: 'b', names: ['127.0.0.1'], now, validMilliseconds: 3_600_000 });

it.each([
  ['a client is closed', (cluster: HttpCluster) => cluster.close(), 'ConfigMap/default/a create failed'],
  [
    'the Lease is lost',
    async (cluster: HttpCluster) => cluster.fence(new Error('the Lease is lost')),
    'the Lease is lost',
  ],
])(
  'when %s no call goes on, also on connections that another authority has taken the place of',
  async (_, end, words) => {
    const server = await ScriptedServer.start();
    const closed: Promise<unknown>[] = [];
    server.answers((response) => void closed.push(once(response, 'close')), json(object));
    let tls = {};
    const cluster = connect({ ...server.config, tls: async () => tls }, { clock: new VirtualClock() });
    const writing = expect(cluster.create(ConfigMap, object, { fieldManager: 'test' })).rejects.toThrow(words);
    await eventually(() => expect(closed).toHaveLength(1));
    tls = {};
    await cluster.get(ConfigMap, place);
    await end(cluster);
    await Promise.all([writing, ...closed]);
    await cluster.close();
    await server.stop();
  },
);

describe('a Pod, on its connections', () => {
  let folder: string;
  let server: Server;
  /** The token that the server takes, and those that it was shown. */
  let taken: string;
  let shown: string[];
  let clock: VirtualClock;
  let cluster: HttpCluster;
  /** As a kubelet replaces a file. */
  const replace = (name: string, content: string) => {
    writeFileSync(join(folder, 'anew'), content);
    renameSync(join(folder, 'anew'), join(folder, name));
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-rotation-'));
    [taken, shown] = ['first', []];
    const pair = pairOf('one');
    server = createServer(pair, ({ url = '', headers: { authorization = '' } }, response) => {
      shown.push(authorization);
      if (authorization !== `Bearer ${taken}`) response.writeHead(401).end();
      else if (url.includes('watch=true')) response.end(`${JSON.stringify({ type: 'ADDED', object })}\n`);
      else response.end(JSON.stringify(object));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    replace('token', taken);
    replace('ca.crt', pair.ca);
    replace('namespace', 'default');
    clock = new VirtualClock();
    const port = String((server.address() as AddressInfo).port);
    cluster = connect(await inClusterConfig({ host: '127.0.0.1', port, folder, clock }), { clock, random: () => 0 });
  });
  afterEach(async () => {
    await cluster.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  });
  const get = async () => (await cluster.get(ConfigMap, place)).metadata.name;
  const create = () => cluster.create(ConfigMap, object, { fieldManager: 'test' });

  it('says what to look at where the certificate of the server is of another authority', async () => {
    server.setSecureContext(pairOf('another'));
    await expect(create()).rejects.toMatchObject({ hint: expect.stringContaining('of another authority than ca.crt') });
  });

  it('says what to look at where the server is reached by a name that its certificate does not have', async () => {
    const other = issued({
      authority: 'one',
      subject: 'b',
      names: ['b'],
      now: Date.now(),
      validMilliseconds: 3_600_000,
    });
    replace('ca.crt', other.ca);
    await clock.advance(120_000);
    server.setSecureContext(other);
    await expect(create()).rejects.toMatchObject({ hint: expect.stringContaining('tls-server-name') });
  });

  it('says what to look at where a clock is wrong', async () => {
    const later = pairOf('one', Date.now() + 2 * 86_400_000);
    replace('ca.crt', later.ca);
    await clock.advance(120_000);
    server.setSecureContext(later);
    await expect(create()).rejects.toMatchObject({ hint: expect.stringContaining('the clock of this machine') });
  });

  it('goes on with the token that took the place of one that is refused: reads, writes and watches', async () => {
    await get();
    replace('token', 'second');
    taken = 'second';
    const calls = [get(), get(), create(), get()];
    const events = cluster.watch(ConfigMap, { resourceVersion: '1' });
    expect((await events.next()).value).toEqual({ type: 'ADDED', object });
    await events.return(undefined);
    await Promise.all(calls);
    shown.length = 0;
    await get();
    expect(shown).toEqual(['Bearer second']);
  });

  it('goes on with the authority that took the place of another, though its connections are closed', async () => {
    await get();
    const pair = pairOf('two');
    server.setSecureContext(pair);
    replace('ca.crt', pair.ca);
    server.closeAllConnections();
    let name: string | undefined;
    const reading = get().then((found) => {
      name = found;
    });
    await eventually(async () => {
      await clock.advance(100);
      expect(name).toBe('a');
    });
    await reading;
  });

  it.each([
    ['half a certificate', (ca: string) => ca.slice(0, ca.length / 2)],
    ['none', () => 'no certificate'],
  ])('keeps the authority that it has, and its connections, while there is %s in its file', async (_, part) => {
    await get();
    const ended: unknown[] = [];
    server.on('request', ({ socket }) => socket.once('close', () => ended.push(socket)));
    const ca = readFileSync(join(folder, 'ca.crt'), 'utf8');
    replace('ca.crt', part(ca));
    for (let times = 0; times < 2; times++) {
      await clock.advance(120_000);
      await create();
    }
    replace('ca.crt', ca);
    await clock.advance(120_000);
    await get();
    expect(ended).toEqual([]);
  });

  it('says what is wrong where there is no certificate in the file of its authority from the start', async () => {
    replace('ca.crt', 'no certificate');
    await expect(create()).rejects.toMatchObject({ message: expect.stringMatching(/ca\.crt holds no certificate$/) });
  });

  it('says of a watch why it ended when another authority took the place of the one of before', async () => {
    server.removeAllListeners('request');
    server.on('request', ({ url = '' }, response) => {
      const text = url.includes('watch=true')
        ? `${JSON.stringify({ type: 'ADDED', object })}\n`
        : JSON.stringify(object);
      response.write(text);
      if (!url.includes('watch=true')) response.end();
    });
    const events = cluster.watch(ConfigMap, { resourceVersion: '1' });
    await events.next();
    replace('ca.crt', pairOf('two').ca + readFileSync(join(folder, 'ca.crt'), 'utf8'));
    await clock.advance(120_000);
    await get();
    await expect(events.next()).rejects.toThrow(
      'configmaps watch failed: its connection was given up, since other certificates took the place of those of before',
    );
  });

  it('leaves no connection open on which it trusts an authority of before', async () => {
    server.keepAliveTimeout = 0;
    await get();
    const sockets: Promise<unknown>[] = [];
    server.on('request', ({ socket }) => sockets.push(once(socket, 'close')));
    await get();
    // Another beside it, as while both are to be trusted.
    replace('ca.crt', pairOf('two').ca + readFileSync(join(folder, 'ca.crt'), 'utf8'));
    await clock.advance(120_000);
    await get();
    await sockets[0];
    expect(shown).toHaveLength(3);
  });

  it('keeps the token that took the place of one that is refused, though an older look at the file ends later', async () => {
    const { authorization } = await inClusterConfig({ host: '127.0.0.1', port: '1', folder, clock });
    await clock.advance(61_000);
    // As on a disk that is slow: a pipe has nothing to read until somebody has written to it.
    const pipe = join(folder, 'slow');
    execFileSync('mkfifo', [pipe]);
    renameSync(pipe, join(folder, 'token'));
    const older = authorization();
    const writer = await open(join(folder, 'token'), 'w');
    replace('token', 'second');
    expect(await authorization({ refused: { authorization: 'Bearer first', tls: {} } })).toBe('Bearer second');
    await writer.writeFile('first');
    await writer.close();
    expect(await older).toBe('Bearer second');
    expect(await authorization()).toBe('Bearer second');
  });
});
