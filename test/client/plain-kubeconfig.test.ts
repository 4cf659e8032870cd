import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contextOf } from '../../src/client/kubeconfig-context.js';
import { readKubeconfig } from '../../src/client/kubeconfig-files.js';
import { plainKubeconfig } from '../../src/client/plain-kubeconfig.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-kubeconfig-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const base64 = (content: string) => Buffer.from(content).toString('base64');
const server = 'https://one.example.com:6443';

async function read(user: object, cluster: object = {}, context?: string) {
  const file = join(folder, 'kubeconfig');
  const content = {
    'current-context': 'one',
    contexts: [
      { name: 'one', context: { cluster: 'one', user: 'one', namespace: 'prod' } },
      { name: 'two', context: { cluster: 'one', user: 'two' } },
      { name: 'nobody', context: { cluster: 'one' } },
    ],
    clusters: [{ name: 'one', cluster: { server, ...cluster } }],
    users: [
      { name: 'one', user },
      { name: 'two', user: { token: 'second' } },
    ],
  };
  writeFileSync(file, JSON.stringify(content));
  const config = plainKubeconfig(contextOf(await readKubeconfig(file), context));
  return config && { ...config, tls: await config.tls(), authorization: await config.authorization() };
}

describe('a kubeconfig that holds its credentials itself', () => {
  it('may name nobody, who then shows nothing', async () => {
    expect(await read({ token: 'first' }, {}, 'nobody')).toMatchObject({ server, authorization: undefined, tls: {} });
  });

  it('is read without the library', async () => {
    const certificates = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') };
    const about = { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'kubernetes' };
    expect(await read(certificates, about)).toEqual({
      server,
      namespace: 'prod',
      context: 'one',
      tls: { ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'kubernetes' },
      authorization: undefined,
    });
    expect(await read({ token: 'first' }, { 'insecure-skip-tls-verify': true })).toMatchObject({
      tls: { rejectUnauthorized: false },
      authorization: 'Bearer first',
    });
    expect(await read({}, {}, 'two')).toMatchObject({ namespace: 'default', authorization: 'Bearer second' });
  });

  it.each<[string, object, object]>([
    ['a plugin', { exec: { command: 'aws' } }, {}],
    ['a file with the token', { tokenFile: 'token' }, {}],
    ['a file with the certificate', { 'client-certificate': 'a.crt', 'client-key': 'a.key' }, {}],
    ['a password', { username: 'a', password: 'b' }, {}],
    ['a file with the CA', { token: 'a' }, { 'certificate-authority': 'ca.crt' }],
    ['a proxy', { token: 'a' }, { 'proxy-url': 'http://proxy' }],
  ])('is left to others when it has %s', async (_, ...given) => {
    expect(await read(...given)).toBeUndefined();
  });
});
