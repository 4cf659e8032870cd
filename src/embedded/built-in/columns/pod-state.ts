import type { Container, ContainerStateTerminated, ContainerStatus, PodObject } from '../../../../imports/k8s.js';

/** What `kubectl get pods` makes of a Pod: a summary of its containers in one word. */
export interface PodState {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

/** Restarts so far, and when the last was. */
class Restarts {
  count = 0;
  last: string | undefined;

  add({ restartCount, lastState }: ContainerStatus): void {
    this.count += restartCount ?? 0;
    const ended = lastState?.terminated?.finishedAt ?? undefined;
    // Of two times as the server writes them the later is also the greater text.
    if (ended !== undefined && (this.last === undefined || this.last < ended)) this.last = ended;
  }
}

export function podState(pod: PodObject): PodState {
  const { spec, status } = pod;
  const sidecars = (spec?.initContainers ?? []).filter(isSidecar);
  const total = (spec?.containers ?? []).length + sidecars.length;
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const before = isGated ? 'SchedulingGated' : status?.reason || status?.phase || '';
  const init = initState(pod, new Set(sidecars.map(({ name }) => name)));
  const isInitialized = status?.conditions?.find(({ type }) => type === 'Initialized')?.status === 'True';
  const state =
    init.reason !== undefined && !isInitialized
      ? { reason: init.reason, ready: init.ready, restarts: init.restarts }
      : runningState(pod, init.reason ?? before, init.ready, init.sidecarRestarts);
  return {
    ready: state.ready,
    total,
    reason: deletedReason(pod) ?? state.reason,
    restarts: state.restarts.count,
    lastRestart: state.restarts.last,
  };
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

interface InitState {
  /** Absent when initialization is over. */
  readonly reason?: string;
  readonly ready: number;
  readonly restarts: Restarts;
  readonly sidecarRestarts: Restarts;
}

/** Goes through the init containers up to the first that is not done. */
function initState({ spec, status }: PodObject, sidecars: ReadonlySet<string>): InitState {
  const restarts = new Restarts();
  const sidecarRestarts = new Restarts();
  let ready = 0;
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const isSidecarHere = sidecars.has(container.name);
    restarts.add(container);
    if (isSidecarHere) sidecarRestarts.add(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (isSidecarHere && container.started) {
      if (container.ready) ready++;
      continue;
    }
    const isWaiting = waiting?.reason && waiting.reason !== 'PodInitializing';
    const step = `${index}/${(spec?.initContainers ?? []).length}`;
    const reason = terminated ? endReason(terminated) : isWaiting ? waiting.reason : step;
    return { reason: `Init:${reason}`, ready, restarts, sidecarRestarts };
  }
  return { ready, restarts, sidecarRestarts };
}

function runningState(
  { status }: PodObject,
  before: string,
  readyBefore: number,
  restarts: Restarts,
): { reason: string; ready: number; restarts: Restarts } {
  let reason = before;
  let ready = readyBefore;
  let hasRunning = false;
  let errorReason: string | undefined;
  // Backwards, so that the first container has the last word.
  for (const container of (status?.containerStatuses ?? []).toReversed()) {
    restarts.add(container);
    const { running, terminated, waiting } = container.state ?? {};
    if (waiting?.reason) {
      reason = waiting.reason;
    } else if (terminated) {
      reason = endReason(terminated);
      if (terminated.exitCode !== 0) errorReason = reason;
    } else if (container.ready && running) {
      hasRunning = true;
      ready++;
    }
  }
  if (reason === 'Completed') {
    const isReady = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True');
    if (hasRunning && isReady) reason = 'Running';
    else if (errorReason !== undefined) reason = errorReason;
    else if (hasRunning) reason = 'NotReady';
  }
  return { reason, ready, restarts };
}

function endReason({ reason, signal, exitCode }: ContainerStateTerminated): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function deletedReason({ metadata, status }: PodObject): string | undefined {
  if (!metadata?.deletionTimestamp) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Failed' || status?.phase === 'Succeeded' ? undefined : 'Terminating';
}
