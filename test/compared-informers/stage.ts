import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpCluster } from '../../src/client/http-cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { type Clock, systemClock } from '../../src/kube/clock.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { compareVersions } from '../../src/runtime/informer/store.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { eventually } from '../cluster/eventually.js';
import { FaultProxy } from '../cluster/fault-proxy.js';
import type { Match, ProxiedRequest } from '../cluster/proxy-rules.js';
import type { InformerUnderTest, RunningInformer, Shown } from './informer-under-test.js';

/** What a stage stands on. `admin` goes past the proxy. */
export interface Ground {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly admin: HttpCluster;
  readonly plane: Pick<ControlPlane, 'kubectl' | 'serviceAccountToken'>;
}

export const configMaps: ApiResource = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** Requests that ask for the whole: a list, or a stream that begins with one. One for a single name asks how new it would be. */
export const lists: Match = {
  method: 'GET',
  when: ({ isWatch, path }) =>
    !path.includes('fieldSelector=') && (!isWatch || path.includes('sendInitialEvents=true')),
};
/** Requests that ask for what comes after a version. */
export const resumes: Match = { watch: true, when: ({ path }) => !path.includes('sendInitialEvents=true') };
export const watches: Match = { watch: true };

/** One case: a namespace, a proxy, an informer behind it, and a witness of all that it says. */
export class Stage {
  /** What an informer may never do, and this one did. */
  readonly wrongs: string[] = [];
  clock: Clock = systemClock;
  resource: ApiResource = configMaps;
  /** As whom the informer comes. */
  token: string;
  #informer: RunningInformer | undefined;
  readonly #told = new Map<string, string>();

  private constructor(
    readonly namespace: string,
    readonly ground: Ground,
    readonly proxy: FaultProxy,
    private readonly folder: string,
    private readonly underTest: InformerUnderTest,
  ) {
    this.token = ground.token;
  }

  static async open(ground: Ground, namespace: string, underTest: InformerUnderTest): Promise<Stage> {
    const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    const namespaces = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
    await ground.admin.create(namespaces, manifest, { fieldManager: 'suite' });
    const folder = mkdtempSync(join(tmpdir(), 'kilter-informer-'));
    return new Stage(namespace, ground, await FaultProxy.start(ground), folder, underTest);
  }

  /** Starts the informer; resolves at once. */
  async start(): Promise<void> {
    this.giveCredentials();
    const reach = { url: this.proxy.url, tokenFile: join(this.folder, 'token'), caFile: join(this.folder, 'ca.crt') };
    const watched = { resource: this.resource, namespace: this.namespace };
    this.#informer = await this.underTest.start(reach, watched, (type, object) => this.#hear(type, object), this.clock);
  }

  /** Starts it with these objects, and waits until it shows them and watches. */
  async started(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.create(name);
    await this.start();
    await this.inSync();
    await this.watching();
  }

  /** Writes the files of a Pod anew. */
  giveCredentials(): void {
    writeFileSync(join(this.folder, 'token'), this.token);
    writeFileSync(join(this.folder, 'ca.crt'), this.proxy.ca);
    writeFileSync(join(this.folder, 'namespace'), this.namespace);
  }

  /** A token of somebody who may do anything, another each time. */
  async newToken(): Promise<string> {
    const { kubectl, serviceAccountToken } = this.ground.plane;
    const token = await serviceAccountToken(this.namespace, 'reader');
    const whom = ['--clusterrole=cluster-admin', `--serviceaccount=${this.namespace}:reader`];
    await kubectl(['create', 'clusterrolebinding', this.namespace, ...whom], { allowFailure: true });
    return token;
  }

  get informer(): RunningInformer {
    if (!this.#informer) throw new Error('the informer was not started');
    return this.#informer;
  }

  create(name: string, data: Readonly<Record<string, string>> = {}): Promise<KubeObject> {
    const { apiVersion, kind } = this.resource;
    const manifest = { apiVersion, kind, metadata: { name, namespace: this.namespace }, data };
    return this.ground.admin.create(this.resource, manifest, { fieldManager: 'suite' });
  }

  change(
    name: string,
    data: Readonly<Record<string, string>> = { at: String(performance.now()) },
  ): Promise<KubeObject> {
    const target = { name, namespace: this.namespace };
    return this.ground.admin.patch(this.resource, target, { type: 'merge', body: { data } }, { fieldManager: 'suite' });
  }

  remove(name: string): Promise<void> {
    return this.ground.admin.delete(this.resource, { name, namespace: this.namespace });
  }

  /** Everything that may happen while nobody looks: an object comes, one changes, one goes, one is made anew. */
  async meanwhile(): Promise<void> {
    await this.create('new');
    await this.change('a');
    await this.remove('gone');
    await this.remove('again');
    await this.create('again');
  }

  truth(): Promise<readonly KubeObject[]> {
    return this.ground.admin.list(this.resource, { namespace: this.namespace }).then(({ items }) => items);
  }

  /** Resolves when the informer shows what is there, version by version. */
  async inSync(seconds = 20): Promise<void> {
    const wanted = versionsOf(await this.truth());
    await eventually(() => {
      const shown = versionsOf(this.informer.list());
      if (shown !== wanted) throw new Error(`it shows ${shown || 'nothing'}, and there is ${wanted || 'nothing'}`);
    }, seconds);
  }

  /** Resolves when its listeners have heard of the last state of all that is there, and of the end of all else. */
  async heardAll(seconds: number): Promise<void> {
    const wanted = new Map((await this.truth()).map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
    await eventually(() => {
      const living = [...this.#told].filter(([, version]) => version !== 'deleted');
      const phantoms = living.filter(([uid]) => !wanted.has(uid));
      const missed = [...wanted].filter(([uid, version]) => this.#told.get(uid) !== version);
      if (phantoms.length + missed.length === 0) return;
      throw new Error(`it did not tell of ${missed.length} changes and of the end of ${phantoms.length} objects`);
    }, seconds);
  }

  /** Resolves when a watch is open, so that a fault has something to befall. */
  watching(): Promise<ProxiedRequest> {
    return eventually(() => {
      const open = this.proxy.seen(watches).find(({ outcome, code }) => outcome === 'under way' && code === 200);
      if (!open) throw new Error('no watch is open');
      return open;
    });
  }

  /** Ends the watch in good order, as a server does every few minutes; not so soon that it would look like a failure. */
  async finishWatch(): Promise<void> {
    await eventually(async () => {
      const { sentAt = 0 } = await this.watching();
      if (performance.now() - sentAt < 1100) throw new Error('the watch is too young');
    });
    this.proxy.end(watches, 'finish');
  }

  async close(): Promise<void> {
    await this.#informer?.stop().catch(() => {});
    await this.proxy.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #hear(type: string, { metadata: { name, uid, resourceVersion } = {}, kind }: Shown): void {
    if (name === undefined || uid === undefined || resourceVersion === undefined) {
      this.wrongs.push(`told of ${type} something that is no object: ${kind}`);
      return;
    }
    const before = this.#told.get(uid);
    if (before === 'deleted' && type !== 'deleted') this.wrongs.push(`brought back ${name}, which was deleted`);
    else if (before !== undefined && type !== 'deleted' && compareVersions(resourceVersion, before) < 0) {
      this.wrongs.push(`went back to an older ${name}`);
    }
    this.#told.set(uid, type === 'deleted' ? 'deleted' : resourceVersion);
  }
}

function versionsOf(objects: readonly Shown[]): string {
  return objects
    .map(({ metadata }) => `${metadata?.name}@${metadata?.resourceVersion}`)
    .sort()
    .join(' ');
}
