import {
  type ControllerOptions,
  type Controllers,
  startControllers,
} from '../../../src/embedded/controllers/start-controllers.js';
import { EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { Random } from '../conformance/random.js';

/** As callers write it: the version and kind come from the resource. */
export interface Written {
  readonly metadata: Manifest['metadata'];
  readonly [field: string]: unknown;
}

/** An embedded cluster with its small controllers, in virtual time, where nothing fails unseen. */
export class SmallWorld {
  readonly clock = new VirtualClock();
  readonly server: EmbeddedServer;
  readonly problems: unknown[] = [];
  readonly #random: Random;
  controllers: Controllers;

  constructor(
    private readonly options: ControllerOptions = {},
    seed = 'small world',
  ) {
    this.#random = new Random(seed);
    const random = () => this.#random.next();
    this.server = new EmbeddedServer({ clock: this.clock, random, controllers: false });
    this.controllers = this.start();
  }

  start(options = this.options): Controllers {
    const { verbs, kinds, store, clock, random } = this.server;
    const report = (error: unknown, controller: string, key: string) => this.problems.push({ controller, key, error });
    this.controllers = startControllers({ server: verbs, kinds, store, clock, random }, { report, ...options });
    return this.controllers;
  }

  get cluster() {
    return this.server.cluster();
  }

  create(resource: ApiResource, { metadata, ...rest }: Written): Promise<KubeObject> {
    const namespaced = resource.namespaced ? { namespace: 'default' } : {};
    const manifest: Manifest = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { ...namespaced, ...metadata },
      ...rest,
    };
    return this.cluster.create(resource, manifest, { fieldManager: 'test' });
  }

  patch(resource: ApiResource, name: string, body: unknown, subresource?: 'status'): Promise<KubeObject> {
    const target = { name, ...(resource.namespaced ? { namespace: 'default' } : {}) };
    const options = { fieldManager: 'test', ...(subresource ? { subresource } : {}) };
    return this.cluster.patch(resource, target, { type: 'merge', body }, options);
  }

  async list(resource: ApiResource, namespace = 'default'): Promise<readonly KubeObject[]> {
    return (await this.cluster.list(resource, resource.namespaced ? { namespace } : {})).items;
  }

  async names(resource: ApiResource, namespace = 'default'): Promise<readonly string[]> {
    return (await this.list(resource, namespace)).map(({ metadata }) => metadata.name);
  }

  async get<T = KubeObject>(resource: ApiResource, name: string, namespace = 'default'): Promise<T & KubeObject> {
    return (await this.cluster.get(resource, { name, ...(resource.namespaced ? { namespace } : {}) })) as T &
      KubeObject;
  }

  /** Lets time pass until nothing is awaited. */
  async settle(withinSeconds = 3600): Promise<void> {
    await this.clock.advance(0);
    for (let passed = 0; !this.controllers.settled(); passed++) {
      if (passed > withinSeconds) throw new Error('the controllers do not come to rest');
      await this.clock.advance(1000);
    }
    if (this.problems.length > 0) throw new Error('a controller failed', { cause: this.problems[0] });
  }
}

export function podSpec(name = 'web') {
  return { containers: [{ name, image: 'registry.example/web:1' }] };
}

export function workload(name: string, more: object = {}) {
  return {
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: podSpec() },
      ...more,
    },
  };
}
