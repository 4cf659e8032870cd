import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inClusterConfig } from '../../src/client/in-cluster-config.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { issued } from '../../src/tls/issued.js';
import { eventually } from '../cluster/eventually.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-credentials-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('a Pod', () => {
  const [ca, another] = ['one', 'two'].map(
    (authority) => issued({ authority, subject: 'b', names: [], now: Date.now(), validMilliseconds: 3_600_000 }).ca,
  ) as [string, string];
  beforeEach(() => {
    write('token', 'first\n');
    write('ca.crt', ca);
    write('namespace', 'prod');
  });
  let now = 0;
  const clock = { now: () => now, monotonic: () => now, after: () => () => {} };
  const config = () => inClusterConfig({ host: '10.0.0.1', port: '443', folder, clock });

  it('finds server, account and namespace in its files', async () => {
    const found = await config();
    expect([found.server, found.namespace, await found.authorization(), await found.tls()]).toEqual([
      'https://10.0.0.1:443',
      'prod',
      'Bearer first',
      { ca },
    ]);
  });

  it('follows a token and a CA that rotate', async () => {
    const found = await config();
    const tls = await found.tls();
    expect(await found.tls()).toBe(tls);
    write('token', 'the second');
    write('ca.crt', another);
    now += 60_000;
    expect(await found.authorization()).toBe('Bearer the second');
    expect(await found.tls()).toEqual({ ca: another });
  });

  it('keeps its token while nothing is in the file, for somebody may be writing it, unless it was refused', async () => {
    const found = await config();
    write('token', '\n');
    now += 60_000;
    expect(await found.authorization()).toBe('Bearer first');
    await expect(found.authorization({ refused: { authorization: 'Bearer first', tls: {} } })).rejects.toThrow(
      `${join(folder, 'token')} is empty`,
    );
    write('token', 'the second');
    now += 60_000;
    expect(await found.authorization()).toBe('Bearer the second');
  });

  it('has no call wait for a look at its files when there was one within a minute', async () => {
    const found = await config();
    const first = await found.tls();
    write('token', 'the second');
    now += 59_999;
    expect(await found.authorization()).toBe('Bearer first');
    expect(await found.tls()).toBe(first);
    await eventually(async () => expect(await found.authorization()).toBe('Bearer the second'));
  });

  it('keeps what its files had while they cannot be read, unless it was refused', async () => {
    const found = await config();
    const tls = await found.tls();
    rmSync(join(folder, 'ca.crt'));
    rmSync(join(folder, 'token'));
    now += 3_600_000;
    expect([await found.authorization(), await found.tls()]).toEqual(['Bearer first', tls]);
    await expect(found.authorization({ refused: { authorization: 'Bearer first', tls } })).rejects.toThrow('ENOENT');
    write('token', 'the second');
    now += 60_000;
    expect(await found.authorization()).toBe('Bearer the second');
  });

  it('is asked by many calls at once, and gives all of them one and the same CA, or each would open connections of its own', async () => {
    const found = await config();
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => found.tls()));
    expect(others.filter((tls) => tls !== first)).toEqual([]);
  });

  it('keeps its connections when a kubelet writes the same CA anew beside another token', async () => {
    const found = await config();
    const tls = await found.tls();
    write('anew', ca);
    renameSync(join(folder, 'anew'), join(folder, 'ca.crt'));
    write('token', 'the second');
    now += 60_000;
    expect(await found.authorization()).toBe('Bearer the second');
    expect(await found.tls()).toBe(tls);
  });

  it('looks at its files once a second at most, and at once for a token that was refused', async () => {
    const found = await config();
    await found.authorization();
    write('token', 'the second');
    now += 999;
    expect(await found.authorization()).toBe('Bearer first');
    const first = { authorization: 'Bearer first', tls: await found.tls() };
    expect(await found.authorization({ refused: first })).toBe('Bearer the second');
    write('token', 'the third');
    // Refused later, to a call that was sent before.
    expect(await found.authorization({ refused: first })).toBe('Bearer the second');
  });

  it('reaches an IPv6 server', async () => {
    expect((await inClusterConfig({ host: 'fd00::1', port: '443', folder })).server).toBe('https://[fd00::1]:443');
  });

  it.each([
    ['10.0.0.1', 'abc'],
    ['10.0.0.1', '65536'],
    ['fe80::1%eth0', '443'],
    ['no host', '443'],
  ])('says so where its environment names no server: %s, %s', async (host, port) => {
    await expect(inClusterConfig({ host, port, folder })).rejects.toThrow(
      `in-cluster configuration failed: KUBERNETES_SERVICE_HOST="${host}" and KUBERNETES_SERVICE_PORT="${port}" are no address`,
    );
  });

  it.each([
    [undefined, undefined],
    [undefined, '443'],
    ['10.0.0.1', undefined],
  ])('says so when it is none: %s, %s', async (host, port) => {
    await expect(inClusterConfig({ host, port, folder })).rejects.toMatchObject({
      hint: expect.stringContaining('--kubeconfig'),
    });
  });
});

