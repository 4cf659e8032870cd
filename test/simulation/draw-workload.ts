import { Dice, rounded } from './dice.js';
import type { Named, UntimedStep, WorkloadStep } from './schedule.js';

export const namespaces = ['default', 'blue', 'green'];
const values = ['one', 'two', 'three', 'throw', 'refused', 'strict', 'wordy'];
const suffixes = ['page', 'page', 'home', 'start'];
const topics = ['cats', 'dogs'];
const notes = ['n1', 'n2', 'n3'];
const sources = ['facts', 'rumours'];

export interface DrawnWorkload {
  readonly pods: boolean;
  readonly workload: readonly WorkloadStep[];
}

/**
 * What users, other controllers and clumsy hands do in one history. Whatever the controllers do meanwhile, the state that
 * it leads to is one: that of the undisturbed run.
 */
export function drawWorkload(seed: number): DrawnWorkload {
  const dice = new Dice(seed);
  const pods = dice.percent(6);
  const drawn = new Drawer(dice, pods);
  return { pods, workload: drawn.steps(dice.whole(3, pods ? 12 : 24)) };
}

class Drawer {
  readonly #steps: WorkloadStep[] = [];
  readonly #namespaces: readonly string[];
  readonly #sites: readonly string[];
  #at = 0;
  #drifts = 0;

  constructor(
    private readonly dice: Dice,
    private readonly pods: boolean,
  ) {
    this.#namespaces = namespaces.slice(0, dice.whole(1, 3));
    this.#sites = dice.percent(50) ? ['a'] : ['a', 'b'];
  }

  steps(count: number): readonly WorkloadStep[] {
    const { dice } = this;
    if (dice.percent(15)) this.#squat();
    while (this.#steps.length < count) {
      if (!dice.percent(35)) this.#at = rounded(this.#at + dice.seconds(12));
      const what = dice.weighted({ own: 9, input: 4, drift: 9, delete: 3, recreate: 2 });
      if (what === 'own') this.#applyOwn(this.#custom());
      else if (what === 'input') this.#input();
      else if (what === 'drift') this.#drift();
      else if (what === 'delete') this.#add({ do: 'delete', object: this.#custom() });
      else {
        const object = this.#custom();
        this.#add({ do: 'delete', object });
        if (dice.percent(50)) this.#at += dice.seconds(3);
        this.#applyOwn(object);
      }
    }
    return this.#steps;
  }

