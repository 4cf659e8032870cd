import type { PodStatus } from '../../../imports/k8s.js';
import { timestamp } from '../../kube/timestamp.js';
import type { Revision } from '../object-store.js';
import { nodes, pods } from './built-in.js';
import { containersOf, type Phase, statusIn } from './container-status.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { podNetwork } from './node-pool.js';
import { isFinished, isTerminating, type Pod } from './pod-state.js';

/** What becomes of Pods. */
export interface PodLife {
  /** How long after they were put on a Node. Default: 1. */
  readonly readyAfterSeconds?: number;
  /**
   * How long those run that end of their own accord: by their restart policy, those that are not restarted always. Default: as long as
   * they took to be ready.
   */
  readonly succeedAfterSeconds?: number;
  /** How long they take to stop when they are deleted; never longer than their grace period. Default: 1. */
  readonly stopAfterSeconds?: number;
  /**
   * Why a Pod does not work, asked each time that it starts: `CrashLoopBackOff`, `ImagePullBackOff`, or what else a kubelet
   * says. Absent: it works.
   */
  readonly fails?: (pod: Pod) => string | undefined;
}

const firstBackOffSeconds = 10;
const longestBackOffSeconds = 300;
const lastAddress = 250;

/**
 * Stands in for the kubelets: Pods that have a Node run, become ready, end, fail and stop as a `PodLife` says. Nothing
 * really runs.
 *
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/
 */
export class Kubelet implements Controller {
  readonly name = 'kubelet';
  readonly hears = [pods.storage];
  /** When the next thing happens to a Pod, and how often it was started. By uid; forgotten with the Pod. */
  readonly #next = new Map<string, number>();
  readonly #starts = new Map<string, number>();
  readonly #addresses = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #readyAfterSeconds: number;

  constructor(
    private readonly desk: Desk,
    private readonly life: PodLife,
  ) {
    this.#readyAfterSeconds = life.readyAfterSeconds ?? 1;
    for (const pod of desk.index.all(pods)) if (pod.status?.podIP) this.#hold(pod, pod.status.podIP);
  }

  observe({ type, object }: Revision, queue: Queue): void {
    if (type === 'DELETED') this.#forget(object.metadata.uid);
    else if ((object as Pod).spec?.nodeName) queue.add(keyOf(object));
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const pod = this.desk.index.get(pods, namespace, name);
    if (!pod?.spec?.nodeName) return;
    if (isTerminating(pod)) this.#stop(pod, queue);
    else if (!isFinished(pod)) this.#run(pod, queue);
  }

