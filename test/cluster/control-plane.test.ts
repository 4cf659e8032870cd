import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { describeRequest, readsOf, writesOf } from './audit.js';
import { startControlPlane } from './control-plane.js';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { onRealCluster } from './on-real-cluster.js';
import { packageRoot } from './package-root.js';

const privilegedIsRefused = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'PodSecurity',
      configuration: {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: { enforce: 'baseline' },
      },
    },
  ],
};

onRealCluster('a control plane', { controllerManager: true, audit: true }, (plane) => {
  it('answers kubectl with its version', async () => {
    const { stdout } = await plane().kubectl(['version', '-o', 'json']);
    const { clientVersion, serverVersion } = JSON.parse(stdout);
    // A build without the stamp calls itself v0.0.0-master.
    expect(serverVersion).toMatchObject({ major: '1', gitVersion: expect.stringMatching(/^v1\.\d+\.\d+$/) });
    expect([plane().version, clientVersion.gitVersion]).toEqual([serverVersion.gitVersion, serverVersion.gitVersion]);
  });

  it('gives a service account the rights that RBAC gives it, and no more', async () => {
    const kubeconfig = await plane().serviceAccountKubeconfig('default', 'reader');
    await plane().kubectl(['create', 'role', 'reader', '--verb=get', '--resource=configmaps', '-n', 'default']);
    const binding = ['--role=reader', '--serviceaccount=default:reader'];
    await plane().kubectl(['create', 'rolebinding', 'reader', ...binding, '-n', 'default']);

    const can = async (verb: string) =>
      (await plane().kubectl(['auth', 'can-i', verb, 'configmaps'], { kubeconfig, allowFailure: true })).stdout.trim();
    // The authorizer hears of roles by a watch.
    await eventually(async () => expect(await can('get')).toBe('yes'));
    expect(await can('delete')).toBe('no');
  });

  it('makes a ReplicaSet and Pods of a Deployment', async () => {
    await plane().kubectl(['create', 'deployment', 'web', '--image=web', '--replicas=2']);
    const found = async () => {
      const { stdout } = await plane().kubectl(['get', 'replicasets,pods', '-o', 'name']);
      return stdout.split('\n').map((line) => line.replace(/\/.*/, ''));
    };
    await eventually(async () => expect(await found()).toEqual(['replicaset.apps', 'pod', 'pod', '']));
  });

  it('shows what was asked as data', async () => {
    await plane().kubectl(['create', 'configmap', 'seen', '--from-literal=a=b']);
    const events = await plane().audit();
    const [write, ...others] = writesOf(events, 'admin').filter(({ objectRef }) => objectRef?.name === 'seen');
    expect(write).toMatchObject({ verb: 'create', requestObject: { data: { a: 'b' } } });
    expect(others).toEqual([]);
    expect(describeRequest(write!)).toBe('create configmaps/default/seen by admin');

    const received = Date.parse(write!.requestReceivedTimestamp);
    expect(writesOf(events, 'admin', received)).toContain(write);
    expect(writesOf(events, 'admin', received + 1)).not.toContain(write);
    expect(readsOf(events, 'admin')).not.toContain(write);
    expect(writesOf(events, 'somebody else')).toEqual([]);
  });

  it('holds Pods to the Pod Security level of their namespace', async () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels } };
    // A label that comes later it may hear of after the Pod.
    await plane().kubectl(['create', '-f', '-'], { stdin: JSON.stringify(namespace) });
    // The account that every Pod needs is made by the controller-manager, a moment after the namespace.
    await plane().serviceAccountToken('strict', 'default');
    const run = ['run', 'loose', '--image=web', '--privileged', '-n', 'strict'];
    const { stderr } = await plane().kubectl(run, { allowFailure: true });
    expect(stderr).toContain('violates PodSecurity "restricted:latest"');
  });
});

onRealCluster('a control plane with an admission configuration', { admissionConfig: privilegedIsRefused }, (plane) => {
  it('admits by it', async () => {
    await plane().serviceAccountToken('default', 'default');
    const run = ['run', 'loose', '--image=web', '--privileged'];
    const { stderr } = await plane().kubectl(run, { allowFailure: true });
    expect(stderr).toContain('violates PodSecurity "baseline:latest"');
  });
});

