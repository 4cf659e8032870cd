import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withCluster } from '../../src/cli/connection.js';

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
    const context = { name: 'a', context: { cluster: 'a', user: 'a' } };
    const clusters = [{ name: 'a', cluster: { server: 'https://a' } }];
    const users = [{ name: 'a', user: { token: 'a' } }];
    const content = { 'current-context': 'a', contexts: [context], clusters, users };
    writeFileSync(join(home, '.kube', 'config'), JSON.stringify(content));
    expect(await connected()).toBe('connected');
  });
});
