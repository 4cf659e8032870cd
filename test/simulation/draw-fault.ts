import type { CallMatch } from '../../src/testing/call.js';
import { type Dice, rounded } from './dice.js';
import type { FaultStep } from './schedule.js';

export const kinds = ['Site', 'Report', 'Fleet', 'ConfigMap', 'Secret', 'Service'];
const codes = [409, 410, 429, 500, 503];

/** Some kinds cease to be served for a while. */
export function drawAbsences(dice: Dice, span: number, replicas: 1 | 2): readonly FaultStep[] {
  return Array.from({ length: dice.whole(1, 3) }, () => ({
    at: rounded(dice.whole(0, span * 1000) / 1000),
    to: replicas === 2 && dice.percent(40) ? 1 : 0,
    for: dice.seconds(dice.percent(20) ? 120 : 30),
    fault: 'unserve',
    kind: dice.one(kinds),
  }));
}

/** One thing that goes wrong, at any time. */
export function drawFault(dice: Dice, span: number, replicas: 1 | 2, pods: boolean): FaultStep {
  const at = rounded(dice.whole(0, span * 1000) / 1000);
  const base = { at, to: (replicas === 2 && dice.percent(40) ? 1 : 0) as 0 | 1 };
  const kind = dice.one(pods ? [...kinds, 'Memcached', 'Deployment', 'Pod'] : kinds);
  const lasting = { ...base, for: dice.seconds(dice.percent(20) ? 120 : 30) };
  const fault = dice.weighted({
    crash: 14,
    refuse: 10,
    lose: 8,
    delay: 4,
    race: 6,
    hold: 10,
    lag: 5,
    break: 5,
    silence: 4,
    partition: 3,
    slow: 12,
    kill: 3,
    stop: 3,
    'lose-lease': replicas === 2 ? 3 : 0,
    pause: 6,
    leap: 1,
    wall: 2,
    rate: replicas === 2 ? 3 : 1,
    compact: 5,
  });
  switch (fault) {
    case 'crash':
      return { ...base, fault, when: dice.one(['before', 'after']), match: drawMatch(dice, true) };
    case 'refuse': {
      const code = dice.one(codes);
      const isPolite = code === 429 || (code === 503 && dice.percent(50));
      const times = dice.percent(20) ? dice.whole(5, 14) : dice.whole(1, 3);
      const match = drawMatch(dice, false);
      return { ...base, fault, match, code, ...(isPolite ? { retryAfter: dice.whole(1, 20) } : {}), times };
    }
    case 'lose':
      return {
        ...base,
        fault,
        when: dice.one(['before', 'after']),
        match: drawMatch(dice, false),
        times: dice.whole(1, 4),
      };
    case 'delay':
      return { ...base, fault, match: drawMatch(dice, false), seconds: dice.seconds(40), times: dice.whole(1, 2) };
    case 'race':
      return {
        ...base,
        fault,
        when: dice.one(['before', 'after']),
        match: { verb: dice.one(['create', 'apply', 'patch', 'write', 'delete']) },
        times: dice.whole(1, 2),
      };
    case 'hold':
    case 'lag':
      return { ...lasting, fault, kind };
    case 'break':
    case 'silence':
      return { ...base, fault, kind };
    case 'partition':
      return { ...lasting, fault };
    case 'slow': {
      const where = dice.percent(40) ? { kind } : {};
      return { ...lasting, fault, milliseconds: dice.one([3, 30, 300, 1500]), seed: dice.whole(1, 1e6), ...where };
    }
    case 'rate':
      return { ...lasting, fault, rate: 2 };
    case 'lose-lease':
      return { ...base, fault: dice.one(['lose-lease', 'take-lease', 'delete-lease']) };
    case 'pause':
      return { ...lasting, fault, first: dice.one(['timers', 'answers']) };
    case 'leap':
      return { ...base, fault, seconds: dice.whole(1, 60) };
    case 'wall':
      return { ...base, fault, seconds: dice.one([-3600, -10, 10, 3600]) };
    default:
      return { ...base, fault };
  }
}

/** Whom it befalls: a write in particular, any write, or any call. */
function drawMatch(dice: Dice, isWrite: boolean): CallMatch {
  const kind = dice.one(['Site', 'Report', 'Fleet', 'ConfigMap', 'Service', 'Secret']);
  switch (dice.weighted({ write: 4, create: 3, apply: 2, status: 3, delete: 2, kind: 2, read: isWrite ? 0 : 3 })) {
    case 'create':
      return dice.percent(50) ? { verb: 'create', kind } : { verb: 'create' };
    case 'apply':
      return { verb: 'apply', subresource: '' };
    case 'status':
      return { verb: 'apply', subresource: 'status' };
    case 'delete':
      return { verb: 'delete' };
    case 'kind':
      return { verb: 'write', kind };
    case 'read':
      return { verb: dice.one(['list', 'watch']), kind };
    default:
      return { verb: 'write' };
  }
}
