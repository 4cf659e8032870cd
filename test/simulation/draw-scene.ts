import type { Dice } from './dice.js';
import { coup, staleInput, twins } from './draw-successions.js';
import { foreign, listAnew, noteAbout, page, type Scene, siteOf } from './scene-steps.js';
import type { FaultStep } from './schedule.js';

/** Of a hundred histories, how many have such a scene: what chance alone brings about too rarely. */
const odds = {
  hiddenMove: 4,
  unseenLoss: 4,
  swap: 3,
  timeTravel: 4,
  squat: 3,
  amnesia: 4,
  failedList: 3,
  twins: 12,
  coup: 5,
  meanwhile: 3,
} as const;

const nothing: Scene = { workload: [], faults: [] };

/** A scene that begins in `span` seconds, for one history of some. */
export function drawScene(dice: Dice, span: number, replicas: 1 | 2): Scene {
  const none = 100 - Object.values(odds).reduce((sum, each) => sum + each, 0);
  const what = dice.weighted({ ...odds, none });
  if ((what === 'twins' || what === 'coup') && replicas === 1) return nothing;
  const at = dice.whole(0, Math.max(0, Math.round(span) - 30));
  return sceneOf(what, dice, at, dice.one(['default', 'blue']));
}

export function sceneOf(what: keyof typeof odds | 'none', dice: Dice, at: number, namespace: string): Scene {
  switch (what) {
    case 'hiddenMove':
      return hiddenMove(dice, at, namespace);
    case 'unseenLoss':
      return unseenLoss(dice, at, namespace);
    case 'swap':
      return swap(dice, at, namespace);
    case 'timeTravel':
      return timeTravel(dice, at, namespace);
    case 'amnesia':
      return amnesia(dice, at, namespace);
    case 'failedList':
      return failedList(dice, at, namespace);
    case 'squat':
      return squat(at, namespace);
    case 'twins':
      return dice.percent(30) ? staleInput(dice, at, namespace) : twins(dice, at, namespace);
    case 'coup':
      return coup(dice, at, namespace);
    case 'meanwhile':
      return meanwhile(dice, at, namespace);
    default:
      return nothing;
  }
}

/**
 * An input moves together with what reads it, and the controller hears only of the latter: by what it knows the child of the
 * input is wanted no more, and by what the server has it is.
 */
function hiddenMove(dice: Dice, at: number, namespace: string): Scene {
  const [from, to] = dice.percent(50) ? ['cats', 'dogs'] : ['dogs', 'cats'];
  const note = (topic: string) => noteAbout(topic, 'moved');
  const secret = { kind: 'Secret', namespace, name: dice.one(['n1', 'n2']) };
  const report = { kind: 'Report', namespace, name: 'r' };
  return {
    workload: [
      { at, do: 'apply', object: secret, body: note(from) },
      { at, do: 'apply', object: report, body: { spec: { source: 'facts', topic: from } } },
      { at: at + 7, do: 'apply', object: secret, body: note(to) },
      { at: at + 8, do: 'apply', object: report, body: { spec: { source: 'facts', topic: to } } },
    ],
    faults: [{ at: at + 5, for: dice.whole(4, 40), to: 0, fault: 'hold', kind: 'Secret' }],
  };
}

/** A child goes while no watch tells of it, and the history with it: only what a new list has not tells. */
function unseenLoss(dice: Dice, at: number, namespace: string): Scene {
  // Of a child that no watch ever showed not even its end shows.
  const isKnown = dice.percent(50);
  return {
    workload: [
      siteOf(at + (isKnown ? 0 : 4), namespace, { value: 'one', suffix: 'start' }),
      { at: at + 6, do: 'delete', object: page(namespace, 'start') },
    ],
    faults: [
      { at: at + 2, to: 0, fault: 'silence', kind: 'ConfigMap' },
      { at: at + 9, to: 0, fault: 'compact' },
    ],
  };
}

