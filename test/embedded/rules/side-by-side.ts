import type { Status } from '../../../src/client/api-error.js';
import type { Written } from '../../../src/embedded/api-server.js';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { ServedKind } from '../../../src/embedded/kinds/served-kind.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import type { ControlPlane } from '../../cluster/control-plane.js';
import { AskServer } from '../ask-server.js';

type Body = { readonly [field: string]: Json };

/** What a server said to a write, less what no two servers have in common. */
export interface Said {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly object?: unknown;
}

export interface Both {
  readonly real: Said;
  readonly embedded: Said;
}

const request = { caller: admin, fieldManager: 'tester' };

/** The real API server and the embedded one: whatever the one is asked, so is the other. */
export class SideBySide {
  readonly #embedded: EmbeddedServer;
  readonly #real: AskServer;

  constructor(plane: ControlPlane, random: () => number = Math.random) {
    this.#real = new AskServer(plane);
    this.#embedded = new EmbeddedServer({ controllers: false, keepsUnenforced: true, random });
  }

  async close(): Promise<void> {
    await this.#real.close();
  }

  /** What both say to a new object, which neither keeps. */
  async judge(kindName: string, body: Body): Promise<Both> {
    return this.#create(kindName, body, true);
  }

  async create(kindName: string, body: Body): Promise<Both> {
    return this.#create(kindName, body, false);
  }

  /** Replaces what is there. `null` in `change` removes a field, as in a merge patch. */
  async update(kindName: string, name: string, change: Body, subresource?: 'status', dryRun = false): Promise<Both> {
    const kind = this.#kind(kindName);
    const path = `${pathOf(kind)}/${name}${subresource ? `/${subresource}` : ''}`;
    const query = `?fieldManager=tester${dryRun ? '&dryRun=All' : ''}`;
    const live = await this.#real.ask('GET', `${pathOf(kind)}/${name}`);
    const real = await this.#real.ask('PUT', path + query, { body: changed(live.body, change) });
    const address = kind.namespaced ? { namespace: 'default', name } : { name };
    const embedded = saidBy(() => {
      const ours = this.#embedded.verbs.get(kind, address, { caller: admin });
      const options = { ...request, dryRun, ...(subresource && { subresource }) };
      return this.#embedded.verbs.update(kind, address, changed(ours as unknown as Body, change), options);
    });
    return { real: said(real.code, real.body), embedded };
  }

  async patch(kindName: string, name: string, body: Body): Promise<Both> {
    const kind = this.#kind(kindName);
    const real = await this.#real.ask('PATCH', `${pathOf(kind)}/${name}?fieldManager=tester`, {
      body,
      contentType: 'application/merge-patch+json',
    });
    const address = kind.namespaced ? { namespace: 'default', name } : { name };
    const embedded = saidBy(() => this.#embedded.verbs.patch(kind, address, { type: 'merge', body }, request));
    return { real: said(real.code, real.body), embedded };
  }

  async delete(kindName: string, name: string): Promise<void> {
    const kind = this.#kind(kindName);
    await this.#real.ask('PATCH', `${pathOf(kind)}/${name}`, {
      body: { metadata: { finalizers: null } },
      contentType: 'application/merge-patch+json',
    });
    // Some kinds would wait for a garbage collector, which does not run here.
    await this.#real.ask('DELETE', `${pathOf(kind)}/${name}?propagationPolicy=Background`);
    const object = this.#embedded.store.get(kind.storage, kind.namespaced ? 'default' : undefined, name);
    if (object) this.#embedded.store.remove(kind.storage, object);
  }

  async #create(kindName: string, body: Body, dryRun: boolean): Promise<Both> {
    const kind = this.#kind(kindName);
    const query = `?fieldManager=tester${dryRun ? '&dryRun=All' : ''}`;
    const real = await this.#real.ask('POST', pathOf(kind) + query, { body });
    const namespace = kind.namespaced ? 'default' : undefined;
    const embedded = saidBy(() => this.#embedded.verbs.create(kind, namespace, body, { ...request, dryRun }));
    return { real: said(real.code, real.body), embedded };
  }

  #kind(name: string): ServedKind {
    const [kindName, group] = name.split('.', 1).concat(name.split('.').slice(1).join('.'));
    const kind = this.#embedded.kinds.all.find((each) => each.kind === kindName && (!group || each.group === group));
    if (!kind) throw new Error(`no kind ${name} is served`);
    return kind;
  }
}

function pathOf({ group, version, plural, namespaced }: ServedKind): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${base}${namespaced ? '/namespaces/default' : ''}/${plural}`;
}

function saidBy(write: () => Written): Said {
  try {
    const { created, object } = write();
    return said(created ? 201 : 200, object as unknown as Body);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return said(error.status.code, error.status as unknown as Body);
  }
}

function said(code: number, body: Body): Said {
  if (code < 300) return { code, object: comparable(body as unknown as KubeObject) };
  const { reason = '', message = '' } = body as unknown as Status;
  return { code, reason, message };
}

function comparable({ metadata, ...rest }: KubeObject): unknown {
  const { uid: _u, resourceVersion: _r, creationTimestamp: _c, managedFields: _m, ...kept } = metadata;
  const text = JSON.stringify({ ...rest, metadata: kept });
  // The time of a phase is that of the request.
  return JSON.parse(text.replace(/("lastPhaseTransitionTime":)"[^"]*"/g, '$1"<now>"'));
}

/** A merge patch, done by hand, so that both servers are asked the very same. */
function changed(value: Json, change: Json): Json {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const next: Record<string, Json> = isMap ? { ...(value as Body) } : {};
  for (const [key, each] of Object.entries(change as Body)) {
    if (each === null) delete next[key];
    else next[key] = changed(next[key] ?? null, each);
  }
  return next;
}
