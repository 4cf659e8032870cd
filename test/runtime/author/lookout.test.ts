import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../src/kube/clock.js';
import { lookout } from '../../../src/runtime/author/lookout.js';
import { owningAll } from '../../../src/runtime/author/stray-owners.js';
import { createLog } from '../../../src/runtime/telemetry/log.js';

/** More than anybody computes until it is told of, however busy the machine is: what is told of takes a few seconds of it. */
const mostTurns = 5e9;

describe('a lookout', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => void lines.push(line) });
  const look = lookout(systemClock, log);
  const toldOf = () => lines.map((line) => (JSON.parse(line) as { readonly name: string }).name);
  /** Computes until so many lines are there. */
  const standStill = (until: number): void => {
    for (let turn = 0; lines.length < until && turn < mostTurns; turn++);
  };
  const call = (name: string, body: () => void): Promise<void> => {
    const looked = look.begin();
    const owner = { controller: 'trips', function: 'seat', namespace: 'a', name, rejected: () => {} };
    const done = looked.isSeen.then(() => owningAll(owner, async () => body()));
    return done.finally(() => looked.end());
  };

  it('tells of code that stands still as it begins, before the thread beside it has had a turn', async () => {
    await call('first', () => standStill(1));
    expect(toldOf()).toEqual(['first']);
  });

  it('tells of each that stands still, also where the next one is begun before any timer has a turn', async () => {
    const lasting = look.begin();
    await call('second', () => standStill(2));
    await call('third', () => standStill(3));
    lasting.end();
    expect(toldOf()).toEqual(['first', 'second', 'third']);
  });

  it("tells of it also where it is stopped in code of another global object, as some of Node's own is", async () => {
    const compute = runInNewContext('() => { for (let turn = 0; turn < 1e6; turn++); }') as () => void;
    await call('fourth', () => {
      for (let turn = 0; lines.length < 4 && turn < mostTurns / 1e6; turn++) compute();
    });
    expect(toldOf()).toEqual(['first', 'second', 'third', 'fourth']);
  });
});
