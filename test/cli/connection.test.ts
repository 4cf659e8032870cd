import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withCluster } from '../../src/cli/connection.js';
import { runKilter } from './run-kilter.js';

describe('a command in a Pod', () => {
  const before = { ...process.env };
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'kilter-home-'));
    delete process.env['KUBECONFIG'];
    Object.assign(process.env, { HOME: home, KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' });
  });
  afterEach(() => {
    for (const name of ['HOME', 'KUBECONFIG', 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    rmSync(home, { recursive: true, force: true });
  });
  const connected = () => withCluster({}, async () => 'connected');

  it("acts as the Pod's account, of which this machine has no token", async () => {
    await expect(connected()).rejects.toThrow(/serviceaccount\/token/);
  });

  it('acts as the person whose kubeconfig is there, as kubectl does', async () => {
    mkdirSync(join(home, '.kube'));
    writeKubeconfig(join(home, '.kube', 'config'), 'https://a');
    expect(await connected()).toBe('connected');
  });
});

it('a command whose API server does not answer says which that is, and how to choose another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-away-'));
  const kubeconfig = join(folder, 'config');
  writeKubeconfig(kubeconfig, 'https://127.0.0.1:1');
  expect(await runKilter(['migrate', 'memcached', '--kubeconfig', kubeconfig])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'error: /apis get failed: connect ECONNREFUSED 127.0.0.1:1\n' +
      '  hint: see whether https://127.0.0.1:1 is the API server that is meant, and runs; --context and --kubeconfig choose another\n',
  });
  rmSync(folder, { recursive: true });
});

function writeKubeconfig(path: string, server: string): void {
  const context = { name: 'a', context: { cluster: 'a', user: 'a' } };
  const clusters = [{ name: 'a', cluster: { server } }];
  const users = [{ name: 'a', user: { token: 'a' } }];
  writeFileSync(path, JSON.stringify({ 'current-context': 'a', contexts: [context], clusters, users }));
}
