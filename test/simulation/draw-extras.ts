import type { CallMatch } from '../../src/testing/call.js';
import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import { deletionPolicy } from './far.js';
import type { FaultStep, Named, UntimedStep, WorkloadStep } from './schedule.js';
import { wrongValue } from './wrong-value.js';

const values = ['one', 'two', 'three'];
const shelves = ['box', 'crate', 'rack'];
const roles = ['reader', 'writer'];

const matches: readonly CallMatch[] = [
  { verb: 'write', kind: 'Trip' },
  { verb: 'patch', kind: 'Trip' },
  { verb: 'get', kind: 'Trip' },
  { verb: 'get' },
  { verb: 'write', kind: 'Depot' },
  { verb: 'delete', kind: 'RoleBinding' },
  { verb: 'create', kind: 'RoleBinding' },
  { verb: 'write', kind: 'ConfigMap' },
  { verb: ['list', 'watch'], kind: 'Trip' },
];

/**
 * What users want of Trips, which have a seat outside the cluster, and of Depots, whose children stay, are taken over and made
 * anew. A Depot is there at the end: what one leaves behind that is gone depends on when it went.
 */
export function drawExtras(dice: Dice): readonly WorkloadStep[] {
  return new ExtraDrawer(dice).steps(dice.whole(8, 16));
}

class ExtraDrawer {
  readonly #steps: WorkloadStep[] = [];
  readonly #home: string;
  /** What has been left behind, and is taken over, is not made anew: then nothing asks for that which cannot be changed. */
  readonly #hasPolicies: boolean;
  #at = 0;
  #drifts = 0;

  constructor(private readonly dice: Dice) {
    this.#home = dice.one(namespaces);
    this.#hasPolicies = dice.percent(50);
  }

  steps(count: number): readonly WorkloadStep[] {
    const { dice } = this;
    // Before there is a Depot, so that it is taken over whenever one is there.
    if (dice.percent(40)) {
      const body = { metadata: { labels: { role: 'squatter' } }, data: { theirs: 'not wanted' } };
      this.#add({ do: 'apply', object: this.#child(), body });
    }
    this.#at = 1;
    while (this.#steps.length < count) {
      if (!dice.percent(30)) this.#at = rounded(this.#at + dice.seconds(12));
      const object = dice.one([this.#trip, this.#depot]);
      switch (dice.weighted({ edit: 8, delete: 2, recreate: 3, policy: this.#hasPolicies ? 3 : 0, drift: 5 })) {
        case 'edit':
          this.#apply(object);
          break;
        case 'delete':
          this.#add({ do: 'delete', object });
          break;
        case 'recreate':
          this.#add({ do: 'delete', object });
          if (dice.percent(50)) this.#at = rounded(this.#at + dice.seconds(3));
          this.#apply(object);
          break;
        case 'policy': {
          const body = { metadata: { annotations: { [deletionPolicy]: dice.one(['orphan', 'orphan', null]) } } };
          this.#add({ do: 'patch', object: this.#depot, body });
          break;
        }
        case 'drift':
          this.#drift();
      }
    }
    this.#at = rounded(this.#at + 1);
    this.#apply(this.#depot);
    return this.#steps;
  }

  get #trip(): Named {
    return { kind: 'Trip', namespace: this.#home, name: 'v' };
  }

  get #depot(): Named {
    return { kind: 'Depot', namespace: this.#home, name: 'd' };
  }

  #apply(object: Named): void {
    const { dice } = this;
    const keep = dice.weighted({ delete: 4, retain: 3, orphan: 3 });
    const more =
      object.kind === 'Trip'
        ? {}
        : { shelf: dice.one(shelves), keep, role: this.#hasPolicies ? 'reader' : dice.one(roles) };
    this.#add({ do: 'apply', object, body: { spec: { value: dice.one(values), ...more } } });
  }

  #child(): Named {
    return { kind: 'ConfigMap', namespace: this.#home, name: `d-${this.dice.one(shelves)}` };
  }

  #drift(): void {
    const { dice } = this;
    const namespace = this.#home;
    const object: Named = dice.one([
      this.#child(),
      { kind: 'RoleBinding', namespace, name: 'd-keys' },
      { kind: 'ConfigMap', namespace, name: 'v-ticket' },
    ]);
    if (dice.percent(50)) this.#add({ do: 'delete', object });
    // Never what is desired, so that nobody else comes to own it, too.
    else this.#add({ do: 'patch', object, body: wrongValue(object, `extra-${++this.#drifts}`) });
  }

  #add(step: UntimedStep): void {
    this.#steps.push({ at: this.#at, ...step } as WorkloadStep);
  }
}

/** What goes wrong about them, and in the service outside, at about the time when something is done to them. */
export function drawExtraFaults(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): readonly FaultStep[] {
  return Array.from({ length: dice.whole(1, 4) }, () => drawExtraFault(dice, steps, replicas));
}

function drawExtraFault(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): FaultStep {
  const at = rounded(Math.max(0, dice.one(steps).at + dice.one([-2, -0.1, 0, 0.1, 1])));
  const to: 0 | 1 = replicas === 2 && dice.percent(40) ? 1 : 0;
  const when = dice.one(['before', 'after'] as const);
  const times = dice.whole(1, 3);
  switch (dice.weighted({ service: 8, crash: 4, refuse: 6, lose: 4, hold: 4, kill: 2 })) {
    case 'service':
      return dice.percent(20)
        ? { at, to, fault: 'service', how: 'forget' }
        : { at, to, for: 0.5 + dice.seconds(60), fault: 'service', how: dice.one(['fail', 'hang', 'lose']) };
    case 'crash':
      return {
        at,
        to,
        fault: 'crash',
        when,
        match: dice.one(
          matches.filter(({ verb }) => verb === 'write' || verb === 'delete' || verb === 'create' || verb === 'patch'),
        ),
      };
    case 'refuse':
      return {
        at,
        to,
        fault: 'refuse',
        match: dice.one(matches),
        code: dice.one([403, 403, 409, 429, 500, 503]),
        times,
      };
    case 'lose':
      return { at, to, fault: 'lose', when, match: dice.one(matches), times };
    case 'hold':
      return {
        at,
        for: dice.seconds(30),
        to,
        fault: 'hold',
        kind: dice.one(['Trip', 'Depot', 'RoleBinding', 'ConfigMap']),
      };
    case 'kill':
      return { at, to, fault: 'kill' };
  }
}
