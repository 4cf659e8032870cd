import { expect } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { Json, KubeObject } from '../../src/kube/manifest.js';
import { comingsAndGoings, writesOf } from './audit.js';
import type { ControlPlane } from './control-plane.js';
import type { Subject, Workload } from './crash-workloads.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { type ControllerProcess, InstalledController, openMetrics } from './installed-controller.js';
import { type Match, matches, type ProxiedRequest, work } from './proxy-rules.js';
import { comparable } from './settled-state.js';

/** When the controller dies: at the write after `skip` others. */
export interface Death {
  readonly when: 'before sent' | 'after committed';
  readonly skip: number;
  /** Of these alone: `POST services`. Absent: of all. */
  readonly of?: string;
}

/** How one workload ended. */
export interface Played {
  readonly name: string;
  readonly state: readonly Json[];
  /** What was created and deleted for it. */
  readonly history: readonly string[];
  /** What the controller wrote from when the workload began: `PATCH memcacheds/status`. */
  readonly writes: readonly string[];
  /** The write at which it was killed; absent where it did not come to that. */
  readonly killedAt?: string;
}

const quietMilliseconds = 250;

/** A controller in a process of its own that can be killed at any of its writes, and what it leaves behind. */
export class CrashStage {
  /** The runs of which everything is still there. */
  readonly played: Played[] = [];
  #controller: ControllerProcess;
  /** When the process that was started last was seen to have worked; absent while it was not. */
  #workedAt: number | undefined;
  #changes = 0;
  #runs = 0;

  private constructor(
    readonly admin: HttpCluster,
    private readonly plane: ControlPlane,
    private readonly subject: Subject,
    private readonly proxy: FaultProxy,
    private readonly installed: InstalledController,
  ) {
    this.#controller = this.#launch();
  }

  static async open(plane: ControlPlane, subject: Subject): Promise<CrashStage> {
    const installed = await InstalledController.on(plane, subject.operator);
    const proxy = await FaultProxy.start(plane);
    const admin = connect(await kubeConfig({ path: plane.kubeconfig }));
    await subject.prepare(admin);
    const stage = new CrashStage(admin, plane, subject, proxy, installed);
    await stage.#changeSentinel();
    return stage;
  }

  async close(): Promise<void> {
    await this.installed.remove();
    await this.proxy.close();
    await this.admin.close();
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return this.#controller.kill();
  }

  start(): void {
    this.#workedAt = undefined;
    this.#controller = this.#launch();
  }

