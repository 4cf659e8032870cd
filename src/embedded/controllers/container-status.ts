import type { Container, ContainerState, ContainerStatus, PodCondition, PodStatus } from '../../../imports/k8s.js';
import { conditionOf } from './conditions.js';
import type { Pod } from './pod-state.js';

/** Where a Pod is in its life. `Waiting` and `Crashed` are Pods that should run and do not. */
export type Phase =
  | { readonly phase: 'Pending' | 'Running' | 'Succeeded' }
  | { readonly phase: 'Failed' | 'Waiting' | 'Crashed'; readonly reason: string };

/** The status that a kubelet would write of a Pod that is on a Node. */
export function statusIn(pod: Pod, phase: Phase, address: string, host: string, now: string): PodStatus {
  const { status = {}, spec, metadata } = pod;
  const ip = spec?.hostNetwork ? host : address;
  const isUp = phase.phase === 'Running';
  const hasEnded = phase.phase === 'Succeeded' || phase.phase === 'Failed';
  const crashed = phase.phase === 'Crashed';
  const containers = containersOf(pod).map((container) => {
    const before = status.containerStatuses?.find(({ name }) => name === container.name);
    return containerStatus(container, before, phase, now);
  });
  const reason = isUp
    ? undefined
    : hasEnded
      ? phase.phase === 'Succeeded'
        ? 'PodCompleted'
        : 'PodFailed'
      : 'ContainersNotReady';
  const names = containers.map(({ name }) => name).join(' ');
  const why =
    reason === 'ContainersNotReady'
      ? { reason, message: `containers with unready status: [${names}]` }
      : reason
        ? { reason }
        : {};
  const condition = (type: string, holds: boolean, because: object = {}): PodCondition => {
    const value = holds ? 'True' : 'False';
    const known = conditionOf(status.conditions, type);
    const lastTransitionTime = known?.status === value ? known.lastTransitionTime : now;
    const { generation } = metadata;
    return {
      type,
      status: value,
      lastTransitionTime,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...because,
    };
  };
  const set = [
    condition('PodReadyToStartContainers', !hasEnded && phase.phase !== 'Pending'),
    condition('Initialized', true, phase.phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}),
    condition('Ready', isUp && gatesAreOpen(pod), why),
    condition('ContainersReady', isUp, why),
    condition('PodScheduled', true),
  ];
  const others = (status.conditions ?? []).filter(({ type }) => !set.some((each) => each.type === type));
  return {
    ...status,
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    phase: hasEnded || isUp ? phase.phase : crashed ? 'Running' : 'Pending',
    conditions: [...set, ...others],
    hostIP: host,
    hostIPs: [{ ip: host }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: status.startTime ?? now,
    containerStatuses: containers,
  };
}

export function containersOf({ spec }: Pod): readonly Container[] {
  return spec?.containers ?? [];
}

function containerStatus(
  { name, image = '' }: Container,
  before: ContainerStatus | undefined,
  phase: Phase,
  now: string,
): ContainerStatus {
  const isUp = phase.phase === 'Running';
  const startedAt = before?.state?.running?.startedAt ?? now;
  const ended = (exitCode: number, reason: string): ContainerState => ({
    terminated: { exitCode, reason, startedAt, finishedAt: now, containerID: idOf(name) },
  });
  const state: ContainerState =
    phase.phase === 'Running'
      ? { running: { startedAt } }
      : phase.phase === 'Succeeded'
        ? ended(0, 'Completed')
        : phase.phase === 'Failed'
          ? ended(1, phase.reason)
          : {
              waiting: {
                reason: phase.phase === 'Waiting' || phase.phase === 'Crashed' ? phase.reason : 'ContainerCreating',
              },
            };
  const hasCrashed = phase.phase === 'Crashed';
  return {
    name,
    image,
    imageID: '',
    ready: isUp,
    started: isUp,
    restartCount: (before?.restartCount ?? 0) + (hasCrashed ? 1 : 0),
    state,
    lastState: hasCrashed ? ended(1, 'Error') : (before?.lastState ?? {}),
    ...(isUp || hasCrashed ? { containerID: idOf(name) } : {}),
  };
}

/** A readiness gate is open when somebody has set its condition. */
function gatesAreOpen({ spec, status }: Pod): boolean {
  return (spec?.readinessGates ?? []).every(
    ({ conditionType }) => conditionOf(status?.conditions, conditionType)?.status === 'True',
  );
}

function idOf(name: string): string {
  return `embedded://${name}`;
}
