import { setTimeout as sleep } from 'node:timers/promises';
import { NotFoundError } from '../../../src/client/api-error.js';
import type { DeleteOptions, Target } from '../../../src/client/cluster.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import type { Dice } from '../../simulation/dice.js';
import { eventually } from '../eventually.js';

/** What can be done, by its name; each resolves when it is done, and rejects where there is nothing to do it to. */
export type Deeds = Readonly<Record<string, () => Promise<unknown>>>;

/** The one that stays, and those that are deleted, with what is in them, and made again. */
export const lasting = 'default';
export const passing = ['blue', 'green'] as const;
export const namespaces = [lasting, ...passing];

/** Of one child; what is changed back more often is a fight, which takes its time on purpose: docs/drift.md. */
const mostDrifts = 2;
const held = 'soak.kilter.dev/held';

/** Those of people who change custom resources, and of others who change their children. */
export class Hands {
  readonly write = { fieldManager: 'somebody' };
  readonly #drifts = new Map<string, number>();

  constructor(
    readonly cluster: HttpCluster,
    readonly dice: Dice,
  ) {}

  create(
    kind: ApiResource,
    target: Target,
    fields: Readonly<Record<string, Json>>,
    annotations = {},
  ): Promise<unknown> {
    const metadata = { ...target, annotations };
    return this.cluster.create(kind, { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...fields }, this.write);
  }

  /** One of those that are there, and so named; rejects where none is. */
  async some(kind: ApiResource, name = /./, namespace?: string): Promise<Target> {
    const { items } = await this.cluster.list(kind, namespace === undefined ? {} : { namespace });
    const all = items.filter(({ metadata }) => name.test(metadata.name));
    if (all.length === 0) throw new Error(`there is no ${kind.kind} named ${name}`);
    const { metadata } = this.dice.one(all);
    return metadata.namespace === undefined
      ? { name: metadata.name }
      : { namespace: metadata.namespace, name: metadata.name };
  }

  async merge(kind: ApiResource, target: Target | Promise<Target>, body: Json): Promise<unknown> {
    return this.cluster.patch(kind, await target, { type: 'merge', body }, this.write);
  }

  async delete(kind: ApiResource, target: Promise<Target>, options?: DeleteOptions): Promise<void> {
    await this.cluster.delete(kind, await target, options);
  }

  /** Deleted and made again, at once. */
  async makeAnew(
    kind: ApiResource,
    create: (target: Target) => Promise<unknown>,
    options?: DeleteOptions,
  ): Promise<void> {
    const target = await this.some(kind);
    await this.cluster.delete(kind, target, options);
    await create(target);
  }

  /** Changes what is not its own, which is changed back. */
  async drift(kind: ApiResource, which: Promise<Target>, body: Json): Promise<void> {
    const target = await which;
    const key = `${kind.kind}/${target.namespace}/${target.name}`;
    const times = (this.#drifts.get(key) ?? 0) + 1;
    if (times > mostDrifts) throw new Error(`${key} has drifted often enough`);
    await this.merge(kind, target, body);
    this.#drifts.set(key, times);
  }

  /** Deletes what cannot go before its finalizer is taken away, some seconds later. */
  async deleteHeld(kind: ApiResource, which: Promise<Target>): Promise<void> {
    const target = await which;
    const finalizers = ({ metadata }: KubeObject) => metadata.finalizers ?? [];
    const change = async (to: (now: readonly string[]) => readonly string[]) => {
      const now = await this.cluster.get(kind, target);
      const metadata = { ...now.metadata, finalizers: to(finalizers(now)) };
      await this.cluster.update(kind, { ...now, metadata } as KubeObject, this.write);
    };
    await change((now) => [...now, held]);
    try {
      await this.cluster.delete(kind, target);
      await sleep(this.dice.whole(0, 4000));
    } finally {
      // Whatever goes wrong meanwhile: nobody else takes it away.
      await eventually(() => change((now) => now.filter((each) => each !== held)).catch(unlessGone), 60);
    }
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

/** What both verdicts and people say of a custom resource. */
export interface Custom extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  };
}

/** `Ready=True`, of what its controller has seen; `Ready=False:Progressing`. */
export function readyOf({ metadata, status }: Custom): string {
  if (status?.observedGeneration !== metadata.generation) return 'not seen yet';
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? 'Ready=True' : `Ready=${ready?.status}:${ready?.reason}`;
}

export function named({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.namespace}/${metadata.name}`;
}