describe('a kubeconfig', () => {
  const cluster = (name: string, more = {}) => ({
    name,
    cluster: { server: `https://${name}.example.com:6443`, ...more },
  });
  const file = (user: object, more: object = {}) =>
    write(
      'config',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [cluster('one', more), cluster('two')],
        users: [{ name: 'me', user }],
        contexts: [
          { name: 'first', context: { cluster: 'one', user: 'me', namespace: 'prod' } },
          { name: 'second', context: { cluster: 'two', user: 'me' } },
        ],
        'current-context': 'first',
      }),
    );

  it('gives the server and namespace of its current context, or of another', async () => {
    const path = file({ token: 'abc' });
    const [first, second] = [await kubeConfig({ path }), await kubeConfig({ path, context: 'second' })];
    expect([first.server, first.namespace, second.server, second.namespace]).toEqual([
      'https://one.example.com:6443',
      'prod',
      'https://two.example.com:6443',
      'default',
    ]);
    expect(await first.authorization()).toBe('Bearer abc');
  });

  it('reads a token from a file', async () => {
    const config = await kubeConfig({ path: file({ tokenFile: write('token', 'from file') }) });
    expect(await config.authorization()).toBe('Bearer from file');
  });

  it('keeps a token while nothing is in its file, unless it was refused', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => now, after: () => () => {} };
    const config = await kubeConfig({ path: file({ tokenFile: write('token', 'first') }), clock });
    write('token', '');
    now += 30_000;
    expect(await config.authorization()).toBe('Bearer first');
    const refused = { authorization: 'Bearer first', tls: await config.tls() };
    await expect(config.authorization({ refused })).rejects.toThrow(`${join(folder, 'token')} is empty`);
    write('token', 'second');
    expect(await config.authorization({ refused })).toBe('Bearer second');
  });

  it('hands over certificates and what is said about the server', async () => {
    const path = file(
      {
        'client-certificate-data': Buffer.from('CERT').toString('base64'),
        'client-key-data': Buffer.from('KEY').toString('base64'),
      },
      {
        'certificate-authority-data': Buffer.from('CA').toString('base64'),
        'tls-server-name': 'inside',
        'insecure-skip-tls-verify': true,
        'proxy-url': 'http://proxy.example.com:3128',
      },
    );
    const config = await kubeConfig({ path });
    expect(await config.tls()).toEqual({
      ca: 'CA',
      cert: 'CERT',
      key: 'KEY',
      servername: 'inside',
      rejectUnauthorized: false,
    });
    expect(config.proxyUrl).toBe('http://proxy.example.com:3128');
    expect(await config.tls()).toBe(await config.tls());
  });

  it('whose files are not there is refused at once, and says whose they are', async () => {
    await expect(kubeConfig({ path: file({ tokenFile: 'none' }) })).rejects.toMatchObject({
      message: expect.stringContaining(`credentials of user "me" failed: ENOENT: no such file or directory`),
      hint: expect.stringContaining('the files that the kubeconfig names'),
    });
  });

  it.each([
    ['a file that is not there', '/no/such/config', undefined, /reading kubeconfig \/no\/such\/config failed/],
    ['a context that is not there', undefined, 'third', /context "third"/],
  ])('says what is wrong with %s', async (_, path, context, message) => {
    await expect(kubeConfig({ path: path ?? file({ token: 'abc' }), context })).rejects.toThrow(message);
  });
});
