import type { Clock, Random } from '../../kube/clock.js';
import type { Verbs } from '../api-server.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ObjectStore } from '../object-store.js';
import { namespaces } from './built-in.js';
import { ControlLoop } from './control-loop.js';
import { type Controller, type Desk, keyOf } from './controller.js';
import { CronJobs } from './cron-jobs.js';
import { DaemonSets } from './daemon-sets.js';
import { Deployments } from './deployments.js';
import { DisruptionBudgets } from './disruption-budgets.js';
import { EventRecorder } from './event-recorder.js';
import { GarbageCollector } from './garbage-collector.js';
import { createInitialObjects } from './initial-objects.js';
import { Jobs } from './jobs.js';
import { Kubelet, type PodLife } from './kubelet.js';
import { NamespaceContents } from './namespace-contents.js';
import { Namespaces } from './namespaces.js';
import { provideNodes } from './node-pool.js';
import { ObjectIndex } from './object-index.js';
import { ReplicaSets } from './replica-sets.js';
import { Scheduler } from './scheduler.js';
import { ServiceEndpoints } from './service-endpoints.js';
import { StatefulSets } from './stateful-sets.js';
import { VolumeClaims } from './volume-claims.js';
import { VolumeProtection } from './volume-protection.js';
import { Writer } from './writer.js';

/** Which controllers there are. All, unless switched off with `false`. */
export interface ControllerOptions {
  readonly garbageCollector?: boolean;
  /** Empties namespaces that are deleted. */
  readonly namespaces?: boolean;
  /** Gives each namespace its ServiceAccount `default` and ConfigMap `kube-root-ca.crt`. */
  readonly namespaceContents?: boolean;
  readonly deployments?: boolean;
  readonly replicaSets?: boolean;
  readonly statefulSets?: boolean;
  readonly daemonSets?: boolean;
  readonly jobs?: boolean;
  readonly cronJobs?: boolean;
  readonly serviceEndpoints?: boolean;
  readonly disruptionBudgets?: boolean;
  /** Binds claims to volumes made for them. */
  readonly volumeClaims?: boolean;
  /** Keeps claims and volumes while they are used. */
  readonly volumeProtection?: boolean;
  readonly scheduler?: boolean;
  /** Names of the Nodes that there are; none with an empty list. Default: two. */
  readonly nodes?: readonly string[];
  /** What becomes of Pods; `false` leaves them to somebody else. Default: ready after a second, none fails. */
  readonly pods?: PodLife | false;
  /** Others, run in the same loop. */
  readonly more?: readonly Controller[];
  /** PEM: whom Pods are told to trust. */
  readonly rootCertificate?: string;
  /** Told of what a controller could not do, and tries again. */
  readonly report?: (error: unknown, controller: string, key: string) => void;
}

export interface ControllerDependencies {
  readonly server: Verbs;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Controllers {
  /** Ends all work. What is on its way in the store stays as it is. */
  stop(): void;
  /**
   * True when the controllers have nothing to do now, and no Pod is about to become ready, to end or to go. What only
   * happens at its time, such as the next run of a CronJob or a Pod's next crash, does not count.
   */
  settled(): boolean;
}

const defaultNodes = ['node-1', 'node-2'];
const everything = { groups: ['system:masters', 'system:authenticated'] };

/**
 * Runs the small controllers: what kube-controller-manager, kube-scheduler and the kubelets do to the objects of a
 * cluster, so far as others can see it. No container runs.
 *
 * **Guarantees.** They act as callers of the server's verbs, under field managers of their own, after the changes that the
 * store tells and by `clock` alone: equal histories of writes, times and chances give equal histories of objects. They
 * take up a store as they find it, and can be stopped and started anew at any moment.
 */
export function startControllers(deps: ControllerDependencies, options: ControllerOptions = {}): Controllers {
  const { server, kinds, store, clock, random } = deps;
  const index = new ObjectIndex(store, kinds);
  const deskOf = (user: string, fieldManager: string, component = fieldManager): Desk => {
    const writer = new Writer(server, kinds, { name: user, ...everything }, fieldManager);
    return { index, writer, clock, events: new EventRecorder(component, index, writer, clock, random) };
  };
  const controllerDesk = (component: string) =>
    deskOf('system:kube-controller-manager', 'kube-controller-manager', component);
  const loop = new ControlLoop(clock, options.report ?? (() => {}));
  const hearStore = store.listen((change) => {
    index.apply(change);
    loop.observe(change);
  });

  const collector = new GarbageCollector(controllerDesk('garbage-collector-controller'), kinds, store);
  const hearKinds = kinds.listen(() => collector.kindServed());
  const contents = new NamespaceContents(controllerDesk('root-ca-cert-publisher'), options.rootCertificate ?? '');
  const kubeletDesk = deskOf('system:node', 'kubelet');
  const { pods: life = {} } = options;
  const all: readonly (readonly [boolean | undefined, () => Controller])[] = [
    [options.namespaceContents, () => contents],
    [options.namespaces, () => new Namespaces(controllerDesk('namespace-controller'), kinds)],
    [options.garbageCollector, () => collector],
    [options.deployments, () => new Deployments(controllerDesk('deployment-controller'))],
    [options.replicaSets, () => new ReplicaSets(controllerDesk('replicaset-controller'))],
    [options.statefulSets, () => new StatefulSets(controllerDesk('statefulset-controller'))],
    [options.daemonSets, () => new DaemonSets(controllerDesk('daemonset-controller'))],
    [options.jobs, () => new Jobs(controllerDesk('job-controller'))],
    [options.cronJobs, () => new CronJobs(controllerDesk('cronjob-controller'))],
    [options.serviceEndpoints, () => new ServiceEndpoints(controllerDesk('endpoint-controller'))],
    [options.disruptionBudgets, () => new DisruptionBudgets(controllerDesk('controllermanager'), kinds)],
    [options.volumeClaims, () => new VolumeClaims(controllerDesk('persistentvolume-controller'))],
    [options.volumeProtection, () => new VolumeProtection(controllerDesk('pvc-protection-controller'))],
    [options.scheduler, () => new Scheduler(deskOf('system:kube-scheduler', 'kube-scheduler', 'default-scheduler'))],
    [life !== false, () => new Kubelet(kubeletDesk, life || {})],
  ];
  for (const [isOn = true, make] of all) if (isOn) loop.add(make());
  for (const controller of options.more ?? []) loop.add(controller);

  // What is there already is heard of as if it came now.
  for (const storage of new Set(kinds.all.map((kind) => kind.storage))) {
    for (const object of store.list(storage)) {
      loop.observe({ type: 'ADDED', resource: storage, object, revision: store.revision });
    }
  }
  createInitialObjects(deskOf('system:apiserver', 'kube-apiserver'));
  // Without its ServiceAccount no Pod is admitted, and nobody should have to wait for the first one.
  if (options.namespaceContents ?? true)
    for (const { metadata } of index.all(namespaces)) contents.reconcile(keyOf({ metadata }));
  provideNodes(kubeletDesk, options.nodes ?? defaultNodes);
  return {
    settled: () => loop.isSettled,
    stop() {
      hearStore();
      hearKinds();
      loop.stop();
    },
  };
}