  #launch(): ControllerProcess {
    const launched = this.installed.start({ proxy: this.proxy, flags: openMetrics });
    void launched.exited.then(({ code }) => {
      // On a machine that is busy a Lease may be lost; a kubelet starts such a process again.
      if (code === 1 && launched.said('Lost the Lease').length > 0) this.start();
    });
    return launched;
  }

  nextName(): string {
    return `run${(++this.#runs).toString().padStart(3, '0')}`;
  }

  /** One run of a workload, with at most one death. */
  async play({ before, act, leaves, isMany }: Workload, death?: Death): Promise<Played> {
    const name = this.nextName();
    if (before) {
      await before(this.admin, name);
      await eventually(() => this.rest(name, this.subject.settles), 60);
    }
    // Creations name their objects in the body.
    const isOurs = (request: ProxiedRequest) =>
      matches(work, request) && `${request.path}${request.body}`.includes(name);
    const earlier = this.proxy.seen({ when: isOurs }).length;
    let killedAt: ProxiedRequest | undefined;
    const run = async (request: ProxiedRequest) => {
      killedAt = request;
      this.#workedAt = undefined;
      await this.kill();
      // It is there when the next process comes, which has to act on it.
      await this.#changeSentinel();
      this.start();
    };
    const isDoomed = (request: ProxiedRequest) =>
      isOurs(request) && (death?.of === undefined || described(request) === death.of);
    const doomed: Match = { when: isDoomed, skip: death?.skip ?? 0 };
    const rule = death && this.proxy.on(doomed, { type: death.when, next: 'drop', run });
    await act(this.admin, name);
    try {
      const objects = await eventually(() => this.rest(name, leaves), 60);
      const writes = this.proxy.seen({ when: isOurs }).slice(earlier).map(described);
      const { resource, manager } = this.subject;
      const state = comparable(objects, { name, resource, manager });
      const history = await this.#historyOf(name);
      const played = { name, state, history, writes, ...(killedAt && { killedAt: described(killedAt) }) };
      if (isMany) await this.#clear(name);
      else this.played.push(played);
      return played;
    } catch (error) {
      const where = killedAt ? `killed ${death?.when}: ${killedAt.method} ${killedAt.path}` : 'undisturbed';
      throw new Error(`${name}, ${where}: no rest\n${this.#controller.output.slice(-3000)}`, { cause: error });
    } finally {
      rule?.remove();
    }
  }

  /** Nothing is left to be done: the controller has worked, all is there, all is said, and no write came for a while. */
  async rest(name: string, count: number): Promise<readonly KubeObject[]> {
    await this.#hasWorked();
    expect(this.proxy.quietFor(work)).toBeGreaterThan(quietMilliseconds);
    const objects = await this.#objectsOf(name);
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toHaveLength(count);
    for (const object of objects) if (object.kind === this.subject.resource.kind) expectReady(object);
    return objects;
  }

  /** What the controller created and deleted for a run, as the API server remembers it. */
  async #historyOf(name: string): Promise<readonly string[]> {
    return historyIn(comingsAndGoings(await this.writes()), name);
  }

  /** What the histories of those runs have become by now. */
  async histories(): Promise<Readonly<Record<string, readonly string[]>>> {
    const all = comingsAndGoings(await this.writes());
    return Object.fromEntries(this.played.map(({ name }) => [name, historyIn(all, name)]));
  }

  /** All writes of the controller so far. */
  async writes() {
    return writesOf(await this.plane.audit(), this.installed.username);
  }

  /** Deletes the custom resources of a run, and waits until their children are gone, too. */
  async #clear(name: string): Promise<void> {
    const { resource } = this.subject;
    const custom = (await this.#objectsOf(name)).filter(({ kind }) => kind === resource.kind);
    await Promise.all(custom.map(({ metadata }) => this.admin.delete(resource, placeOf(metadata))));
    await eventually(async () => expect(await this.#objectsOf(name)).toEqual([]), 120);
  }

  /**
   * The process that was started last has come to the end of all that there was when it came, and of what was changed
   * before; and that was a while ago.
   */
  async #hasWorked(): Promise<void> {
    const { metadata } = this.subject.sentinel(0);
    if (this.#workedAt === undefined) {
      expect(this.#controller.output).toContain('Became leader');
      expectReady(await this.admin.get(this.subject.resource, placeOf(metadata)));
      await this.#controller.expectIdle();
      this.#workedAt = performance.now();
    }
    expect(performance.now() - this.#workedAt).toBeGreaterThan(quietMilliseconds);
  }

  async #changeSentinel(): Promise<void> {
    const sentinel = this.subject.sentinel(++this.#changes);
    await this.admin.apply(this.subject.resource, sentinel, { fieldManager: 'a-person', force: true });
  }

  async #objectsOf(name: string): Promise<KubeObject[]> {
    const { resource, children } = this.subject;
    const lists = await Promise.all([resource, ...children].map((kind) => this.admin.list(kind)));
    const isOfRun = ({ metadata }: KubeObject) => metadata.name === name || metadata.name.startsWith(`${name}-`);
    return lists.flatMap(({ items }) => items.filter(isOfRun));
  }
}

function described({ method, path }: ProxiedRequest): string {
  const { pathname } = new URL(path, 'https://localhost');
  const [, plural, subresource] = /\/namespaces\/[^/]+\/([^/]+)(?:\/[^/]+)?(\/[^/]+)?$/.exec(pathname) ?? [];
  return `${method} ${plural}${subresource ?? ''}`;
}

function placeOf({ name, namespace = 'default' }: { readonly name: string; readonly namespace?: string }) {
  return { name, namespace };
}

function historyIn(all: readonly string[], name: string): readonly string[] {
  return all
    .filter((entry) => new RegExp(`/${name}(-|$)`).test(entry))
    .map((entry) => entry.replace(name, '$name'))
    .sort();
}

/** Of a custom resource all is said. */
function expectReady(object: KubeObject): void {
  const { status } = object as { status?: { conditions?: unknown; observedGeneration?: number } };
  expect(status?.observedGeneration).toBe(object.metadata.generation);
  expect(status?.conditions).toEqual([expect.objectContaining({ type: 'Ready', status: 'True' })]);
}
