import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kubeConfig } from '../../src/client/kube-config.js';
import { issued } from '../../src/tls/issued.js';

describe('a kubeconfig', () => {
  let folder: string;
  let now: number;
  beforeEach(() => {
    now = 0;
    folder = mkdtempSync(join(tmpdir(), 'kilter-kubeconfig-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const configOf = (user: object, authority: string) => {
    const cluster = { server: 'https://127.0.0.1:6443', 'certificate-authority': write('ca.crt', authority) };
    const path = write(
      'config',
      JSON.stringify({
        clusters: [{ name: 'one', cluster }],
        users: [{ name: 'me', user }],
        contexts: [{ name: 'first', context: { cluster: 'one', user: 'me' } }],
        'current-context': 'first',
      }),
    );
    return kubeConfig({ path, clock: { now: () => now, monotonic: () => now, after: () => () => {} } });
  };

  it('keeps what its files had while they cannot be read, unless it was refused', async () => {
    const config = await configOf({ tokenFile: write('token', 'first') }, 'CA');
    const tls = await config.tls();
    rmSync(join(folder, 'ca.crt'));
    rmSync(join(folder, 'token'));
    now += 3_600_000;
    expect([await config.authorization(), await config.tls()]).toEqual(['Bearer first', tls]);
    await expect(config.authorization({ refused: { authorization: 'Bearer first', tls } })).rejects.toThrow('ENOENT');
    write('token', 'second');
    write('ca.crt', 'CA');
    now += 30_000;
    expect([await config.authorization(), await config.tls()]).toEqual(['Bearer second', tls]);
  });

  it.each([
    ['only one of the files of a pair is', 'CERT'],
    ['nothing is', ''],
  ])('keeps its certificates while %s written anew', async (_, begun) => {
    const pair = () =>
      issued({ authority: 'us', subject: 'me', names: [], now: Date.now(), validMilliseconds: 3_600_000 });
    const [first, second] = [pair(), pair()];
    const user = { 'client-certificate': write('me.crt', first.cert), 'client-key': write('me.key', first.key) };
    const config = await configOf(user, first.ca);
    const tls = await config.tls();
    expect(tls).toEqual(first);
    write('me.crt', begun && second.cert);
    now += 30_000;
    expect(await config.tls()).toBe(tls);
    write('me.crt', second.cert);
    write('me.key', second.key);
    write('ca.crt', begun);
    now += 30_000;
    expect(await config.tls()).toBe(tls);
    write('ca.crt', second.ca);
    now += 30_000;
    expect(await config.tls()).toEqual(second);
  });
});
