import type { CallMatch } from '../../src/testing/call.js';
import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import { acceptFrom, shareWith } from './far.js';
import { farGemNameOf } from './operators/review.js';
import type { FaultStep, Named, UntimedStep, WorkloadStep } from './schedule.js';
import { wrongValue } from './wrong-value.js';

const values = ['one', 'two', 'three'];
const subjects = ['stars', 'seas'];
const pages = ['p1', 'p2', 'p3'];
const names = ['v', 'w'];
const everybody = namespaces.join();

const writes: readonly CallMatch[] = [
  { verb: 'patch', kind: 'Review' },
  { verb: 'apply', kind: 'Review', subresource: 'status' },
  { verb: 'create', kind: 'ConfigMap' },
  { verb: 'delete', kind: 'ConfigMap' },
  { verb: 'create', kind: 'Gem' },
  { verb: 'delete', kind: 'Gem' },
  { verb: 'write', kind: 'Gem' },
];
const reads: readonly CallMatch[] = [
  { verb: 'get', kind: 'Review' },
  { verb: 'list', kind: 'ConfigMap' },
  { verb: ['list', 'watch'], kind: 'Gem' },
  { verb: ['list', 'watch'], kind: 'Namespace' },
  { verb: ['list', 'watch'], kind: 'Secret' },
];

/**
 * What users want of Reviews, which read in other namespaces what is shared with them, and have a child of a kind that comes and
 * goes. Several read the same.
 */
export function drawReviews(dice: Dice): readonly WorkloadStep[] {
  return new ReviewDrawer(dice).steps(dice.whole(8, 20));
}

class ReviewDrawer {
  readonly #steps: WorkloadStep[] = [];
  readonly #homes: readonly string[];
  /** Where most of them read. */
  readonly #source: string;
  readonly #isFar: boolean;
  #at = 0;
  #drifts = 0;
  #isServed = false;

  constructor(private readonly dice: Dice) {
    this.#homes = dice.percent(50) ? [dice.one(namespaces)] : namespaces.slice(0, 2);
    this.#source = dice.one(namespaces);
    this.#isFar = dice.percent(40);
  }

  steps(count: number): readonly WorkloadStep[] {
    const { dice } = this;
    if (dice.percent(70)) this.#serve();
    this.#lore();
    this.#page();
    this.#apply();
    if (this.#isFar) for (const name of namespaces) this.#annotate(name, acceptFrom, everybody, dice.seconds(5));
    while (this.#steps.length < count) {
      if (!dice.percent(30)) this.#at = rounded(this.#at + dice.seconds(12));
      switch (
        dice.weighted({
          edit: 7,
          delete: 2,
          recreate: 2,
          lore: 4,
          page: 5,
          share: 4,
          accept: this.#isFar ? 2 : 0,
          drift: 5,
          serve: 3,
        })
      ) {
        case 'edit':
          this.#apply();
          break;
        case 'delete':
          this.#add({ do: 'delete', object: this.#review() });
          break;
        case 'recreate': {
          const object = this.#review();
          this.#add({ do: 'delete', object });
          if (dice.percent(50)) this.#at = rounded(this.#at + dice.seconds(3));
          this.#apply(object);
          break;
        }
        case 'lore':
          this.#lore();
          break;
        case 'page':
          this.#page();
          break;
        case 'share':
          this.#annotate(dice.one([this.#source, dice.one(namespaces)]), shareWith, this.#sharedWith(), this.#at);
          break;
        case 'accept':
          this.#annotate(
            dice.one(namespaces),
            acceptFrom,
            dice.one([everybody, everybody, dice.one(namespaces), null]),
            this.#at,
          );
          break;
        case 'drift':
          this.#drift();
          break;
        case 'serve':
          this.#serve();
      }
    }
    return this.#steps;
  }

