import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '../../src/kube/manifest.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { serviceAccountOf } from '../cluster/dist.js';

/** The rendered controller, running on this machine as it would in its Pod: same account, same arguments. */
export interface ControllerProcess {
  /** `namespace/name` of the account that it runs as. */
  readonly serviceAccount: string;
  readonly logFile: string;
  /** Rejects when the process ends of its own accord. */
  readonly ended: Promise<never>;
  lastLines(count: number): string;
  stop(): Promise<void>;
}

interface Workload {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] } };
  };
}

/** Starts the entry `src/controller.ts` with what the rendered Deployment says. */
export async function startController(
  plane: ControlPlane,
  deployment: Manifest,
  signal: AbortSignal,
): Promise<ControllerProcess> {
  const { namespace, name } = serviceAccountOf(deployment);
  const { args = [] } = (deployment as Manifest & Workload).spec.template.spec.containers[0] ?? {};
  const kubeconfig = await plane.serviceAccountKubeconfig(namespace, name);

  const folder = mkdtempSync(join(tmpdir(), 'kilter-controller-'));
  const logFile = join(folder, 'controller.log');
  const log = openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../src/controller.js'), ...onThisMachine(args)],
    {
      stdio: ['ignore', log, log],
      signal,
      killSignal: 'SIGTERM',
      env: { ...process.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: namespace, POD_NAME: 'demo' },
    },
  );
  closeSync(log);

  const lastLines = (count: number) => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  return {
    serviceAccount: `${namespace}/${name}`,
    logFile,
    ended: endOf(child),
    lastLines,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The arguments of the Pod, with ports that two demos on one machine do not fight over. */
function onThisMachine(args: readonly string[]): string[] {
  const kept = args.filter((arg) => !/^--(health-probe|metrics)-bind-address/.test(arg));
  return [...kept, '--health-probe-bind-address=0', '--metrics-bind-address=0'];
}

function endOf(child: ChildProcess): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, killedBy) =>
      reject(new Error(`the controller ended with ${killedBy ?? `code ${code}`}`)),
    );
  });
  // Nobody may be waiting when it ends in an orderly way.
  ended.catch(() => {});
  return ended;
}