  /** Somebody else's object has a child's name, for ever or for a while. */
  #squat(): void {
    const object: Named = { kind: 'ConfigMap', namespace: this.dice.one(this.#namespaces), name: 'a-page' };
    this.#add({
      do: 'apply',
      object,
      body: { metadata: { labels: { role: 'squatter' } }, data: { foreign: 'not yours' } },
    });
    if (!this.dice.percent(50)) return;
    const at = this.dice.seconds(60);
    this.#steps.push({ at, do: 'delete', object });
  }

  #custom(): Named {
    const { dice } = this;
    const kind = this.pods ? dice.weighted({ Memcached: 6, Site: 2 }) : dice.weighted({ Site: 6, Report: 4, Fleet: 3 });
    const name = { Site: dice.one(this.#sites), Report: 'r', Fleet: 'f', Memcached: 'm' }[kind];
    return { kind, namespace: dice.one(this.#namespaces), name };
  }

  #applyOwn(object: Named): void {
    const { dice } = this;
    const value = dice.one(dice.percent(20) ? values : values.slice(0, 3));
    const specs = {
      Site: () => ({
        value,
        suffix: dice.one(suffixes),
        ...(dice.percent(50) ? { port: dice.whole(80, 82) } : {}),
        ...(dice.percent(40) ? { extra: value } : {}),
      }),
      Report: () => ({ source: dice.one(sources), topic: dice.one(topics) }),
      Fleet: () => ({ count: dice.whole(0, 3), value }),
      Memcached: () => ({ size: dice.whole(0, 3) }),
    };
    const spec = specs[object.kind as keyof typeof specs]();
    this.#add({ do: 'apply', object, body: { spec } });
  }

  #input(): void {
    const { dice } = this;
    const namespace = dice.one(this.#namespaces);
    const isSource = dice.percent(40);
    const object: Named = isSource
      ? { kind: 'ConfigMap', namespace, name: dice.one(sources) }
      : { kind: 'Secret', namespace, name: dice.one(notes) };
    if (dice.percent(25)) {
      this.#add({ do: 'delete', object });
      return;
    }
    const text = Buffer.from(dice.one(values)).toString('base64');
    const body = isSource
      ? { metadata: { labels: { role: 'input' } }, data: { title: dice.one(values) } }
      : { metadata: { labels: { role: 'input', topic: dice.one(topics) } }, data: { text } };
    this.#add({ do: 'apply', object, body });
  }

  #drift(): void {
    const { dice } = this;
    const object = this.#child();
    // Never what is desired, so that nobody else comes to own it, too.
    const wrong = `drift-${++this.#drifts}`;
    const what = dice.weighted({
      value: 6,
      delete: 5,
      labels: 3,
      foreign: 5,
      replace: 2,
      disown: 1,
      fields: 2,
      keep: 1,
    });
    const patch = (body: object) => this.#add({ do: 'patch', object, body });
    switch (what) {
      case 'delete':
        this.#add({ do: 'delete', object });
        break;
      case 'value':
        patch(this.#wrongValue(object, wrong));
        break;
      case 'labels':
        patch({ metadata: { labels: null, ...(dice.percent(50) ? { annotations: null } : {}) } });
        break;
      case 'foreign':
        patch({ metadata: { [dice.one(['labels', 'annotations'])]: { [`foreign-${this.#drifts}`]: 'theirs' } } });
        break;
      case 'replace':
        this.#add({
          do: 'replace',
          object,
          body: this.#wrongValue(object, wrong) as Readonly<Record<string, unknown>>,
        });
        break;
      case 'disown':
        patch({ metadata: { ownerReferences: null } });
        break;
      case 'fields':
        patch({ metadata: { managedFields: [{}] } });
        break;
      case 'keep':
        // Its deletion, by whomever, has to wait.
        patch({ metadata: { finalizers: ['foreign.example.com/keep'] } });
        this.#steps.push({
          at: this.#at + dice.seconds(30),
          do: 'patch',
          object,
          body: { metadata: { finalizers: null } },
        });
    }
  }

  /** Another value of a field that is always desired, so that it is put right. */
  #wrongValue({ kind, name }: Named, wrong: string): object {
    switch (kind) {
      case 'ConfigMap':
        return { data: name.startsWith('r-chapter') ? { text: wrong } : { generation: wrong } };
      case 'Secret':
        return { data: { value: Buffer.from(wrong).toString('base64') } };
      case 'Service': {
        if (name === 'm-service') return { spec: { selector: { 'memcached.cache.example.com/name': wrong } } };
        const ports = this.dice.percent(30) ? { ports: [{ name: 'web', port: 99 }] } : {};
        return { spec: { selector: { site: wrong }, ...ports } };
      }
      case 'Site':
        return { spec: { value: wrong } };
      default:
        return { spec: { replicas: 7 } };
    }
  }

  #child(): Named {
    const { dice } = this;
    const namespace = dice.one(this.#namespaces);
    const ofSite = (site: string): Named =>
      dice.percent(30)
        ? { kind: 'Service', namespace, name: `${site}-service` }
        : { kind: 'ConfigMap', namespace, name: `${site}-${dice.one(suffixes)}` };
    if (this.pods && dice.percent(70)) {
      return dice.percent(50)
        ? { kind: 'Deployment', namespace, name: 'm-server' }
        : { kind: 'Service', namespace, name: 'm-service' };
    }
    switch (dice.weighted({ site: 5, report: 4, fleet: 3 })) {
      case 'site':
        return ofSite(dice.one(this.#sites));
      case 'report':
        return {
          kind: 'ConfigMap',
          namespace,
          name: dice.percent(50) ? 'r-summary' : `r-chapter-${dice.one(notes)}`,
        };
      default:
        if (dice.percent(30)) return { kind: 'Secret', namespace, name: 'f-key' };
        return dice.percent(50) ? { kind: 'Site', namespace, name: `f-${dice.whole(0, 2)}` } : ofSite('f-0');
    }
  }

  #add(step: UntimedStep): void {
    this.#steps.push({ at: this.#at, ...step } as WorkloadStep);
  }
}