/** A child makes room for somebody else's object of its name, unseen, just before it is wanted no more. */
function swap(dice: Dice, at: number, namespace: string): Scene {
  const child = page(namespace, 'page');
  return {
    workload: [
      siteOf(at, namespace, { value: 'one', suffix: 'page' }),
      { at: at + 3, do: 'delete', object: child },
      { at: at + 4, do: 'apply', object: child, body: foreign },
      siteOf(at + 5, namespace, { value: 'one', suffix: 'home' }),
      { at: at + 20, do: 'delete', object: child },
    ],
    faults: [
      { at: at + 2, for: dice.whole(4, 12), to: 0, fault: 'hold', kind: 'ConfigMap' },
      // Somebody comes to lead who does not know better.
      ...(dice.percent(30) ? [{ at: at + 4, to: 0, fault: 'kill' } as const] : []),
    ],
  };
}

/** Whoever lists anew after a later edit is shown the time before it. */
function timeTravel(dice: Dice, at: number, namespace: string): Scene {
  const kind = dice.one(['ConfigMap', 'ConfigMap', 'Site']);
  const faults: FaultStep[] = [
    { at: at + 2, for: dice.whole(5, 20), to: 0, fault: 'lag', kind },
    ...listAnew(at + 5, kind, 1),
    // What has happened since comes late.
    { at: at + 5.05, for: dice.whole(1, 8), to: 0, fault: 'hold', kind },
  ];
  return {
    workload: [
      siteOf(at, namespace, { value: 'one', suffix: 'page' }),
      siteOf(at + 3, namespace, { value: 'two', suffix: 'home' }),
    ],
    faults,
  };
}

/** Whoever comes back knows only the time before the last edit, and hears of no later one. */
function amnesia(dice: Dice, at: number, namespace: string): Scene {
  return {
    workload: [
      siteOf(at, namespace, { value: 'one', suffix: 'page' }),
      siteOf(at + 3, namespace, { value: 'two', suffix: dice.one(['page', 'home']) }),
    ],
    faults: [
      { at: at + 2, for: 20, to: 0, fault: 'lag', kind: 'Site' },
      { at: at + 4, for: 16, to: 0, fault: 'hold', kind: 'Site' },
      { at: at + 5, to: 0, fault: 'kill' },
    ],
  };
}

/** A watch has to begin with a list, which fails for a while. */
function failedList(dice: Dice, at: number, namespace: string): Scene {
  return {
    workload: [
      siteOf(at, namespace, { value: 'one', suffix: 'page', port: 80 }),
      siteOf(at + 15, namespace, { value: 'two', suffix: 'page', port: 80 }),
    ],
    faults: listAnew(at + 3, dice.one(['ConfigMap', 'Service', 'Site']), dice.whole(2, 4)),
  };
}

/** Somebody else's object has a child's name, and goes. */
function squat(at: number, namespace: string): Scene {
  const object = page(namespace, 'start');
  return {
    workload: [
      { at, do: 'apply', object, body: foreign },
      siteOf(at + 1, namespace, { value: 'one', suffix: 'start' }),
      { at: at + 8, do: 'delete', object },
    ],
    faults: [],
  };
}

/** A watch breaks while there is work to do: how new the server is comes later than what was written since it was asked. */
function meanwhile(dice: Dice, at: number, namespace: string): Scene {
  const milliseconds = dice.one([300, 1500]);
  const edits = Array.from({ length: 12 }, (_, index) =>
    siteOf(at + 1.5 + index / 4, namespace, { value: 'one', suffix: index % 2 === 0 ? 'page' : 'home' }),
  );
  return {
    workload: [siteOf(at, namespace, { value: 'one', suffix: 'page' }), ...edits],
    faults: [
      { at: at + 1, for: 6, to: 0, fault: 'slow', kind: 'ConfigMap', milliseconds, seed: dice.whole(1, 1e6) },
      { at: at + 1, to: 0, fault: 'break', kind: 'ConfigMap' },
    ],
  };
}
