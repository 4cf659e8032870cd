import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { environmentConfig } from '../../src/client/environment-config.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { defaultKubeconfig } from '../../src/client/kubeconfig-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-kubeconfigs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const cluster = (name: string, server: string, more = {}) => ({ name, cluster: { server, ...more } });
const user = (name: string, fields: object) => ({ name, user: fields });
const context = (name: string, more = {}) => ({ name, context: { cluster: name, user: name, ...more } });
/** A whole one, of which everything has the same name. */
const whole = (name: string, token: string, more = {}) => ({
  'current-context': name,
  contexts: [context(name)],
  clusters: [cluster(name, `https://${token}`)],
  users: [user(name, { token })],
  ...more,
});
const list = (...paths: readonly string[]) => ({ KUBECONFIG: paths.join(delimiter), HOME: folder });
const none = () => join(folder, 'none');

describe('several kubeconfigs', () => {
  it('are one, in which the first to name something wins', async () => {
    const first = write('first', whole('one', 'first', { 'current-context': '' }));
    const second = write('second', {
      'current-context': 'two',
      contexts: [context('one', { namespace: 'lost' }), context('two', { user: 'one' })],
      clusters: [cluster('one', 'https://lost'), cluster('two', 'https://second')],
      users: [user('one', { token: 'lost' })],
    });
    const third = write('third', { 'current-context': 'one' });
    const found = await kubeConfig({ environment: list(none(), first, '', second, third) });
    expect([found.context, found.server, await found.authorization()]).toEqual([
      'two',
      'https://second',
      'Bearer first',
    ]);
    const other = await kubeConfig({ environment: list(first, second), context: 'one' });
    expect([other.server, other.namespace]).toEqual(['https://first', 'default']);
  });

  it('are an error where one of them is there and cannot be read', async () => {
    const first = write('first', whole('one', 'first'));
    mkdirSync(join(folder, 'second'));
    await expect(kubeConfig({ environment: list(first, join(folder, 'second')) })).rejects.toThrow(
      `reading kubeconfig ${join(folder, 'second')} failed: EISDIR`,
    );
  });

  it('name other files, each from its own folder', async () => {
    const pair = { 'client-certificate': 'me.crt', 'client-key': 'keys/me.key' };
    write('a/me.crt', 'CERT');
    write('a/keys/me.key', 'KEY');
    write('b/ca.crt', 'CA');
    write('b/token', 'from a file\n');
    const users = write('a/config', { users: [user('one', pair), user('two', { tokenFile: '../b/token' })] });
    const rest = write('b/config', {
      'current-context': 'one',
      contexts: [context('one'), context('two', { cluster: 'one' })],
      clusters: [cluster('one', 'https://a', { 'certificate-authority': 'ca.crt' })],
    });
    const found = await kubeConfig({ environment: list(users, rest) });
    expect(await found.tls()).toEqual({ ca: 'CA', cert: 'CERT', key: 'KEY' });
    expect(await (await kubeConfig({ environment: list(rest, users) })).tls()).toEqual(await found.tls());
    const other = await kubeConfig({ environment: list(users, rest), context: 'two' });
    expect(await other.authorization()).toBe('Bearer from a file');
  });

  it.each<[string, object]>([
    ['a token', { token: 'secret' }],
    ['a file with the token', { tokenFile: 'none' }],
    ['a plugin', { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-plugin' } }],
    ['a plugin beside it', { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: './no-such-plugin' } }],
    ['a password', { username: 'me', password: 'secret' }],
    ['a certificate', { 'client-certificate': 'none', 'client-key': 'none' }],
  ])('show a server without TLS nothing of a user who has %s, nor ask for it, as kubectl does', async (_, me) => {
    const more = { 'certificate-authority': 'none', 'proxy-url': 'http://proxy:3128' };
    const path = write('config', {
      'current-context': 'one',
      contexts: [context('one')],
      clusters: [cluster('one', 'http://127.0.0.1:8001', more)],
      users: [user('one', { ...me, as: 'jane' })],
    });
    const found = await kubeConfig({ path });
    expect([await found.authorization(), await found.tls()]).toEqual([undefined, {}]);
    expect(found).toMatchObject({
      server: 'http://127.0.0.1:8001',
      headers: { 'impersonate-user': 'jane' },
      proxyUrl: 'http://proxy:3128',
    });
  });

  it('are an error that names them when none is there', async () => {
    const environment = list(none(), join(folder, 'neither'));
    const message = `there is no kubeconfig ${none()}, ${join(folder, 'neither')}`;
    await expect(kubeConfig({ environment })).rejects.toThrow(message);
  });

  it('are an error that says so when none is named', async () => {
    await expect(kubeConfig({ environment: list('', '') })).rejects.toThrow(
      'there is no kubeconfig: KUBECONFIG names no file',
    );
  });
});

describe('a kubeconfig', () => {
  it('that is named must be there, and is one file', async () => {
    const path = list(write('first', whole('one', 'first')), write('second', whole('one', 'second'))).KUBECONFIG;
    await expect(kubeConfig({ path })).rejects.toThrow(`reading kubeconfig ${path} failed: ENOENT`);
  });

  it.each([
    ['localhost:8080', {}, {}, 'http://localhost:8080'],
    ['10.0.0.1:6443', { 'certificate-authority-data': 'Q0E=' }, {}, 'https://10.0.0.1:6443'],
    ['10.0.0.1:6443/', { 'insecure-skip-tls-verify': true }, {}, 'https://10.0.0.1:6443'],
    [
      'api.example.com',
      {},
      { 'client-certificate-data': 'Q0VSVA==', 'client-key-data': 'S0VZ' },
      'https://api.example.com',
    ],
    ['HTTPS://api.example.com/k8s/', {}, {}, 'HTTPS://api.example.com/k8s'],
  ])('may name its server without a scheme, as for kubectl: %s', async (server, ofCluster, ofUser, expected) => {
    const content = whole('one', 'first', {
      clusters: [cluster('one', server, ofCluster)],
      users: [user('one', ofUser)],
    });
    expect((await kubeConfig({ path: write('one', content) })).server).toBe(expected);
  });

  it.each(['api.example.com/k8s', 'ftp://api.example.com', 'https://:6443', ':::'])(
    'of whose server nothing can be made says so: %s',
    async (server) => {
      const path = write('one', whole('one', 'first', { clusters: [cluster('one', server)] }));
      await expect(kubeConfig({ path })).rejects.toThrow(
        `kubeconfig ${path} has a server for its context "one" that is neither a URL of http or https nor a host with a port`,
      );
    },
  );

  it.each([
    ['"token" of user "one" is no text', { users: [user('one', { token: 8_675_309 })] }],
    ['"namespace" of context "one" is no text', { contexts: [context('one', { namespace: 7 })] }],
    ['"server" of cluster "one" is no text', { clusters: [{ name: 'one', cluster: { server: true } }] }],
    ['"name" of contexts is no text', { contexts: [{ name: 2024, context: {} }] }],
    ['"current-context" of it is no text', { 'current-context': 2024 }],
  ])('that lacks quotes says where, as with kubectl: %s', async (problem, more) => {
    const path = write('one', whole('one', 'first', more));
    const refused = kubeConfig({ path });
    await expect(refused).rejects.toThrow(`reading kubeconfig ${path} failed: ${problem}`);
    await expect(refused).rejects.not.toThrow('8675309');
  });

  it('may have nothing where it could say something', async () => {
    const nothing = { contexts: [context('one', { namespace: null })], users: [user('one', { token: null })] };
    const config = await kubeConfig({ path: write('one', whole('one', 'first', nothing)) });
    expect([config.namespace, await config.authorization()]).toEqual(['default', undefined]);
  });

  it('is found in the home folder', async () => {
    await expect(kubeConfig({ environment: { HOME: folder } })).rejects.toMatchObject({
      message: `there is no kubeconfig ${join(folder, '.kube/config')}`,
      hint: 'name another file with --kubeconfig or KUBECONFIG',
    });
    write('.kube/config', whole('one', 'home'));
    const found = await kubeConfig({ environment: { HOME: folder, KUBECONFIG: '' } });
    expect(await found.authorization()).toBe('Bearer home');
  });

  it('is looked for where the process is, as by kubectl, for a user whom this machine does not know', () => {
    const nobody = () => {
      throw new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)');
    };
    expect(defaultKubeconfig(undefined, nobody)).toBe(join('.kube', 'config'));
  });

  it('prefers what it holds to what it names, and asks for no file then', async () => {
    const base64 = (content: string) => Buffer.from(content).toString('base64');
    const fields = { 'certificate-authority': 'none', 'certificate-authority-data': base64('CA') };
    const path = write('config', whole('one', 'a', { clusters: [cluster('one', 'https://a/', fields)] }));
    const found = await kubeConfig({ path });
    expect([found.server, await found.tls()]).toEqual(['https://a', { ca: 'CA' }]);
  });

  it.each<[string, unknown, string]>([
    ['no YAML', 'users:\n- name: a\n  user: { token: hunter2\n', 'line 4 is not YAML'],
    ['a list', '[hunter2]', 'it is no kubeconfig'],
    ['two of one name', { users: [user('a', { token: 'hunter2' }), user('a', {})] }, '"a" is twice in users'],
    ['nothing', '', 'has no current context'],
    ['no such context', { ...whole('a', 'hunter2'), contexts: [] }, 'has no context "a"'],
    ['no such cluster', { ...whole('a', 'hunter2'), clusters: [] }, 'has no server for its context "a"'],
    ['no server', { ...whole('a', 'hunter2'), clusters: [cluster('a', '')] }, 'has no server for its context "a"'],
    ['no such user', { ...whole('a', 'hunter2'), users: [] }, 'has no user "a", whom its context "a" names'],
    ['lists that are none', { ...whole('a', 'hunter2'), contexts: { a: {} } }, 'has no context "a"'],
  ])('that has %s is refused, without a word of its secrets', async (_, content, message) => {
    const path = write('config', content);
    const error = await kubeConfig({ path }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    expect((error as Error).message).toContain(`kubeconfig ${path} `);
    expect(`${(error as Error).message} ${(error as Error).cause}`).not.toContain('hunter2');
  });
});

describe('the environment', () => {
  const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  /** There is none in the files of this machine, and its absence tells who was asked. */
  const account = /serviceaccount\/token/;

  it('of a Pod means its account, also where KUBECONFIG is empty', async () => {
    await expect(environmentConfig(pod)).rejects.toThrow(account);
    await expect(environmentConfig({ ...pod, KUBECONFIG: '' })).rejects.toThrow(account);
  });

  it('of a Pod gives way to a kubeconfig or a context that is named', async () => {
    const path = write('config', whole('one', 'named'));
    const token = async (found: ReturnType<typeof environmentConfig>) => (await found).authorization();
    expect(await token(environmentConfig({ ...pod, KUBECONFIG: path }))).toBe('Bearer named');
    expect(await token(environmentConfig(pod, { kubeconfig: path }))).toBe('Bearer named');
    write('.kube/config', whole('one', 'home'));
    expect(await token(environmentConfig({ ...pod, HOME: folder }, { context: 'one' }))).toBe('Bearer home');
  });

  it('elsewhere means KUBECONFIG, unless another file is named, and then the home folder', async () => {
    const [named, other] = [write('named', whole('one', 'named')), write('other', whole('one', 'other'))];
    write('.kube/config', whole('one', 'home'));
    const server = async (...given: Parameters<typeof environmentConfig>) => (await environmentConfig(...given)).server;
    expect(await server(list(named))).toBe('https://named');
    expect(await server(list(named), { kubeconfig: other })).toBe('https://other');
    expect(await server({ HOME: folder })).toBe('https://home');
  });
});
