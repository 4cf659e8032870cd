import { expect, it } from '@jest/globals';
import { AuthorTurn } from '../../../src/runtime/author/author-turn.js';
import { Breather } from '../../../src/runtime/process/breather.js';
import { createLog } from '../../../src/runtime/telemetry/log.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

it('names those for whom others waited, also where one was stopped a moment before its second was over', () => {
  const clock = new VirtualClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(JSON.parse(line)) });
  const turn = new AuthorTurn({ breather: new Breather({ clock }), clock, log });
  const take = (name: string, milliseconds: number) => {
    const what = { function: 'compose', namespace: 'default', name, rejected: () => {} };
    turn.take(() => turn.run(what, () => clock.leap(milliseconds)));
  };
  take('quick', 400);
  take('stopped', 999);
  expect(lines).toEqual([
    expect.objectContaining({ function: 'compose', namespace: 'default', name: 'stopped', milliseconds: 999 }),
  ]);
});
