import type { CallMatch } from '../../src/testing/call.js';
import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import { acceptFrom, haltNameOf, stopNameOf } from './far.js';
import type { FaultStep, Named, WorkloadStep } from './schedule.js';
import { wrongValue } from './wrong-value.js';

const values = ['one', 'two', 'three'];
const everybody = namespaces.join();
const squatter = { metadata: { labels: { role: 'squatter' } }, data: { foreign: 'not yours' } };

const writes: readonly CallMatch[] = [
  { verb: 'patch', kind: 'Tour' },
  { verb: 'apply', kind: 'Tour', subresource: 'status' },
  { verb: 'create', kind: 'ConfigMap' },
  { verb: 'delete', kind: 'ConfigMap' },
];
const reads: readonly CallMatch[] = [
  { verb: 'get', kind: 'Tour' },
  { verb: 'list', kind: 'ConfigMap' },
  { verb: ['list', 'watch'], kind: 'Namespace' },
];

/**
 * What users want of Tours, whom namespaces accept, and what others do to the children. As of all that is drawn, the state
 * that it leads to is one, whatever the controllers do meanwhile. By the dice `more`, which is absent where Tours have but one, each
 * has a second far child.
 */
export function drawTours(dice: Dice, more?: Dice): readonly WorkloadStep[] {
  return new TourDrawer(dice, more).steps(dice.whole(8, 18));
}

class TourDrawer {
  readonly #steps: WorkloadStep[] = [];
  /** Where Tours live, one in each. */
  readonly #homes: readonly string[];
  /** By its home, where a Tour was to stop last. */
  readonly #stops = new Map<string, string>();
  /** And where it was to halt besides. */
  readonly #halts = new Map<string, string>();
  #at = 0;
  #drifts = 0;
  #hasSwapped = false;

  constructor(
    private readonly dice: Dice,
    private readonly more: Dice | undefined,
  ) {
    this.#homes = dice.percent(60) ? [dice.one(namespaces)] : namespaces.slice(0, 2);
  }

  steps(count: number): readonly WorkloadStep[] {
    const { dice } = this;
    if (dice.percent(15)) this.#squat();
    // It has to wait until somebody accepts it.
    this.#apply(dice.one(this.#homes), 'away');
    for (const name of namespaces) this.#accept(name, everybody, dice.seconds(5));
    this.#at = 5;
    while (this.#steps.length < count) {
      if (!dice.percent(30)) this.#at = rounded(this.#at + dice.seconds(12));
      const home = dice.one(this.#homes);
      switch (dice.weighted({ edit: 8, delete: 3, recreate: 3, consent: 4, drift: 7, swap: 1 })) {
        case 'edit':
          this.#apply(home);
          break;
        case 'delete':
          this.#delete(home);
          break;
        case 'recreate':
          this.#delete(home);
          if (dice.percent(50)) this.#at = rounded(this.#at + dice.seconds(3));
          this.#apply(home);
          break;
        case 'consent': {
          const from = dice.one([everybody, everybody, dice.one(namespaces), null]);
          this.#accept(dice.one(namespaces), from, this.#at);
          break;
        }
        case 'drift':
          this.#drift(home);
          break;
        case 'swap':
          this.#swap(home);
      }
    }
    return this.#steps;
  }

  #apply(
    home: string,
    where: 'away' | 'home' | 'nowhere' = this.dice.weighted({ away: 7, home: 1, nowhere: 2 }),
  ): void {
    const { dice } = this;
    const away = dice.one(namespaces.filter((each) => each !== home));
    const to = { away, home, nowhere: undefined }[where];
    if (to !== undefined) this.#stops.set(home, to);
    const also = this.#alsoFor(home, to);
    const spec = {
      value: dice.one(values),
      ...(to === undefined ? {} : { to }),
      ...(also === undefined ? {} : { also }),
    };
    this.#steps.push({ at: this.#at, do: 'apply', object: tourIn(home), body: { spec } });
  }

