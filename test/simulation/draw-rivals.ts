import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import type { Named, WorkloadStep } from './schedule.js';

const values = ['one', 'two', 'three'];

/**
 * Two Depots that may take the same object, by names that come to the same: each has it for a while, keeps it, leaves it behind, or
 * makes way, and is told that it is the other's meanwhile. In the end only one of them is there, whoever had it by then.
 */
export function drawRivals(dice: Dice): readonly WorkloadStep[] {
  const namespace = dice.one(namespaces);
  const [one, other] = [
    { object: depot(namespace, 'd'), wanted: 'x-box', else: ['rack', 'crate'] },
    { object: depot(namespace, 'd-x'), wanted: 'box', else: ['rack', 'crate'] },
  ] as const;
  const steps: WorkloadStep[] = [];
  let at = 0;
  const apply = ({ object, ...shelves }: typeof one | typeof other, wants: boolean) => {
    const spec = {
      value: dice.one(values),
      shelf: wants ? shelves.wanted : dice.one(shelves.else),
      keep: dice.weighted({ delete: 4, retain: 2, orphan: 3 }),
      role: 'reader',
    };
    steps.push({ at, do: 'apply', object, body: { spec } });
  };
  for (let left = dice.whole(6, 14); left > 0; left--) {
    const whose = dice.percent(50) ? one : other;
    switch (dice.weighted({ edit: 10, delete: 2, recreate: 2, drift: 3 })) {
      case 'edit':
        apply(whose, dice.percent(65));
        break;
      case 'delete':
        steps.push({ at, do: 'delete', object: whose.object });
        break;
      case 'recreate':
        steps.push({ at, do: 'delete', object: whose.object });
        if (dice.percent(50)) at = rounded(at + dice.seconds(3));
        apply(whose, dice.percent(65));
        break;
      case 'drift':
        steps.push({ at, do: 'delete', object: { kind: 'ConfigMap', namespace, name: 'd-x-box' } });
    }
    if (!dice.percent(30)) at = rounded(at + dice.seconds(12));
  }
  const [winner, loser] = dice.percent(50) ? [one, other] : [other, one];
  // What it keeps though it asks for it no more is nobody else's while it is there.
  steps.push({ at, do: 'delete', object: loser.object });
  if (dice.percent(50)) at = rounded(at + dice.seconds(6));
  apply(winner, true);
  return steps;
}

function depot(namespace: string, name: string): Named {
  return { kind: 'Depot', namespace, name };
}
