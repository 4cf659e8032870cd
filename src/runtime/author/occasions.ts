import type { Operator } from '../../compose/operator.js';
import type { Inputs } from '../../compose/reads.js';
import { frozen } from '../../kube/frozen.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { splitKey } from '../queue/queue-key.js';
import type { WorkQueue } from '../queue/work-queue.js';
import type { Unmet } from '../status/status.js';
import { type Consents, type NamespaceOf, namespacesNow } from './consents.js';
import type { ReadInputs, Selected } from './read-inputs.js';
import { type ListLive, versionsIn } from './selection.js';

/** What an author's code is run for. */
export interface Subject {
  readonly key: string;
  readonly cr: KubeObject;
}

/** The same, and what of its inputs it may see. */
export interface Occasion extends Subject {
  readonly inputs: Inputs;
  /** What of the inputs lacks. */
  readonly unmet?: Unmet | undefined;
  /** When that was looked at, as a number that grows whenever something was vouched for. */
  readonly moment?: number | undefined;
}

/** What decides which inputs a custom resource sees. */
export interface Sight {
  readonly operator: Operator;
  readonly inputs: ReadInputs;
  readonly consents: Consents;
}

export interface OccasionsOptions extends Sight {
  readonly custom: WatchedKind;
  readonly queue: Pick<WorkQueue, 'upcoming'>;
}

/** The occasions that there are for an author's code. */
export class Occasions {
  #moment = 0;

  constructor(private readonly options: OccasionsOptions) {}

  /** Throws as `occasionOf` does. */
  of(key: string, cr: KubeObject): Occasion {
    return { ...occasionOf(key, cr, this.options), moment: this.#moment };
  }

  /** The same, of what was selected last, with the inputs as the API server has them, and whom it says they are shared with. */
  async live(key: string, cr: KubeObject, list: ListLive): Promise<Occasion> {
    const { inputs, operator, consents } = this.options;
    const selected = await inputs.live(key, list);
    const asked = new Set<string>();
    // Nobody is asked about what says itself that it is shared.
    consents.inputs(key, cr, operator.reads, selected, (name) => void asked.add(name));
    return seen(key, cr, selected, this.options, await namespacesNow(asked, list));
  }

  /**
   * Whether `occasion` shows of what is read what the API server has, or had when it was asked, and the Namespaces that were `asked` what
   * they consent to: who begins with stores that are late would do once more what followed from it before. Where the stores were only
   * then found to have it, what was shown may be older.
   */
  async isVouched({ key, cr, inputs: shown, moment = 0 }: Occasion, asked: string, list: ListLive): Promise<boolean> {
    const { inputs, consents } = this.options;
    const next = () => ++this.#moment;
    const since = [await inputs.vouched(key, list, next), await consents.vouched(key, list, next)];
    if (since.includes(undefined)) return false;
    if (since.every((each) => each !== undefined && each <= moment)) return true;
    if (consents.mark(key) !== asked) return false;
    const now = seen(key, cr, inputs.stored(key), this.options).inputs;
    return Object.keys(now).every((name) => versionsIn(now[name]) === versionsIn(shown[name]));
  }

  /** As `ReadInputs.whenReselected`. */
  whenReselected(listener: (key: string) => void): void {
    this.options.inputs.whenReselected(listener);
  }

  /** A text that is another one when a Namespace that was asked for `key` is not as it was in the store. */
  asked(key: string): string {
    return this.options.consents.mark(key);
  }

  /** A text that is another one as soon as the stores show anything else of what was selected last for `key`. */
  mark(key: string): string {
    const { inputs, consents } = this.options;
    return `${inputs.mark(key)}${consents.mark(key)}`;
  }

  /** Of what waits for a worker, in about the order in which it gets one: of the first `most`, those that are wanted. */
  *waiting(most: number, isWanted: (key: string, cr: KubeObject) => boolean): Generator<Subject> {
    const { custom, queue } = this.options;
    let left = most;
    for (const key of queue.upcoming()) {
      if (left-- === 0) return;
      const cr = custom.get(...splitKey(key));
      if (cr && cr.metadata.deletionTimestamp === undefined && isWanted(key, cr)) yield { key, cr };
    }
  }
}

/** Throws what the author's selection of inputs throws, and `TerminalError` for inputs out of reach. */
export function occasionOf(key: string, cr: KubeObject, sight: Sight): Occasion {
  sight.consents.askAnew(key);
  // What selects inputs is an author's code as well.
  return seen(key, cr, sight.inputs.of(key, frozen(cr)), sight);
}

/** Everybody's objects are in it, those of the stores, and `status` sees what `compose` saw: who would change any of it fails instead. */
function seen(
  key: string,
  cr: KubeObject,
  selected: Selected,
  { operator, consents }: Sight,
  namespaceOf?: NamespaceOf,
): Occasion {
  const { inputs, unmet } = consents.inputs(key, cr, operator.reads, selected, namespaceOf);
  return { key, cr: frozen(cr), inputs: frozen(inputs), ...(unmet ? { unmet } : {}) };
}

/** True where there is the same to see. Stores replace objects, and change none. */
export function isSameOccasion(a: Occasion, b: Occasion): boolean {
  return a.cr === b.cr && Object.keys(b.inputs).every((name) => isSameInput(a.inputs[name], b.inputs[name]));
}

function isSameInput(a: Inputs[string], b: Inputs[string]): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
