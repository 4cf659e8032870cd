import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import type { Manifest } from '../../src/kube/manifest.js';
import type { GuardedFolder } from '../cluster/guarded-folder.js';

/** The rendered controller, running on this machine as it would in its Pod: same account, same arguments. */
export interface ControllerProcess {
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

export interface ControllerOptions {
  /** The compiled entry `src/controller.ts`. */
  readonly program: string;
  /** What its arguments are taken from. */
  readonly deployment: Manifest;
  readonly kubeconfig: string;
  /** Of its files. Default: `controller`. */
  readonly name?: string;
  /** What its environment holds beyond that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its log goes, and what ends it should this process be killed. */
  readonly folder: GuardedFolder;
}

/** Starts the controller with what the rendered Deployment says. */
export function startController(options: ControllerOptions): ControllerProcess {
  const { program, deployment, kubeconfig, folder, env = {}, name = 'controller' } = options;
  const { args = [] } = (deployment as Manifest & Workload).spec.template.spec.containers[0] ?? {};
  const logFile = folder.file(`${name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [program, ...onThisMachine(args)], {
    stdio: ['ignore', log, log],
    // Ctrl-C in a terminal is for the story, which has things to take away before the controller ends.
    detached: true,
    env: {
      ...process.env,
      KUBECONFIG: kubeconfig,
      POD_NAMESPACE: deployment.metadata.namespace ?? 'default',
      POD_NAME: 'demo',
      ...env,
    },
  });
  closeSync(log);
  const pidFile = folder.write(`${name}.pid`, String(child.pid ?? ''));

  return {
    logFile,
    ended: endOf(child),
    lastLines: (count) => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      // The number may be another's from now on.
      rmSync(pidFile, { force: true });
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
