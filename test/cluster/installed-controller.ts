import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { ControlPlane } from './control-plane.js';
import {
  applyInWaves,
  containerOf,
  memcachedOperator,
  operatorDeployment,
  readDist,
  serviceAccountOf,
} from './dist.js';
import { eventually } from './eventually.js';
import type { FaultProxy } from './fault-proxy.js';
import { packageRoot } from './package-root.js';

export interface StartOptions {
  /** The way to the API server. */
  readonly proxy: Pick<FaultProxy, 'kubeconfig'>;
  /** Of its Pod: a container that is started again keeps it. */
  readonly podName?: string;
  /** Further flags; of one that is given twice the last counts. */
  readonly flags?: readonly string[];
  readonly nodeOptions?: string;
  /** Its token is in a file, as that of a Pod, and is another one after `renewAccount`. */
  readonly readsToken?: boolean;
  /** Another program than the one of the image: its path. */
  readonly program?: string | undefined;
}

/** Flags with which anybody here may read its metrics, and see by them when it has nothing left to do. */
export const openMetrics = ['--metrics-bind-address=127.0.0.1:0', '--metrics-secure=false'];

/**
 * The rendered install on a control plane, and its controller as the image holds it: bundled, in a process of its own,
 * as its ServiceAccount, with the arguments of its Deployment.
 */
export class InstalledController {
  readonly #processes = new Set<ControllerProcess>();
  #files = 0;
  readonly #tokenFile: string;

  private constructor(
    readonly namespace: string,
    readonly username: string,
    readonly lease: string,
    private readonly plane: ControlPlane,
    private readonly token: string,
    private readonly args: readonly string[],
    /** For what belongs to it: within the package, and removed with it. */
    readonly folder: string,
  ) {
    this.#tokenFile = join(folder, 'token');
    writeFileSync(this.#tokenFile, token, { mode: 0o600 });
  }

  static async on(plane: ControlPlane, operator = memcachedOperator): Promise<InstalledController> {
    await applyInWaves(
      plane,
      readDist().filter(({ isSample }) => !isSample),
    );
    return InstalledController.of(plane, operator);
  }

  /** The same where somebody has applied the install already. */
  static async of(plane: ControlPlane, operator = memcachedOperator): Promise<InstalledController> {
    // Within the package, since what the bundle loads late is not in it.
    const folder = join(packageRoot, 'build', `installed-${randomBytes(4).toString('hex')}`);
    mkdirSync(folder, { recursive: true });
    await promisify(execFile)('npm', ['run', 'bundle', '--', `--outdir=${folder}`], { cwd: packageRoot });
    const deployment = operatorDeployment(readDist(), operator);
    const { namespace, name } = serviceAccountOf(deployment);
    const { args = [] } = containerOf(deployment);
    const token = await plane.serviceAccountToken(namespace, name);
    const username = `system:serviceaccount:${namespace}:${name}`;
    return new InstalledController(namespace, username, name, plane, token, args, folder);
  }

  /**
   * Its ServiceAccount is deleted, and made again: no token of before is good any more. Where the API server is away meanwhile,
   * there is a token as soon as that is back, as a kubelet has one.
   */
  async renewAccount(): Promise<void> {
    const [, , namespace = '', name = ''] = this.username.split(':');
    try {
      await this.plane.kubectl(['delete', 'serviceaccount', name, '-n', namespace]);
    } finally {
      // Whether it is gone nobody knows whose answer was lost.
      writeFileSync(this.#tokenFile, await eventually(() => this.plane.serviceAccountToken(namespace, name), 120));
    }
  }

  start({
    proxy,
    podName = 'one',
    flags = [],
    nodeOptions = '',
    readsToken,
    program,
  }: StartOptions): ControllerProcess {
    const kubeconfig = join(this.folder, `kubeconfig-${this.#files++}`);
    const token = readsToken ? { file: this.#tokenFile } : this.token;
    writeFileSync(kubeconfig, proxy.kubeconfig(token), { mode: 0o600 });
    const own = [`--kubeconfig=${kubeconfig}`, '--health-probe-bind-address=0', '--metrics-bind-address=0'];
    const path = program ?? join(this.folder, 'controller.mjs');
    const child = spawn(process.execPath, [path, ...this.args, ...own, ...flags], {
      env: { POD_NAME: podName, POD_NAMESPACE: this.namespace, NODE_OPTIONS: nodeOptions },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new ControllerProcess(child);
    this.#processes.add(started);
    return started;
  }

  /** Ends every process that was started here, also one that is stopped. */
  async endAll(): Promise<void> {
    for (const each of this.#processes) await each.kill();
    this.#processes.clear();
  }

  async remove(): Promise<void> {
    await this.endAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** How a process ended: by itself with a code, or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A controller that runs, or ran. */
export class ControllerProcess {
  output = '';
  readonly exited: Promise<Exit>;
  #isGone = false;

  constructor(private readonly child: ChildProcess) {
    const listen = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => {
      this.#isGone = true;
    });
    // With all that it said.
    this.exited = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Exit);
  }

  /** Throws where it could not be started. */
  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the controller could not be started');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return !this.#isGone;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.#isGone) this.child.kill(signal);
  }

  /** Nobody reads what it says any more. */
  hangUp(): void {
    this.child.stdout?.destroy();
  }

  /** SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  /**
   * Throws unless it has filled its stores and looked `times` or more at custom resources, which is once at each that it
   * knows where nothing is said, and nothing waits or is under way. For one with `openMetrics`.
   */
  async expectIdle(times?: number): Promise<void> {
    expect(this.output).toContain('Stores are filled');
    // In one look: what waits in one and runs in the next may be in neither of two.
    const told = await this.#metrics();
    const [waiting, running, done, there] = [
      'workqueue_depth',
      'controller_runtime_active_workers',
      'controller_runtime_reconcile_total',
      'kilter_custom_resources',
    ].map(told);
    expect({ waiting, running }).toEqual({ waiting: 0, running: 0 });
    expect(done).toBeGreaterThanOrEqual(times ?? there ?? 0);
  }

  /** Of its metrics `name`, summed up. For one with `openMetrics`. */
  async metric(name: string): Promise<number> {
    return (await this.#metrics())(name);
  }

  async #metrics(): Promise<(name: string) => number> {
    if (this.#isGone) throw new Error(`the controller has ended: ${this.output.slice(-2000)}`);
    const [{ address } = {}] = this.said('Serving metrics');
    const text = await (await fetch(`http://${address}/metrics`)).text();
    return (name) => {
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (.+)$`, 'gm'))];
      if (values.length === 0) throw new Error(`there is no metric ${name}`);
      return values.reduce((sum, [, value]) => sum + Number(value), 0);
    };
  }

  /** The lines of its log that say `message`. */
  said(message: string): readonly Readonly<Record<string, unknown>>[] {
    if (!this.output.includes(message)) return [];
    return this.output
      .split('\n')
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Readonly<Record<string, unknown>>];
        } catch {
          return [];
        }
      })
      .filter(({ msg }) => msg === message);
  }
}
