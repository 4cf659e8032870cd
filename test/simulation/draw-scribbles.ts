import { type Dice, rounded } from './dice.js';
import type { Named, WorkloadStep } from './schedule.js';

const scribbled = {
  type: 'Ready',
  reason: 'Scribbled',
  message: 'by somebody',
  lastTransitionTime: '2020-01-01T00:00:00Z',
};
/** What an author's code says of each kind at all times. */
const said: Readonly<Record<string, object>> = {
  Report: { chapters: 77 },
  Fleet: { serving: 77, values: ['nothing'] },
};

/**
 * Somebody writes into the status of custom resources: what only their controller is to say there. Never what it may leave
 * unsaid, for who said that last is a matter of time.
 */
export function drawScribbles(dice: Dice, objects: readonly Named[], span: number): readonly WorkloadStep[] {
  if (objects.length === 0) return [];
  return Array.from({ length: dice.whole(1, 4) }, () => {
    const object = dice.one(objects);
    const bodies: Readonly<Record<string, object | null>> = {
      all: null,
      conditions: { conditions: null },
      lie: { conditions: [{ ...scribbled, status: dice.one(['True', 'False', 'Unknown']) }] },
      generation: { observedGeneration: dice.whole(1, 9) },
      word: said[object.kind] ?? { conditions: [] },
    };
    const status = bodies[dice.weighted({ all: 2, conditions: 2, lie: 4, generation: 2, word: 4 })] as object | null;
    const at = rounded(dice.whole(0, span * 1000) / 1000);
    return { at, do: 'patch', object, body: { status }, subresource: 'status' };
  });
}