  /** The definition of Gems comes, or goes with all of them. */
  #serve(): void {
    this.#isServed = !this.#isServed;
    this.#add({ do: 'serve', kind: 'Gem', isServed: this.#isServed });
  }

  #review(): Named {
    return { kind: 'Review', namespace: this.dice.one(this.#homes), name: this.dice.one(names) };
  }

  #from(): string {
    return this.dice.percent(75) ? this.#source : this.dice.one(namespaces);
  }

  #apply(object = this.#review()): void {
    const { dice } = this;
    const to = this.#isFar && dice.percent(70) ? { to: dice.one(namespaces) } : {};
    const spec = { value: dice.one(values), from: this.#from(), subject: dice.one(subjects), ...to };
    this.#add({ do: 'apply', object, body: { spec } });
  }

  #sharedWith(): string | null {
    return this.dice.one([everybody, everybody, this.dice.one(namespaces), null]);
  }

  #input(object: Named, more: object, labels: Readonly<Record<string, string>>): void {
    if (this.dice.percent(25)) {
      this.#add({ do: 'delete', object });
      return;
    }
    const shared = this.dice.percent(60) ? this.#sharedWith() : null;
    const annotations = shared === null ? {} : { annotations: { [shareWith]: shared } };
    this.#add({
      do: 'apply',
      object,
      body: { metadata: { labels: { role: 'input', ...labels }, ...annotations }, ...more },
    });
  }

  #lore(): void {
    const object: Named = { kind: 'ConfigMap', namespace: this.#from(), name: 'lore' };
    this.#input(object, { data: { title: this.dice.one(values) } }, {});
  }

  #page(): void {
    const { dice } = this;
    const object: Named = { kind: 'Secret', namespace: this.#from(), name: dice.one(pages) };
    const text = Buffer.from(dice.one(values)).toString('base64');
    this.#input(object, { data: { text } }, { subject: dice.one(subjects) });
  }

  #annotate(name: string, annotation: string, namesOf: string | null, at: number): void {
    const body = { metadata: { annotations: { [annotation]: namesOf } } };
    this.#steps.push({ at, do: 'patch', object: { kind: 'Namespace', name }, body });
  }

  #drift(): void {
    const { dice } = this;
    const { namespace: home = '', name } = this.#review();
    const gem: Named =
      this.#isFar && dice.percent(50)
        ? { kind: 'Gem', namespace: dice.one(namespaces), name: farGemNameOf(home, name) }
        : { kind: 'Gem', namespace: home, name: `${name}-gem` };
    const ofMap = dice.percent(50) ? 'gist' : `page-${dice.one(pages)}`;
    const object: Named = dice.percent(50) ? gem : { kind: 'ConfigMap', namespace: home, name: `${name}-${ofMap}` };
    if (dice.percent(40)) this.#add({ do: 'delete', object });
    // Never what is desired, so that nobody else comes to own it, too.
    else this.#add({ do: 'patch', object, body: wrongValue(object, `review-${++this.#drifts}`) });
  }

  #add(step: UntimedStep): void {
    this.#steps.push({ at: this.#at, ...step } as WorkloadStep);
  }
}

/** What goes wrong about them, at about the time when something is done to them. */
export function drawReviewFaults(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): readonly FaultStep[] {
  return Array.from({ length: dice.whole(0, 3) }, () => drawReviewFault(dice, steps, replicas));
}

function drawReviewFault(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): FaultStep {
  const at = rounded(Math.max(0, dice.one(steps).at + dice.one([-2, -0.1, 0, 0.1, 1])));
  const to: 0 | 1 = replicas === 2 && dice.percent(40) ? 1 : 0;
  const when = dice.one(['before', 'after'] as const);
  const times = dice.whole(1, 3);
  const kind = dice.one(['Review', 'ConfigMap', 'Secret', 'Namespace', 'Gem']);
  switch (dice.weighted({ crash: 6, refuse: 5, lose: 4, hold: 5, silence: 2, lag: 2, kill: 2 })) {
    case 'crash':
      return { at, to, fault: 'crash', when, match: dice.one(writes) };
    case 'refuse':
      return {
        at,
        to,
        fault: 'refuse',
        match: dice.one([...writes, ...reads]),
        code: dice.one([403, 409, 500, 503]),
        times,
      };
    case 'lose':
      return { at, to, fault: 'lose', when, match: dice.one([...writes, ...reads]), times };
    case 'hold':
    case 'lag':
      return { at, for: dice.seconds(30), to, fault: dice.one(['hold', 'lag'] as const), kind };
    case 'silence':
      return { at, to, fault: 'silence', kind };
    case 'kill':
      return { at, to, fault: 'kill' };
  }
}
