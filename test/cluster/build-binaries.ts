import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { kubernetesVersion } from './kubernetes-version.js';
import { packageRoot } from './package-root.js';

const [major, minor] = kubernetesVersion.slice(1).split('.');
// Without these the server calls itself v0.0.0-master, and clients refuse or warn.
const stamp = { gitVersion: kubernetesVersion, gitMajor: major, gitMinor: minor };
const linkerFlags = [
  '-s -w',
  ...Object.entries(stamp).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
].join(' ');

/** What is built, in order: the small one first, so that a broken toolchain shows at once. */
const steps = [
  { module: 'etcd', package: 'go.etcd.io/etcd/server/v3', output: 'etcd' },
  { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl', output: 'kubectl' },
  { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-apiserver', output: 'kube-apiserver' },
  { module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-controller-manager', output: 'kube-controller-manager' },
] as const;

/**
 * Builds the control plane into `folder`, telling its progress every few seconds.
 *
 * **Guarantees.** `folder` appears whole or not at all: it is built beside it and renamed. Of several processes that ask for it at
 * once, one builds, and the others wait for it; when that one is killed, another takes its place within a minute.
 */
export async function buildBinaries(folder: string, progress: (line: string) => void): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const workshop = `${folder}.building`;
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  while (!takes(workshop)) {
    if (existsSync(folder)) return;
    progress(`another process builds the control plane (${seconds()} s; about 5 minutes, once)`);
    await setTimeout(lookMilliseconds);
  }
  try {
    // It may have come while we waited.
    if (existsSync(folder)) return;
    for (const [index, step] of steps.entries()) {
      const tell = () => {
        progress(
          `building ${step.output} with Go (${index + 1} of ${steps.length}, ${seconds()} s; about 5 minutes, once)`,
        );
        // So that others see that somebody is at work.
        if (existsSync(workshop)) utimesSync(workshop, new Date(), new Date());
      };
      tell();
      const timer = setInterval(tell, lookMilliseconds);
      try {
        const output = join(workshop, step.output);
        await go(['build', '-trimpath', '-ldflags', linkerFlags, '-o', output, step.package], step.module);
      } finally {
        clearInterval(timer);
      }
    }
    renameSync(workshop, folder);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

const lookMilliseconds = 5000;
const abandonedMilliseconds = 60_000;

/** Whether we are the one who builds in `workshop`: it was not there, or whoever made it tells nothing any more. */
function takes(workshop: string): boolean {
  if (isAbandoned(workshop)) rmSync(workshop, { recursive: true, force: true });
  try {
    mkdirSync(workshop);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(workshop: string): boolean {
  const { mtimeMs } = statSync(workshop, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Date.now() - mtimeMs > abandonedMilliseconds;
}

function go(args: readonly string[], module: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: join(packageRoot, 'test/cluster/modules', module),
      // A workspace above this folder must not mix its modules into ours.
      env: { ...process.env, GOWORK: 'off' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let tail = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-2000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args[0]} ${args.at(-1)} failed with code ${code}:\n${tail}`));
    });
  });
}
