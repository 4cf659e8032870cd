import type { Call } from '../../src/testing/call.js';
import type { Fate } from '../../src/testing/faults.js';
import type { FaultStep, ServiceFault } from './schedule.js';

type Kind = FaultStep['fault'];

/** By kind of fault, how many were drawn, and how many of them befell anything. */
export type Befallen = Readonly<Partial<Record<Kind, { readonly drawn: number; readonly befell: number }>>>;

/** What befalls nothing unless there is a call, or an event, that it befalls. */
const awaiting: ReadonlySet<Kind> = new Set([
  'crash',
  'refuse',
  'lose',
  'delay',
  'race',
  'hold',
  'lag',
  'partition',
  'cut-off',
  'behind',
  'hang',
  'slow',
  'unserve',
  'service',
]);
/** What befalls only a process that runs. */
const ofProcess: ReadonlySet<Kind> = new Set(['kill', 'stop', 'pause', 'lose-lease', 'break', 'silence']);

/** Counts faults, since one that befalls nothing tests nothing. */
export class Tally {
  readonly #drawn = new Map<Kind, number>();
  /** Each once, however often it befalls something. */
  readonly #befell = new Map<Kind, Set<unknown>>();
  readonly #lasting = new Set<FaultStep>();

  begins(step: FaultStep, isRunning: boolean): void {
    this.#drawn.set(step.fault, (this.#drawn.get(step.fault) ?? 0) + 1);
    if (step.for !== undefined) this.#lasting.add(step);
    if (!awaiting.has(step.fault) && (isRunning || !ofProcess.has(step.fault))) this.befalls(step.fault, step);
  }

  ends(step: FaultStep): void {
    this.#lasting.delete(step);
  }

  befalls(kind: Kind, which: unknown): void {
    this.#befell.set(kind, (this.#befell.get(kind) ?? new Set()).add(which));
  }

  /** The service outside failed somebody. */
  failed(how: ServiceFault): void {
    for (const step of this.#lasting) if (step.fault === 'service' && step.how === how) this.befalls('service', step);
  }

  /** A replica calls. */
  called(to: number, { verb, kind }: Call, fate: Fate | undefined): void {
    const steps = [...this.#lasting].filter((step) => step.to === to);
    for (const step of steps) {
      const isIts = (step.fault === 'slow' && (step.kind ?? kind) === kind) || step.fault === 'partition';
      if (isIts || (step.fault === 'lag' && step.kind === kind && verb === 'list')) this.befalls(step.fault, step);
    }
    if (fate?.type === 'cut-off' || fate?.type === 'hang') this.#befallAll(steps, fate.type);
    else if (fate && !steps.some(({ fault }) => fault === 'partition')) this.befalls(fate.type, fate);
  }

  /** A watch leads to a server that is not well. */
  misled(to: number): void {
    const steps = [...this.#lasting].filter((step) => step.to === to);
    this.#befallAll(steps, 'cut-off');
    this.#befallAll(steps, 'behind');
    this.#befallAll(steps, 'hang');
  }

  #befallAll(steps: readonly FaultStep[], kind: Kind): void {
    for (const step of steps) if (step.fault === kind) this.befalls(kind, step);
  }

  /** An object of this kind changed, of which watches tell. */
  changed(kind: string): void {
    for (const step of this.#lasting) {
      if (step.fault === 'hold' && step.kind === kind) this.befalls('hold', step);
    }
  }

  get all(): Befallen {
    return Object.fromEntries(
      [...this.#drawn].map(([kind, drawn]) => [kind, { drawn, befell: this.#befell.get(kind)?.size ?? 0 }]),
    );
  }
}

export function sumOf(one: Befallen, other: Befallen): Befallen {
  const kinds = [...new Set([...Object.keys(one), ...Object.keys(other)] as Kind[])].sort();
  const total = (kind: Kind, what: 'drawn' | 'befell') => (one[kind]?.[what] ?? 0) + (other[kind]?.[what] ?? 0);
  return Object.fromEntries(
    kinds.map((kind) => [kind, { drawn: total(kind, 'drawn'), befell: total(kind, 'befell') }]),
  );
}