  #stop(pod: Pod, queue: Queue): void {
    const grace = (pod.metadata['deletionGracePeriodSeconds'] as number | undefined) ?? 0;
    const stops = Math.min(grace, this.life.stopAfterSeconds ?? 1) * 1000;
    // The deletion is dated when grace ends.
    const since = Date.parse(pod.metadata.deletionTimestamp!) - grace * 1000;
    const left = isFinished(pod) ? 0 : since + stops - this.desk.clock.now();
    if (left > 0) {
      queue.addAfter(keyOf(pod), left, true);
      return;
    }
    if (!isFinished(pod) && pod.metadata.finalizers?.length) {
      const isEnding = pod.spec!.restartPolicy === 'Always' ? 'Succeeded' : 'Failed';
      this.#write(pod, isEnding === 'Succeeded' ? { phase: 'Succeeded' } : { phase: 'Failed', reason: 'Error' });
    }
    const latest = this.desk.index.byUid(pod.metadata.uid)?.object;
    if (latest) this.desk.writer.delete(latest, { gracePeriodSeconds: 0 });
  }

  #run(pod: Pod, queue: Queue): void {
    const { uid } = pod.metadata;
    const now = this.desk.clock.monotonic();
    const isStarted = pod.status?.startTime !== undefined;
    if (!isStarted) {
      this.desk.events.normal(
        pod,
        'Pulled',
        `Container image ${JSON.stringify(pod.spec!.containers[0]?.image ?? '')} already present on machine`,
      );
      this.#write(pod, { phase: 'Pending' });
      this.#wake(pod, this.#readyAfterSeconds, queue, true);
      return;
    }
    const due = this.#next.get(uid);
    if (due === undefined) {
      // Of an earlier start of this process: what was going on goes on from here.
      if (pod.status?.phase !== 'Running' || this.#ends(pod)) this.#wake(pod, this.#readyAfterSeconds, queue, true);
      return;
    }
    if (due > now) {
      queue.addAfter(keyOf(pod), due - now, (this.#starts.get(uid) ?? 0) === 0);
      return;
    }
    this.#next.delete(uid);
    if (pod.status?.phase === 'Running' && pod.status.containerStatuses?.every(({ ready }) => ready)) {
      if (this.#ends(pod)) this.#write(pod, { phase: 'Succeeded' });
      return;
    }
    this.#start(pod, queue);
  }

  #start(pod: Pod, queue: Queue): void {
    const { uid } = pod.metadata;
    const reason = this.life.fails?.(pod);
    if (reason === undefined) {
      this.#starts.delete(uid);
      this.desk.events.normal(pod, 'Started', 'Container started');
      this.#write(pod, { phase: 'Running' });
      if (this.#ends(pod)) this.#wake(pod, this.life.succeedAfterSeconds ?? this.#readyAfterSeconds, queue, true);
      return;
    }
    const neverRan = /Image|Config|^CreateContainer|^RunContainer|InvalidName/.test(reason);
    if (!neverRan && pod.spec!.restartPolicy === 'Never') {
      this.#write(pod, { phase: 'Failed', reason });
      return;
    }
    const starts = (this.#starts.get(uid) ?? 0) + 1;
    this.#starts.set(uid, starts);
    const [event, message] = neverRan
      ? ['Failed', `Error: ${reason}`]
      : ['BackOff', 'Back-off restarting failed container'];
    this.desk.events.warning(pod, event, message);
    this.#write(pod, neverRan ? { phase: 'Waiting', reason } : { phase: 'Crashed', reason });
    // Nobody waits for what fails again and again; a Job that counts its restarts does.
    const wait = Math.min(firstBackOffSeconds * 2 ** (starts - 1), longestBackOffSeconds);
    this.#wake(pod, wait, queue, false);
  }

  #write(pod: Pod, phase: Phase): void {
    const address = this.#addressOf(pod);
    const status: PodStatus = statusIn(pod, phase, address, this.#hostOf(pod), timestamp(this.desk.clock.now()));
    this.desk.writer.updateStatus(pods, { ...pod, status });
  }

  #hostOf({ spec }: Pod): string {
    const { status } = this.desk.index.get(nodes, undefined, spec!.nodeName!) ?? {};
    return status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1';
  }

  #wake(pod: Pod, seconds: number, queue: Queue, isAwaited: boolean): void {
    this.#next.set(pod.metadata.uid, this.desk.clock.monotonic() + seconds * 1000);
    queue.addAfter(keyOf(pod), seconds * 1000, isAwaited);
  }

  #ends(pod: Pod): boolean {
    return pod.spec!.restartPolicy !== 'Always' && containersOf(pod).length > 0;
  }

  #addressOf(pod: Pod): string {
    const known = this.#addresses.get(pod.metadata.uid);
    if (known !== undefined) return known;
    const names = this.desk.index.all(nodes).map(({ metadata }) => metadata.name);
    const network = podNetwork(Math.max(0, names.indexOf(pod.spec!.nodeName!)));
    let host = 2;
    while (this.#taken.has(`${network}${host}`) && host < lastAddress) host++;
    this.#hold(pod, `${network}${host}`);
    return `${network}${host}`;
  }

  #hold({ metadata }: Pod, address: string): void {
    this.#addresses.set(metadata.uid, address);
    this.#taken.add(address);
  }

  #forget(uid: string): void {
    const address = this.#addresses.get(uid);
    if (address !== undefined) this.#taken.delete(address);
    this.#addresses.delete(uid);
    this.#next.delete(uid);
    this.#starts.delete(uid);
  }
}
