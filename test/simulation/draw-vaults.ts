import type { CallMatch } from '../../src/testing/call.js';
import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import type { FaultStep, Named, WorkloadStep } from './schedule.js';
import { wrongValue } from './wrong-value.js';

const values = ['one', 'two', 'three'];
const boxes = ['tin', 'urn', 'chest'];
const ways = ['Delete', 'Retain', 'Orphan'];

const matches: readonly CallMatch[] = [
  { verb: 'patch', kind: 'Vault' },
  { verb: 'apply', kind: 'Vault', subresource: 'status' },
  { verb: 'create', kind: 'ConfigMap' },
  { verb: 'delete', kind: 'ConfigMap' },
  { verb: 'patch', kind: 'ConfigMap' },
];
const reads: readonly CallMatch[] = [
  { verb: 'get', kind: 'Vault' },
  { verb: 'list', kind: 'ConfigMap' },
];

/**
 * What users want of Vaults, whose own field says what becomes of their children as they move and when their Vault goes. One is
 * there at the end: what is left behind by one that is gone depends on when it went.
 */
export function drawVaults(dice: Dice): readonly WorkloadStep[] {
  const object: Named = { kind: 'Vault', namespace: dice.one(namespaces), name: 'k' };
  const steps: WorkloadStep[] = [];
  let at = 0;
  let drifts = 0;
  const apply = () => {
    const spec = { value: dice.one(values), box: dice.one(boxes), left: dice.one(ways) };
    steps.push({ at, do: 'apply', object, body: { spec } });
  };
  const drift = () => {
    const child: Named = { ...object, kind: 'ConfigMap', name: `k-${dice.one([...boxes, 'index'])}` };
    // Never what is desired, so that nobody else comes to own it, too.
    if (dice.percent(50)) steps.push({ at, do: 'delete', object: child });
    else steps.push({ at, do: 'patch', object: child, body: wrongValue(child, `vault-${++drifts}`) });
  };
  for (let left = dice.whole(6, 14); left > 0; left--) {
    if (!dice.percent(30)) at = rounded(at + dice.seconds(12));
    const what = dice.weighted({ edit: 8, delete: 2, recreate: 3, drift: 4 });
    if (what === 'drift') drift();
    if (what === 'delete' || what === 'recreate') steps.push({ at, do: 'delete', object });
    if (what === 'recreate' && dice.percent(50)) at = rounded(at + dice.seconds(3));
    if (what === 'edit' || what === 'recreate') apply();
  }
  at = rounded(at + 1);
  apply();
  return steps;
}

/** What goes wrong about them, at about the time when something is done to them. */
export function drawVaultFaults(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): readonly FaultStep[] {
  return Array.from({ length: dice.whole(0, 3) }, () => drawVaultFault(dice, steps, replicas));
}

function drawVaultFault(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): FaultStep {
  const at = rounded(Math.max(0, dice.one(steps).at + dice.one([-2, -0.1, 0, 0.1, 1])));
  const to: 0 | 1 = replicas === 2 && dice.percent(40) ? 1 : 0;
  const when = dice.one(['before', 'after'] as const);
  const times = dice.whole(1, 3);
  switch (dice.weighted({ crash: 6, refuse: 5, lose: 4, hold: 5, kill: 2 })) {
    case 'crash':
      return { at, to, fault: 'crash', when, match: dice.one(matches) };
    case 'refuse':
      return {
        at,
        to,
        fault: 'refuse',
        match: dice.one([...matches, ...reads]),
        code: dice.one([403, 409, 500]),
        times,
      };
    case 'lose':
      return { at, to, fault: 'lose', when, match: dice.one([...matches, ...reads]), times };
    case 'hold':
      return { at, for: dice.seconds(30), to, fault: 'hold', kind: dice.one(['Vault', 'ConfigMap']) };
    case 'kill':
      return { at, to, fault: 'kill' };
  }
}

/** When somebody thinks better of it, counted from the last of the steps before. */
const thoughts = { edit: 2, end: 6, better: 7, again: 50 };

/**
 * Somebody deletes the Vault that is there at the end of `steps`, with all that it has, and says as it goes that this is to stay. One
 * of its name takes over what there is.
 */
export function drawSecondThoughts(dice: Dice, steps: readonly WorkloadStep[]): readonly WorkloadStep[] {
  const last = steps.findLast((step) => step.do === 'apply');
  if (!last) return [];
  const { at, object } = last;
  const leaves = (left: string) => ({ do: 'patch', object, body: { spec: { left } } }) as const;
  return [
    { at: rounded(at + thoughts.edit), ...leaves('Delete') },
    { at: rounded(at + thoughts.end), do: 'delete', object },
    { at: rounded(at + thoughts.better), ...leaves(dice.percent(80) ? 'Orphan' : 'Retain') },
    { ...last, at: rounded(at + thoughts.again) },
  ];
}

/** What is in the way of that end at first, and whose watch tells late that somebody has thought better of it. */
export function drawLateThoughts(dice: Dice, steps: readonly WorkloadStep[], replicas: 1 | 2): readonly FaultStep[] {
  const end = (steps[0]?.at ?? 0) - thoughts.edit + thoughts.end;
  const to: 0 | 1 = replicas === 2 && dice.percent(30) ? 1 : 0;
  const match = {
    verb: dice.one(['delete', 'delete', 'get'] as const),
    kind: dice.one(['ConfigMap', 'ConfigMap', 'Vault']),
  };
  return [
    { at: rounded(end - 0.1), to, fault: 'refuse', match, code: dice.one([409, 500, 503]), times: dice.whole(1, 4) },
    { at: rounded(end + dice.one([-0.5, 0.5])), for: dice.whole(3, 25), to, fault: 'hold', kind: 'Vault' },
  ];
}
