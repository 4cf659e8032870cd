import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { containerOf, operatorDeployment, readDist } from '../cluster/dist.js';
import { packageRoot } from '../cluster/package-root.js';
import { kilterTrack } from './bench-plane.js';
import { type Contender, workers } from './contender.js';

/**
 * Gives a program what a Pod has: the files of its ServiceAccount where they belong. In a mount namespace of its own, so
 * that nothing on this machine changes, and by `exec`, so that no process stands in between.
 */
const asPod = `
  folder=$1; shift
  mount -t tmpfs none /run && mkdir -p /run/secrets/kubernetes.io && cp -r "$folder" /run/secrets/kubernetes.io/serviceaccount
  exec "$@"`;
const unshare = ['unshare', '--map-root-user', '--mount', 'sh', '-ec', asPod, 'pod'] as const;

/** What the rendered Deployment says as it stands: its names come from the Pod. */
function renderedEnv(): Readonly<Record<string, string>> {
  const { env } = containerOf(operatorDeployment(readDist()));
  return Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** kilter as it runs in a cluster: the bundle of `src/controller.ts`, a process of its own, with a Pod's credentials. */
export function kilterContender(nodeFlags: readonly string[] = []): Contender {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-bench-bundle-'));
  execFileSync('npm', ['run', '--silent', 'bundle', '--', `--outdir=${folder}`], { cwd: packageRoot, stdio: 'ignore' });
  const entry = join(folder, 'controller.mjs');
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const [asInPod, env] = [canUnshare(), renderedEnv()];
  const node: readonly [string, ...string[]] = [
    process.execPath,
    ...nodeFlags,
    entry,
    '--operators=memcached',
    '--health-probe-bind-address=0',
    '--metrics-bind-address=0',
    '--log-level=warn',
    `--max-concurrent-reconciles=${workers}`,
  ];
  return {
    name: 'kilter',
    version: `${version}, Node ${process.versions.node}`,
    notes: [
      `The bundle of src/controller.ts (${Math.round(statSync(entry).size / 1000)} kB) with the shipped operator.`,
      'It also watches Pods, and its status has two conditions more than those of the peers. A child that is missing ten seconds after it was made, or sooner, costs it a read of the custom resource more.',
      ...(asInPod
        ? []
        : ['Mount namespaces are not to be had here, so it reads a kubeconfig, which costs it time and memory.']),
    ].join(' '),
    track: kilterTrack,
    launch: (bench) =>
      asInPod
        ? {
            command: node,
            around: [...unshare, bench.podFolder],
            cwd: folder,
            env: {
              ...env,
              KUBERNETES_SERVICE_HOST: '127.0.0.1',
              KUBERNETES_SERVICE_PORT: new URL(bench.plane.url).port,
            },
          }
        : {
            command: node,
            cwd: folder,
            env: { ...env, KUBECONFIG: bench.kubeconfig(kilterTrack) },
          },
  };
}

/** The floor: the same three writes for each custom resource in their cheapest form, and nothing else. */
export function bareContender(): Contender {
  return {
    name: 'bare loop',
    version: `undici ${undiciVersion()}, Node ${process.versions.node}`,
    notes:
      'A watch of the custom resources, and for each a POST of both children and an apply of the status, as texts that were made beforehand of what kilter writes. It compares nothing, corrects nothing and remembers nothing.',
    track: kilterTrack,
    launch: (bench) => ({
      command: [process.execPath, join(import.meta.dirname, 'bare-loop.js')],
      cwd: packageRoot,
      env: { KUBECONFIG: bench.kubeconfig(kilterTrack) },
    }),
    createsOnly: true,
  };
}

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/run'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

function undiciVersion(): string {
  const file = join(packageRoot, 'node_modules/undici/package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
