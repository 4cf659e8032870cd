import { type Clock, type Random, systemClock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { ApiServer, type Caller } from './api-server.js';
import { Authorizer } from './auth/authorizer.js';
import { bootstrapRoles } from './auth/bootstrap-roles.js';
import { ClusterRoleAggregation } from './auth/cluster-role-aggregation.js';

import { refuseEscalation } from './auth/escalation.js';
import { Tokens } from './auth/tokens.js';
import type { VirtualDesk } from './auth/virtual-kind.js';
import { builtInKinds } from './built-in/built-in-kinds.js';
import { type ControllerOptions, type Controllers, startControllers } from './controllers/start-controllers.js';
import { CustomDefinitions } from './custom/custom-definitions.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { type Engine, timeOf, uuid } from './engine.js';
import { EventExpiry } from './event-expiry.js';
import { Kinds } from './kinds/kinds.js';
import { unenforced } from './kinds/unenforced.js';
import { ObjectStore } from './object-store.js';
import type { Reviewer } from './reviewer.js';
import { bootstrapPriorityClasses } from './rules/system-priority-classes.js';
import type { StoredObjects } from './state/cluster-state.js';
import { notEmbedded } from './status-error.js';

export interface EmbeddedServerOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** How many changes a watch can go back; older ones are compacted. Default 10,000. */
  readonly historyLimit?: number;
  /** What was stored when an earlier server ended, to go on from. Default: an empty cluster. */
  readonly state?: StoredObjects;
  /** Signs the tokens of ServiceAccounts, from `newTokenKey`. Default: one that nobody else has. */
  readonly tokenKey?: string;
  /** The small controllers that fill in for the rest of a cluster, or `false` for none. Default: all of them. */
  readonly controllers?: ControllerOptions | false;
  /**
   * True keeps objects such as webhook configurations and FlowSchemas, though they are not enforced. Default: to write one is
   * an error that says so.
   */
  readonly keepsUnenforced?: boolean;
  /** Bearer tokens that are good for ever, and whom each stands for. */
  readonly tokens?: Readonly<Record<string, Caller>>;
}

/** The account with which a cluster is set up; nothing is refused to it. */
export const admin: Caller = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/**
 * A Kubernetes API server in this process: storage, kinds and verbs.
 *
 * **Guarantees.** Nothing outside of this process is read or written. All time and randomness come from the options, so
 * that the same calls with the same options give the same answers; tokens, where `tokenKey` is among these.
 */
export class EmbeddedServer {
  readonly store: ObjectStore;
  readonly kinds = new Kinds();
  /**
   * Who converts and judges custom resources, by the name under which the store keeps them: `caches.cache.example.com`.
   * Whoever is set counts from then on; at first there is nobody.
   */
  readonly reviewers = new Map<string, Reviewer>();
  readonly clock: Clock;
  readonly random: Random;
  readonly verbs: ApiServer;
  /** Who may do what, and who has which token. */
  readonly desk: VirtualDesk;
  readonly #customDefinitions: CustomDefinitions;
  readonly #controllers: Controllers | undefined;
  readonly #eventExpiry: EventExpiry;

  constructor(options: EmbeddedServerOptions = {}) {
    const {
      clock = systemClock,
      random = Math.random,
      historyLimit,
      controllers = {},
      keepsUnenforced = false,
      state,
      tokenKey,
    } = options;
    this.clock = clock;
    this.random = random;
    const store = new ObjectStore(historyLimit);
    this.store = store;
    if (state) store.restore(state.revision, state.objects);
    this.#eventExpiry = new EventExpiry(store, clock);
    const authorizer = new Authorizer(store);
    const tokens = new Tokens({
      store,
      clock,
      random,
      ...(options.tokens ? { known: options.tokens } : {}),
      ...(tokenKey === undefined ? {} : { key: tokenKey }),
    });
    this.desk = { authorizer, tokens, store, clock };
    const engine: Engine = {
      store,
      kinds: this.kinds,
      clock,
      random,
      reviewers: this.reviewers,
      world: {
        get: (storage, namespace, name) => store.get(storage, namespace, name),
        list: (storage, namespace) => store.list(storage, namespace),
        now: () => clock.now(),
        random,
      },
      authorize: (caller, attributes) => authorizer.authorize(caller, attributes),
      guard(kind, caller, object, old) {
        const missing = keepsUnenforced ? undefined : unenforced[kind.storage];
        if (missing !== undefined) throw notEmbedded(missing);
        refuseEscalation(kind.storage, caller, object, old, authorizer);
      },
    };
    this.verbs = new ApiServer(engine);
    for (const kind of builtInKinds()) this.kinds.serve(kind);
    this.#customDefinitions = new CustomDefinitions({
      server: this.verbs,
      kinds: this.kinds,
      store,
      clock,
      reviewers: this.reviewers,
    });
    if (controllers === false) this.#createNamespaces(engine);
    else {
      const deps = { server: this.verbs, kinds: this.kinds, store, clock, random };
      const aggregation = new ClusterRoleAggregation(this.verbs, this.kinds, store, admin);
      this.#controllers = startControllers(deps, { ...controllers, more: [...(controllers.more ?? []), aggregation] });
    }
    bootstrapRoles(engine);
    bootstrapPriorityClasses(engine);
  }

  #createNamespaces(engine: Engine): void {
    for (const name of systemNamespaces) {
      if (!this.store.get('namespaces', undefined, name)) this.store.put('namespaces', namespaceOf(name, engine));
    }
  }

  /** Ends the small controllers. The objects stay. */
  stop(): void {
    this.desk.authorizer.close();
    this.#customDefinitions.stop();
    this.#controllers?.stop();
    this.#eventExpiry.stop();
  }

  /** The server as `caller` reaches it. */
  cluster(caller: Caller = admin): EmbeddedCluster {
    return new EmbeddedCluster({ verbs: this.verbs, kinds: this.kinds, caller });
  }
}

/** These are there before anybody asks. */
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function namespaceOf(name: string, engine: Engine): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      uid: uuid(engine.random),
      resourceVersion: '',
      creationTimestamp: timeOf(engine),
      labels: { 'kubernetes.io/metadata.name': name },
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}
