import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { writesOf } from './audit.js';
import { startControlPlane } from './control-plane.js';
import { onRealCluster } from './on-real-cluster.js';
import { packageRoot } from './package-root.js';

const pods = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('pod/'));

onRealCluster('a control plane', { controllerManager: true, audit: true }, (plane) => {
  it('answers kubectl with its version', async () => {
    const { stdout } = await plane().kubectl(['version', '-o', 'json']);
    expect(JSON.parse(stdout).serverVersion.gitVersion).toBe(plane().version);
  });

  it('gives a service account the rights that RBAC gives it, and no more', async () => {
    const kubeconfig = await plane().serviceAccountKubeconfig('default', 'reader');
    await plane().kubectl(['create', 'role', 'reader', '--verb=get', '--resource=configmaps', '-n', 'default']);
    await plane().kubectl([
      'create',
      'rolebinding',
      'reader',
      '--role=reader',
      '--serviceaccount=default:reader',
      '-n',
      'default',
    ]);

    const can = async (verb: string) =>
      (await plane().kubectl(['auth', 'can-i', verb, 'configmaps'], { kubeconfig, allowFailure: true })).stdout.trim();
    expect(await can('get')).toBe('yes');
    expect(await can('delete')).toBe('no');
  });

  it('makes Pods of a Deployment', async () => {
    await plane().kubectl(['create', 'deployment', 'web', '--image=web', '--replicas=2']);
    const found = async () => pods((await plane().kubectl(['get', 'pods', '-o', 'name'])).stdout);
    for (let tries = 0; tries < 200 && (await found()).length < 2; tries++) await sleep(50);
    expect(await found()).toHaveLength(2);
  });

  it('shows what was asked as data', async () => {
    await plane().kubectl(['create', 'configmap', 'seen', '--from-literal=a=b']);
    const writes = writesOf(await plane().audit(), 'admin');
    const seen = writes.find(({ objectRef }) => objectRef?.resource === 'configmaps' && objectRef.name === 'seen');
    expect(seen).toMatchObject({ verb: 'create', requestObject: { data: { a: 'b' } } });
  });
});

onRealCluster('control planes', {}, (plane) => {
  it('do not meet, and leave no process and no folder when they stop', async () => {
    const other = await startControlPlane();
    await other.kubectl(['create', 'namespace', 'elsewhere']);
    expect((await plane().kubectl(['get', 'namespace', 'elsewhere'], { allowFailure: true })).exitCode).toBe(1);

    const folder = join(other.kubeconfig, '..');
    await other.stop();
    expect(existsSync(folder)).toBe(false);
    expect(processesIn(folder)).toBe('');
  });

  it('go with the process that started them, when it is killed', async () => {
    // The parent here is a shell that stands for a test runner: it is killed, and cannot tidy up.
    const script = `
      import { startControlPlane } from './build/test/cluster/control-plane.js';
      const plane = await startControlPlane();
      console.log(plane.kubeconfig);
      setInterval(() => {}, 1000);`;
    const runner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: packageRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(runner.stdout, 'data')) as [Buffer];
    const folder = join(String(line).trim(), '..');
    expect(processesIn(folder)).toContain('kube-apiserver');

    runner.kill('SIGKILL');
    for (let tries = 0; tries < 200 && existsSync(folder); tries++) await sleep(50);
    expect(existsSync(folder)).toBe(false);
    expect(processesIn(folder)).toBe('');
  });
});

describe('a folder of assets that lacks a program', () => {
  it('is an error that names it', async () => {
    const before = process.env['KUBEBUILDER_ASSETS'];
    process.env['KUBEBUILDER_ASSETS'] = packageRoot;
    try {
      await expect(startControlPlane()).rejects.toThrow('where there is no etcd, kube-apiserver');
    } finally {
      process.env['KUBEBUILDER_ASSETS'] = before;
    }
  });
});

/** The command lines that mention `folder`, which are those of a control plane that lives there. */
function processesIn(folder: string): string {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => line.includes(`${folder}/`))
    .join('\n');
}
