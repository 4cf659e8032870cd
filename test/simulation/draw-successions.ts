import type { Dice } from './dice.js';
import { foreign, noteAbout, type Scene, siteOf } from './scene-steps.js';
import type { WorkloadStep } from './schedule.js';

/** Who has the Lease stands still, and goes on when another may have it, whose clock is faster. */
export function twins(dice: Dice, at: number, namespace: string): Scene {
  return {
    workload: [siteOf(at, namespace, { value: 'one' }), siteOf(at + 3, namespace, { value: 'two' })],
    faults: [
      { at, for: 25, to: 1, fault: 'rate', rate: 2 },
      { at: at + 2, for: dice.whole(55, 110) / 10, to: 0, fault: 'pause', first: dice.one(['timers', 'answers']) },
    ],
  };
}

/** Whoever has the Lease loses it by force, while it has work to do. */
export function coup(dice: Dice, at: number, namespace: string): Scene {
  const seized = at + 3 + dice.one([0, 0.1, 1]);
  return {
    workload: [
      siteOf(at, namespace, { value: 'one', suffix: 'page' }),
      siteOf(at + 3, namespace, { value: 'two', suffix: 'home', port: 80 }),
      siteOf(seized, namespace, { value: 'three', suffix: 'start' }),
      siteOf(seized + dice.whole(1, 40) / 10, namespace, { value: 'four', suffix: 'page' }),
    ],
    faults: [
      ...(dice.percent(50)
        ? [
            {
              at: at + 2,
              for: 8,
              to: 0,
              fault: 'slow',
              milliseconds: dice.one([30, 300, 1500]),
              seed: dice.whole(1, 1e6),
            } as const,
          ]
        : []),
      { at: seized, to: 0, fault: dice.one(['take-lease', 'delete-lease']) },
    ],
  };
}

/** Whoever comes to lead has heard of the custom resource, and not of the last change of what that reads. */
export function staleInput(dice: Dice, at: number, namespace: string): Scene {
  const object = { kind: 'Secret', namespace, name: 'n1' };
  const report = { kind: 'Report', namespace, name: 'r' };
  return {
    workload: [
      { at, do: 'apply', object, body: noteAbout('cats', 'first') },
      { at, do: 'apply', object: report, body: { spec: { source: 'facts', topic: 'cats' } } },
      { at: at + 3, do: 'apply', object, body: noteAbout('cats', 'then') },
    ],
    faults: [
      { at: at + 2, for: dice.whole(6, 30), to: 1, fault: 'hold', kind: 'Secret' },
      { at: at + 5, to: 0, fault: dice.one(['kill', 'stop']) },
    ],
  };
}

/** One that begins in `span` seconds, in which whoever comes to lead is late about a child. */
export function drawSuccession(dice: Dice, span: number): Scene {
  const at = dice.whole(0, Math.max(0, Math.round(span) - 30));
  return staleChild(dice, at, dice.one(['default', 'blue']));
}

/**
 * Whoever comes to lead has heard of a Fleet and its status, and not of the last change of the Site that this is said of: of one
 * that got well, or that is well no more.
 */
function staleChild(dice: Dice, at: number, namespace: string): Scene {
  const fleet = { kind: 'Fleet', namespace, name: 'f' };
  const page = { kind: 'ConfigMap', namespace, name: 'f-0-page' };
  const begins: WorkloadStep = { at: at + 1, do: 'apply', object: fleet, body: { spec: { count: 1, value: 'one' } } };
  const ends: WorkloadStep = { at: at + 4, do: 'delete', object: page };
  const hold = (finalizers: readonly string[] | null) =>
    ({ do: 'patch', object: page, body: { metadata: { finalizers } } }) as const;
  return {
    workload: dice.percent(50)
      ? [{ at, do: 'apply', object: page, body: foreign }, begins, ends]
      : [
          begins,
          { at: at + 2, ...hold(['foreign.example.com/keep']) },
          ends,
          { at: at + dice.whole(8, 40), ...hold(null) },
        ],
    faults: [
      { at: at + 3, for: dice.whole(6, 30), to: 1, fault: 'hold', kind: 'Site' },
      { at: at + 5, to: 0, fault: dice.one(['kill', 'stop']) },
    ],
  };
}
