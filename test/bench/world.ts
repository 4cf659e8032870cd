import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../src/kube/manifest.js';
import { controllerOf } from '../../src/kube/owner-reference.js';
import type { Api } from './api.js';
import { deploymentsPath, servicesPath, type Track } from './bench-plane.js';

/** What is kept of an object; objects themselves would fill the memory. */
export interface Seen {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly observedGeneration: number | undefined;
  readonly replicas: number | undefined;
}

/** Of one kind, by the name of the custom resource. */
type KindOfWorld = Map<string, Seen>;

/** The cluster as an observer sees it who has nothing to do with any operator: by watches of its own. */
export class World {
  readonly #stop = new AbortController();
  readonly #waiters = new Set<() => void>();
  readonly #watches: Promise<void>[] = [];
  readonly customResources = new Map<string, Seen>();
  readonly deployments = new Map<string, Seen>();
  readonly services = new Map<string, Seen>();

  private constructor(private readonly api: Api) {}

  static async watch(api: Api, track: Track): Promise<World> {
    const world = new World(api);
    await world.#follow(track.path, world.customResources);
    await world.#follow(deploymentsPath, world.deployments);
    await world.#follow(servicesPath, world.services);
    return world;
  }

  /** True when both children are there and the status is of the present generation. */
  isConverged(name: string): boolean {
    const cr = this.customResources.get(name);
    return (
      cr !== undefined &&
      cr.observedGeneration === cr.generation &&
      this.deployments.has(name) &&
      this.services.has(name)
    );
  }

  /**
   * Resolves when `test` is true; it is asked after each event. Rejects at `end`, by the clock of `performance.now()`,
   * and says what was `reached`.
   */
  until(what: string, test: () => boolean, end: number, reached?: () => string): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => {
          this.#waiters.delete(look);
          reject(new Error(`the time was up before ${what}${reached === undefined ? '' : ` (${reached()})`}`));
        },
        Math.max(0, end - performance.now()),
      );
      const look = () => {
        if (!test()) return;
        clearTimeout(late);
        this.#waiters.delete(look);
        resolve();
      };
      this.#waiters.add(look);
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#watches);
  }

  async #follow(path: string, kind: KindOfWorld): Promise<void> {
    const list = (await this.api.ask('GET', path)) as {
      readonly items: readonly KubeObject[];
      readonly metadata: { readonly resourceVersion: string };
    };
    for (const object of list.items) kind.set(nameOf(object), seen(object));
    this.#watches.push(this.#watch(path, list.metadata.resourceVersion, kind));
  }

  async #watch(path: string, from: string, kind: KindOfWorld): Promise<void> {
    let version = from;
    while (!this.#stop.signal.aborted) {
      try {
        const query = `?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
        for await (const line of this.api.lines(path + query, this.#stop.signal)) {
          const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: KubeObject };
          if (type === 'ERROR') throw new Error(`the observer lost its watch of ${path}: ${line}`);
          version = object.metadata.resourceVersion;
          if (type === 'BOOKMARK') continue;
          const name = nameOf(object);
          if (type === 'DELETED') kind.delete(name);
          else kind.set(name, seen(object));
          for (const look of this.#waiters) look();
        }
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if ((error as Error).message.startsWith('the observer')) throw error;
        await sleep(50);
      }
    }
  }
}

/** The name of the custom resource that an object is, or belongs to. */
function nameOf(object: KubeObject): string {
  return controllerOf(object)?.name ?? object.metadata.name;
}

function seen({ metadata, spec, status }: KubeObject & { readonly spec?: unknown; readonly status?: unknown }): Seen {
  return {
    name: metadata.name,
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    observedGeneration: (status as { readonly observedGeneration?: number } | undefined)?.observedGeneration,
    replicas: (spec as { readonly replicas?: number } | undefined)?.replicas,
  };
}
