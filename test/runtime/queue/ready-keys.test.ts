import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Priority, priorities, ReadyKeys } from '../../../src/runtime/queue/ready-keys.js';
import { Reasons } from '../../../src/runtime/queue/reasons.js';
import { stepsOf } from '../../steps-of.js';

const { changed, related, resync } = priorities;

describe('keys that are ready', () => {
  let ready: ReadyKeys;
  beforeEach(() => {
    ready = new ReadyKeys((key) => key.slice(0, key.indexOf('/')));
  });
  const add = (priority: Priority, ...keys: readonly string[]) => {
    for (const key of keys) ready.add(key, { reasons: new Reasons(), priority });
  };
  const many = (group: string, count = 100) => Array.from({ length: count }, (_, index) => `${group}/${index}`);
  /** The place of a key in the order in which they are taken, from 1. */
  const placeOf = (key: string) => {
    for (let place = 1; ; place++) if ((ready.take() as readonly [string, unknown])[0] === key) return place;
  };

  it('are taken before a backlog of their own group when they are new', () => {
    add(resync, ...many('a'));
    add(changed, 'a/new');
    expect(placeOf('a/new')).toBe(1);
  });

  it('are taken before a backlog of all groups when they are new, but for one', () => {
    for (let group = 0; group < 100; group++) add(resync, ...many(`g${group}`, 10));
    ready.take();
    add(changed, 'g7/new');
    expect(placeOf('g7/new')).toBeLessThanOrEqual(2);
  });

  it('are taken in a group that only follows, though the people of another change things all the time', () => {
    add(changed, ...many('busy'));
    add(related, 'a/drifted', 'b/drifted');
    add(resync, 'c/looked at');
    const taken: string[] = [];
    for (let turn = 0; turn < 8; turn++) {
      taken.push((ready.take() as readonly [string, unknown])[0]);
      add(changed, `busy/again ${turn}`);
    }
    expect(taken.filter((key) => !key.startsWith('busy/'))).toEqual(['a/drifted', 'b/drifted', 'c/looked at']);
  });

  it.each<[string, readonly Priority[]]>([
    ['the more urgent came last', [resync, related]],
    ['the more urgent came first', [related, resync]],
  ])(
    'are taken at last, one of four, where people of their own group change something all the time, when %s',
    (_, others) => {
      let now = 0;
      const addNow = (priority: Priority, key: string) =>
        ready.add(key, { reasons: new Reasons(), priority, since: now++ });
      for (const priority of others) addNow(priority, `a/${priority}`);
      addNow(changed, 'a/busy');
      const taken: string[] = [];
      for (let turn = 0; turn < 8; turn++) {
        const [key] = ready.take() as readonly [string, unknown];
        taken.push(key);
        if (key === 'a/busy') addNow(changed, key);
      }
      const [first, second] = others.map((priority) => `a/${priority}`);
      const busy = ['a/busy', 'a/busy', 'a/busy'];
      expect(taken).toEqual([...busy, first, ...busy, second]);
    },
  );

  it('let groups take turns within a priority, and across priorities', () => {
    add(changed, ...many('a', 3));
    add(changed, ...many('b', 3));
    add(related, 'c/0');
    const taken = Array.from({ length: 7 }, () => ready.take()?.[0]);
    expect(taken).toEqual(['a/0', 'b/0', 'a/1', 'c/0', 'b/1', 'a/2', 'b/2']);
    expect([ready.take(), ready.size]).toEqual([undefined, 0]);
  });

  it('cost the same however many there are', () => {
    const cost = (count: number) => {
      for (let index = 0; index < count; index++) add((index % 3) as Priority, `g${index % 100}/${index}`);
      const steps = stepsOf(() => {
        for (let index = 0; index < 100; index++) ready.take();
      });
      ready.clear();
      return steps;
    };
    expect([cost(20_000), cost(200) > 0]).toEqual([cost(2000), true]);
  });
});
