import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
 * **Guarantees.** `folder` appears whole or not at all: it is built beside it and renamed. Of two builds at once, one
 * wins and both succeed. What a build left behind that was killed is removed a day later.
 */
export async function buildBinaries(folder: string, progress: (line: string) => void): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  sweep(folder);
  const workshop = mkdtempSync(`${folder}${workshopMark}`);
  const start = Date.now();
  try {
    for (const [index, step] of steps.entries()) {
      const tell = () => {
        const seconds = Math.round((Date.now() - start) / 1000);
        progress(
          `building ${step.output} with Go (${index + 1} of ${steps.length}, ${seconds} s; about 5 minutes, once)`,
        );
      };
      tell();
      const timer = setInterval(tell, 5000);
      try {
        const output = join(workshop, step.output);
        await go(['build', '-trimpath', '-ldflags', linkerFlags, '-o', output, step.package], step.module);
      } finally {
        clearInterval(timer);
      }
    }
    try {
      renameSync(workshop, folder);
    } catch (error) {
      // Another build was faster. It built the same.
      if (!existsSync(join(folder, steps[0].output))) throw error;
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

const workshopMark = '.build-';
const dayMilliseconds = 24 * 60 * 60 * 1000;

function sweep(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    const isWorkshop = name.startsWith(`${basename(folder)}${workshopMark}`);
    if (isWorkshop && Date.now() - statSync(path).mtimeMs > dayMilliseconds)
      rmSync(path, { recursive: true, force: true });
  }
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