onRealCluster('control planes', {}, (plane) => {
  it('do not meet, and leave no process and no folder when they stop', async () => {
    const other = await startControlPlane();
    await other.kubectl(['create', 'namespace', 'elsewhere']);
    expect((await plane().kubectl(['get', 'namespace', 'elsewhere'], { allowFailure: true })).exitCode).toBe(1);

    const folder = join(other.kubeconfig, '..');
    await other.stop();
    expect(leftOf(folder)).toEqual([]);
    expect(processesIn(folder)).toBe('');
  });

  it('find other ports when somebody takes theirs', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const handedOut: number[] = [];
    const other = await startControlPlane({}, async (count) => {
      const ports = await freePorts(count);
      if (handedOut.length === 0) ports[2] = (taken.address() as AddressInfo).port;
      handedOut.push(...ports);
      return ports;
    });
    taken.close();

    expect(handedOut).toHaveLength(6);
    expect(other.url).toBe(`https://127.0.0.1:${handedOut[5]}`);
    await other.stop();
  });

  it('show what the server said when it does not start', async () => {
    const before = new Set(readdirSync(tmpdir()));
    const starting = startControlPlane({ admissionConfig: { kind: 'Nonsense' } });
    await expect(starting).rejects.toThrow(/^kube-apiserver ended with code 1 while it started:\n.*Nonsense/s);
    // Those of other suites come, and go under another name.
    await eventually(() => {
      const left = readdirSync(tmpdir()).filter((name) => name.startsWith('kilter-cluster-') && !before.has(name));
      expect(left.filter((name) => processesIn(name) === '')).toEqual([]);
    });
  });

  it('go with the process that started them, when it is killed', async () => {
    const runner = await aProcessThatStarts();
    const folder = join(await runner.kubeconfig, '..');
    expect(processesIn(folder)).toContain('kube-apiserver');

    runner.process.kill('SIGKILL');
    await eventually(() => expect(leftOf(folder)).toEqual([]));
    await eventually(() => expect(processesIn(folder)).toBe(''));
  });
});

describe('a folder of assets that lacks a program', () => {
  const before = process.env['KUBEBUILDER_ASSETS'];
  afterEach(() => {
    if (before === undefined) delete process.env['KUBEBUILDER_ASSETS'];
    else process.env['KUBEBUILDER_ASSETS'] = before;
  });

  it('is an error that names it', async () => {
    process.env['KUBEBUILDER_ASSETS'] = packageRoot;
    await expect(startControlPlane()).rejects.toThrow('where there is no etcd, kube-apiserver');
  });
});

/** Stands for a test runner that is killed and cannot tidy up. Compiled on the spot, so that it is these sources. */
async function aProcessThatStarts(): Promise<{ process: ChildProcess; kubeconfig: Promise<string> }> {
  const outfile = join(packageRoot, `build/runner-${process.pid}.mjs`);
  const contents = `
    import { startControlPlane } from './control-plane.js';
    const plane = await startControlPlane({ controllerManager: true });
    console.log(plane.kubeconfig);
    setInterval(() => {}, 1000);`;
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  await build({ stdin, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' });
  const runner = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  runner.once('exit', () => rmSync(outfile, { force: true }));
  const kubeconfig = once(runner.stdout, 'data').then(([line]) => String(line).trim());
  return { process: runner, kubeconfig };
}

/** The command lines of what lives in `folder`. */
function processesIn(folder: string): string {
  return commandLines()
    .filter((line) => line.includes(folder))
    .join('\n');
}

/** Of every process. Small images of Linux have no ps, and other systems no /proc. */
function commandLines(): string[] {
  if (!existsSync('/proc/self/cmdline')) return execFileSync('ps', ['-axo', 'args'], { encoding: 'utf8' }).split('\n');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        // It ended meanwhile.
        return '';
      }
    });
}

/** What is left of `folder`, under this name or the one that it has while it is removed. */
function leftOf(folder: string): string[] {
  return readdirSync(dirname(folder)).filter((name) => name.startsWith(basename(folder)));
}
