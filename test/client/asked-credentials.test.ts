import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { Shown } from '../../src/client/cluster-config.js';
import { type Credential, Credentials } from '../../src/client/credentials.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { settled, VirtualClock } from '../../src/testing/virtual-clock.js';
import { ScriptedServer } from './scripted-server.js';

describe('credentials', () => {
  /** Who asks, and how each of them can be answered. */
  let asked: {
    readonly known: string | undefined;
    readonly answer: (authorization: string, ca?: string) => Promise<void>;
  }[];
  let credentials: Credentials;
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock();
    asked = [];
    const ask = ({ known }: { known: Credential | undefined }) =>
      new Promise<Credential>((resolve) => {
        const answer = (authorization: string, ca = 'CA') => {
          resolve({ authorization, tls: { ca } });
          return settled();
        };
        asked.push({ known: known?.authorization, answer });
      });
    credentials = new Credentials({ subject: 'user "me"', hint: 'none', ask, clock });
  });
  const read = async (refused?: Shown) => (await credentials.read(refused)).authorization;

  it('that were refused are not those of an ask that began before, nor is what that brings kept', async () => {
    const reading = credentials.read();
    await asked[0]?.answer('first');
    const first = await reading;
    await clock.advance(30_000);
    const early = read();
    const refused = [read(first), read(first), read()];
    expect(asked).toHaveLength(3);
    await asked[2]?.answer('second');
    expect(await Promise.all(refused)).toEqual(['second', 'second', 'second']);
    await asked[1]?.answer('first');
    expect([await early, await read(), await read(first)]).toEqual(['second', 'second', 'second']);
    expect(asked).toHaveLength(3);
  });

  it('are looked at again after half a minute, and the same certificates stay the same value', async () => {
    const first = credentials.read();
    await asked[0]?.answer('first');
    await clock.advance(29_999);
    expect([await read(), asked.length]).toEqual(['first', 1]);
    await clock.advance(1);
    const second = credentials.read();
    expect(asked[1]?.known).toBe('first');
    await asked[1]?.answer('second');
    expect((await second).tls).toBe((await first).tls);
    const third = credentials.read(await second);
    expect(asked[2]?.known).toBeUndefined();
    await asked[2]?.answer('third');
    expect((await third).authorization).toBe('third');
  });

  it('have other certificates once there are others', async () => {
    const first = credentials.read();
    await asked[0]?.answer('first');
    await first;
    await clock.advance(30_000);
    const second = credentials.read();
    await asked[1]?.answer('first', 'another CA');
    expect((await second).tls).toEqual({ ca: 'another CA' });
  });

  it('that are not known, or are to be looked at again, are asked for once for all who want them', async () => {
    for (const [count, answer] of ['first', 'second'].entries()) {
      const reading = [read(), read(), read()];
      expect(asked).toHaveLength(count + 1);
      await asked[count]?.answer(answer);
      expect(await Promise.all(reading)).toEqual([answer, answer, answer]);
      await clock.advance(30_000);
    }
  });

  it('are asked for once for all whom the same were refused, though an ask from before ends meanwhile', async () => {
    const reading = credentials.read();
    await asked[0]?.answer('first');
    const first = await reading;
    await clock.advance(30_000);
    const early = read();
    const refused = read(first);
    await asked[1]?.answer('first');
    expect(await early).toBe('first');
    const late = read(first);
    expect(asked).toHaveLength(3);
    await asked[2]?.answer('second');
    expect(await Promise.all([refused, late])).toEqual(['second', 'second']);
  });

  it('that nobody gives are waited for five minutes, also of who does not hear that nobody waits any more', async () => {
    const reading = expect(read()).rejects.toThrow('credentials of user "me" failed: no answer within 5 minutes');
    await clock.advance(300_000);
    await reading;
    const again = read();
    await asked[1]?.answer('first');
    expect(await again).toBe('first');
  });
});

it.each<[string, (cluster: HttpCluster) => Promise<unknown>]>([
  ['a call', (cluster) => cluster.request('GET', '/version')],
  ['a watch', (cluster) => cluster.watch(ConfigMap, { resourceVersion: '1' }).next()],
])('a client that is closed while the credentials for %s are read sends nothing any more', async (_, begin) => {
  const server = await ScriptedServer.start();
  let give: (authorization: string) => void = () => {};
  const authorization = () =>
    new Promise<string>((resolve) => {
      give = resolve;
    });
  const cluster = connect({ ...server.config, authorization });
  const asking = begin(cluster).catch((error: Error) => error.message);
  await settled();
  await cluster.close();
  give('Bearer first');
  expect(await asking).toContain('the client is closed');
  expect([server.requests.length, server.connections]).toEqual([0, 0]);
  await server.stop();
});