  /** Where a Tour halts besides: mostly in the namespace in which it does not stop. */
  #alsoFor(home: string, to: string | undefined): string | undefined {
    if (!this.more?.percent(75)) return undefined;
    const others = namespaces.filter((each) => each !== home && each !== to);
    const also = this.more.percent(85) ? this.more.one(others) : this.more.one(namespaces);
    this.#halts.set(home, also);
    return also;
  }

  #delete(home: string): void {
    this.#steps.push({ at: this.#at, do: 'delete', object: tourIn(home) });
  }

  /** From then on a namespace accepts the children of these, by commas; of nobody with null. */
  #accept(name: string, from: string | null, at: number): void {
    const body = { metadata: { annotations: { [acceptFrom]: from } } };
    this.#steps.push({ at, do: 'patch', object: { kind: 'Namespace', name }, body });
  }

  /** A far child of a Tour, where it is to be, or was, or never will be. */
  #stop(home: string): Named {
    const { dice } = this;
    const namespace = (dice.percent(80) ? this.#stops.get(home) : undefined) ?? dice.one(namespaces);
    const halt = this.more?.percent(50) ? this.#halts.get(home) : undefined;
    if (halt !== undefined) return { kind: 'ConfigMap', namespace: halt, name: haltNameOf(home, 't') };
    return { kind: 'ConfigMap', namespace, name: stopNameOf(home, 't') };
  }

  /** Somebody else's object has a far child's name, for ever or for a while. */
  #squat(): void {
    const { dice } = this;
    const object = this.#stop(dice.one(this.#homes));
    this.#steps.push({ at: 0, do: 'apply', object, body: squatter });
    if (dice.percent(50)) this.#steps.push({ at: dice.seconds(60), do: 'delete', object });
  }

  /** Somebody takes the name of a far child while its Tour goes: what has it then is not for the Tour to delete. */
  #swap(home: string): void {
    if (this.#hasSwapped) return;
    this.#hasSwapped = true;
    const at = this.#at;
    const object = this.#stop(home);
    const taken = rounded(at + this.dice.one([0, 0.5, 2]));
    this.#steps.push(
      { at, do: 'delete', object },
      { at: taken, do: 'apply', object, body: squatter },
      { at: rounded(taken + this.dice.one([0, 1])), do: 'delete', object: tourIn(home) },
      // Whoever has it by then, for that was a matter of time: what is desired is made anew.
      { at: rounded(at + 30), do: 'delete', object },
    );
  }

  #drift(home: string): void {
    const { dice } = this;
    const at = this.#at;
    const object: Named = dice.percent(25) ? { kind: 'ConfigMap', namespace: home, name: 't-plan' } : this.#stop(home);
    // Never what is desired, so that nobody else comes to own it, too.
    const wrong = wrongValue(object, `tour-${++this.#drifts}`);
    const patch = (body: object) => this.#steps.push({ at, do: 'patch', object, body });
    switch (dice.weighted({ value: 5, delete: 5, labels: 4, foreign: 3, replace: 2, fields: 1, keep: 3 })) {
      case 'value':
        patch(wrong);
        break;
      case 'delete':
        this.#steps.push({ at, do: 'delete', object });
        break;
      case 'labels':
        // Of what is far nothing says any more whose it is.
        patch({ metadata: { labels: null, ...(dice.percent(30) ? { annotations: null } : {}) } });
        break;
      case 'foreign':
        patch({ metadata: { annotations: { [`foreign-${this.#drifts}`]: 'theirs' } } });
        break;
      case 'replace':
        this.#steps.push({ at, do: 'replace', object, body: wrong as Readonly<Record<string, unknown>> });
        break;
      case 'fields':
        patch({ metadata: { managedFields: [{}] } });
        break;
      case 'keep':
        // Its deletion, by whomever, has to wait, and so has the end of its Tour.
        patch({ metadata: { finalizers: ['foreign.example.com/keep'] } });
        this.#steps.push({
          at: rounded(at + dice.seconds(30)),
          do: 'patch',
          object,
          body: { metadata: { finalizers: null } },
        });
    }
  }
}

/** What goes wrong about Tours, at about the time when something is done to them. */
export function drawTourFaults(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): readonly FaultStep[] {
  return Array.from({ length: dice.whole(0, 3) }, () => drawTourFault(dice, steps, replicas)).flat();
}

function drawTourFault(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): readonly FaultStep[] {
  const near = dice.one(steps).at;
  const at = rounded(Math.max(0, near + dice.one([-2, -0.1, 0, 0.1, 1])));
  const to: 0 | 1 = replicas === 2 && dice.percent(40) ? 1 : 0;
  const kind = dice.one(['Tour', 'Namespace', 'ConfigMap']);
  const when = dice.one(['before', 'after'] as const);
  const times = dice.whole(1, 3);
  switch (dice.weighted({ crash: 6, refuse: 5, lose: 4, race: 3, hold: 5, silence: 2, kill: 2, amnesia: 3 })) {
    case 'crash':
      return [{ at, to, fault: 'crash', when, match: dice.one(writes) }];
    case 'refuse': {
      const code = dice.one([403, 409, 429, 500, 503]);
      const wait = code === 429 ? { retryAfter: dice.whole(1, 10) } : {};
      return [{ at, to, fault: 'refuse', match: dice.one([...writes, ...reads]), code, ...wait, times }];
    }
    case 'lose':
      return [{ at, to, fault: 'lose', when, match: dice.one([...writes, ...reads]), times }];
    case 'race': {
      const verb = dice.one(['delete', 'delete', 'apply', 'create'] as const);
      return [{ at, to, fault: 'race', when, match: { verb, kind: 'ConfigMap' }, times }];
    }
    case 'hold':
      return [{ at, for: dice.seconds(30), to, fault: 'hold', kind }];
    case 'silence':
      return [{ at, to, fault: 'silence', kind }];
    case 'kill':
      return [{ at, to, fault: 'kill' }];
    case 'amnesia':
      // Whoever comes back knows only Tours as they were before, and hears of nothing later.
      return [
        { at: rounded(Math.max(0, near - 1)), for: 20, to, fault: 'lag', kind: 'Tour' },
        { at: rounded(near + 0.5), for: 16, to, fault: 'hold', kind: 'Tour' },
        { at: rounded(near + 1), to, fault: 'kill' },
      ];
  }
}

function tourIn(namespace: string): Named {
  return { kind: 'Tour', namespace, name: 't' };
}
