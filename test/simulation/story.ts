import { show } from '../../src/kube/object-ref.js';
import type { CallMatch } from '../../src/testing/call.js';
import type { FaultStep, Schedule, WorkloadStep } from './schedule.js';

/** A schedule as a person reads it: what happens when, line by line. */
export function storyOf(schedule: Schedule): string[] {
  const { replicas, rolloutLimit, restartSeconds, workload, faults, deafness } = schedule;
  const steps = [
    ...workload.map((step) => ({ at: step.at, text: tellStep(step, replicas) })),
    ...faults.map((step) => ({ at: step.at, text: tellFault(step, replicas) })),
  ].sort((a, b) => a.at - b.at);
  return [
    `${replicas === 1 ? 'one replica' : 'two replicas with a Lease'}${tellCast(schedule)}${rolloutLimit ? `, --rollout-limit=${rolloutLimit}` : ''}; who dies is back after ${restartSeconds} s`,
    ...steps.map(({ at, text }) => `${at.toFixed(3).padStart(8)} s  ${text}`),
    ...(deafness
      ? [
          `in the end an API server is cut off from etcd, to which ${deafness.open} % of the open and ${deafness.later} % of the later connections lead`,
        ]
      : []),
  ];
}

function tellCast({
  pods,
  tours = false,
  extras = false,
  vaults = false,
  reviews = false,
  renamed = false,
}: Schedule): string {
  return [
    pods ? ', with Pods' : '',
    tours ? ', with Tours' : '',
    extras ? ', with Trips and Depots' : '',
    vaults ? ', with Vaults' : '',
    reviews ? ', with Reviews' : '',
    renamed ? ', and another name in the second edition alone' : '',
  ].join('');
}

function tellStep(step: WorkloadStep, replicas: number): string {
  if (step.do === 'upgrade') {
    const how = step.how === 'kill' ? 'killed' : 'asked to end';
    return `${whoIs(step.to, replicas)} is ${how}, and comes back as the ${step.edition} edition`;
  }
  if (step.do === 'redefine') return `the definition of Sites takes ${step.taken} from now on`;
  if (step.do === 'serve')
    return `the server ${step.isServed ? 'has' : 'does not have'} the kind ${step.kind} from now on`;
  if (step.do === 'backup') return 'somebody makes a backup of etcd';
  if (step.do === 'restore') return 'etcd is restored from the backup';
  const name = show(step.object);
  switch (step.do) {
    case 'apply':
      return `a user applies ${name} ${JSON.stringify(step.body['spec'] ?? step.body)}`;
    case 'delete':
      return `somebody deletes ${name}`;
    case 'replace':
      return `somebody replaces ${name} by ${JSON.stringify(step.body)}`;
    case 'patch':
      return `somebody patches ${name} with ${JSON.stringify(step.body)}`;
  }
}

function tellFault(step: FaultStep, replicas: number): string {
  const who = whoIs(step.to, replicas);
  const long = step.for === undefined ? '' : ` for ${step.for} s`;
  const times = 'times' in step && step.times > 1 ? `, ${step.times} times` : '';
  switch (step.fault) {
    case 'crash':
      return `${who} will crash ${step.when} its next ${tellMatch(step.match)}`;
    case 'refuse': {
      const wait = step.retryAfter === undefined ? '' : `, "Retry-After: ${step.retryAfter}"`;
      return `${who} will be answered ${step.code} to its next ${tellMatch(step.match)}${wait}${times}`;
    }
    case 'lose':
      return `${who} will lose ${step.when === 'before' ? 'its next' : 'the answer to its next'} ${tellMatch(step.match)}${times}`;
    case 'delay':
      return `${who} will wait ${step.seconds} s for its next ${tellMatch(step.match)}${times}`;
    case 'race':
      return `somebody will change the child just ${step.when} the next ${tellMatch(step.match)} of ${who}${times}`;
    case 'hold':
      return `${who} hears nothing of ${step.kind}${long}`;
    case 'lag':
      return `${who} is given lists of ${step.kind} as of now${long}`;
    case 'unserve':
      return `to ${who} the server does not know ${step.kind}${long}`;
    case 'break':
      return `${who} loses its watch of ${step.kind}`;
    case 'silence':
      return `the watch of ${step.kind} by ${who} says nothing any more`;
    case 'partition':
      return `${who} is cut off${long}`;
    case 'slow':
      return `${who} waits up to ${step.milliseconds} ms for everything${step.kind ? ` about ${step.kind}` : ''}${long}`;
    case 'cut-off':
      return `an API server is cut off from etcd, to which ${step.open} % of the open and ${step.later} % of the later connections of ${who} lead${long}; it answers ${step.code} after ${step.after} s`;
    case 'behind':
      return `an API server is ${step.seconds} s behind, to which ${step.open} % of the open and ${step.later} % of the later connections of ${who} lead${long}`;
    case 'hang':
      return `an API server hangs, to which ${step.open} % of the open and ${step.later} % of the later connections of ${who} lead${long}; of what was given up by then it does ${step.late} % when it goes on`;
    case 'kill':
      return `${who} is killed`;
    case 'stop':
      return `${who} is asked to end`;
    case 'lose-lease':
      return `${who} takes its Lease for lost`;
    case 'take-lease':
      return 'somebody gives the Lease to another';
    case 'delete-lease':
      return 'somebody deletes the Lease';
    case 'pause':
      return `${who} is stopped${long}, and hears ${step.first} first when it goes on`;
    case 'leap':
      return `${step.seconds} s are gone for everybody`;
    case 'wall':
      return `the wall clock of ${who} is off by ${step.seconds} s`;
    case 'rate':
      return `the clocks of ${who} run ${step.rate} times as fast as they should${long}`;
    case 'compact':
      return 'the server forgets its history';
    case 'service':
      return `the service outside ${serviceWords[step.how]}${long}`;
  }
}

const serviceWords = {
  fail: 'answers 500',
  hang: 'does not answer',
  lose: 'does what it is asked, and answers 502',
  forget: 'has lost all that it had',
} as const;

function whoIs(to: 0 | 1, replicas: number): string {
  return replicas === 1 ? 'the controller' : `replica ${to === 0 ? 'one' : 'two'}`;
}

function tellMatch({ verb, kind, subresource }: CallMatch): string {
  const what = verb === undefined || verb === 'write' ? 'write' : [verb].flat().join(' or ');
  const of = kind === undefined ? '' : ` of ${typeof kind === 'string' ? kind : kind.kind}`;
  return `${what}${subresource === 'status' ? ' of a status' : of}`;
}
