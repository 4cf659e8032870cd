import type { Dice } from './dice.js';
import type { FaultStep, Schedule } from './schedule.js';

/**
 * An input moves together with what reads it, and the controller hears only of the latter: by what it knows the child of the
 * input is wanted no more, and by what the server has it is. Chance alone brings that about too rarely.
 */
export function drawHiddenMove(dice: Dice, span: number): Pick<Schedule, 'workload' | 'faults'> {
  const at = dice.whole(0, Math.max(0, Math.round(span) - 30));
  const namespace = dice.one(['default', 'blue']);
  const [from, to] = dice.percent(50) ? ['cats', 'dogs'] : ['dogs', 'cats'];
  const note = (topic: string) => ({
    metadata: { labels: { role: 'input', topic } },
    data: { text: Buffer.from('moved').toString('base64') },
  });
  const secret = { kind: 'Secret', namespace, name: dice.one(['n1', 'n2']) };
  const report = { kind: 'Report', namespace, name: 'r' };
  const faults: FaultStep[] = [{ at: at + 5, for: dice.whole(4, 40), to: 0, fault: 'hold', kind: 'Secret' }];
  return {
    workload: [
      { at, do: 'apply', object: secret, body: note(from) },
      { at, do: 'apply', object: report, body: { spec: { source: 'facts', topic: from } } },
      { at: at + 7, do: 'apply', object: secret, body: note(to) },
      { at: at + 8, do: 'apply', object: report, body: { spec: { source: 'facts', topic: to } } },
    ],
    faults,
  };
}
