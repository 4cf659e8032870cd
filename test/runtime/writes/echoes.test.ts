import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Echoes } from '../../../src/runtime/writes/echoes.js';

const key = 'default/cache';
const child = (resourceVersion: string, uid = 'child') => ({ metadata: { uid, resourceVersion } }) as KubeObject;

type Told = readonly ['changed' | 'answered', string, string?] | readonly ['asked' | 'awaits' | 'take'];

/** Tells a key's echoes a story, and says of each change whether it queues, and of each take whether it is due. */
function tell(...story: readonly Told[]): boolean[] {
  const echoes = new Echoes();
  return story.flatMap(([word, version = '', uid]) => {
    if (word === 'changed') return [echoes.changed(key, child(version, uid))];
    if (word === 'take') return [echoes.take(key)];
    if (word === 'asked') echoes.asked(key);
    else if (word === 'awaits') echoes.awaits(key);
    else echoes.answered(key, child(version, uid));
    return [];
  });
}

describe('a change that a watch shows', () => {
  it.each<[string, readonly Told[], readonly boolean[]]>([
    ['is news when nobody wrote', [['changed', '5'], ['take']], [true, true]],
    [
      'is an echo after the answer',
      [
        ['answered', '5'],
        ['changed', '5'],
      ],
      [false],
    ],
    ['is an echo before the answer', [['changed', '5'], ['answered', '5'], ['take']], [true, false]],
    [
      'is an echo once',
      [
        ['answered', '5'],
        ['changed', '5'],
        ['changed', '5'],
      ],
      [false, true],
    ],
    ['is news when it shows another version', [['answered', '5'], ['changed', '6'], ['take']], [true, true]],
    [
      'is news when somebody wrote before us, and his change comes first',
      [['changed', '4'], ['changed', '5'], ['answered', '5'], ['take']],
      [true, true, true],
    ],
    [
      'is news when somebody wrote before us, and our answer comes between',
      [['changed', '4'], ['answered', '5'], ['changed', '5'], ['take']],
      [true, false, true],
    ],
    [
      'is news beside an echo of another object',
      [['changed', '5', 'a'], ['changed', '6', 'b'], ['answered', '6', 'b'], ['take']],
      [true, true, true],
    ],
    [
      'is an echo for whoever waits for another reason, who goes on waiting',
      [['asked'], ['answered', '5'], ['changed', '5'], ['take']],
      [false, true],
    ],
    [
      'queues whoever waits for our writes to come back, until he is taken',
      [['answered', '5'], ['awaits'], ['changed', '5'], ['take'], ['answered', '6'], ['changed', '6']],
      [true, true, false],
    ],
    [
      'counts only until the next reconcile',
      [['changed', '5'], ['take'], ['changed', '6'], ['answered', '6'], ['take']],
      [true, true, true, false],
    ],
  ])('%s', (_, story, expected) => {
    expect(tell(...story)).toEqual(expected);
  });

  it('leaves a key due of which nothing was told', () => {
    expect(tell(['take'])).toEqual([true]);
  });

  it('is no echo of an earlier version, which is heard even so when a later one is shown', () => {
    expect(tell(['answered', '5'], ['changed', '4'], ['take'], ['changed', '5'])).toEqual([true, true, false]);
    expect(tell(['answered', '5'], ['changed', '6'], ['take'], ['changed', '5'])).toEqual([true, true, true]);
  });

  it('is missed, perhaps, by whoever lists anew before it', () => {
    const echoes = new Echoes();
    echoes.answered(key, child('5'));
    echoes.answered('default/heard', child('6', 'heard'));
    echoes.changed('default/heard', child('6', 'heard'));
    expect(echoes.unheard()).toEqual([key]);
    expect(echoes.unheard()).toEqual([]);
    expect(echoes.changed(key, child('5'))).toBe(true);
  });

  it('leaves nothing behind of an owner that is gone', () => {
    const echoes = new Echoes();
    for (let index = 0; index < 1000; index++) {
      const owner = `default/${index}`;
      echoes.awaits(owner);
      echoes.changed(owner, child('4'));
      echoes.answered(owner, child('5'));
      echoes.forget(owner);
    }
    expect(echoes.size).toBe(0);
  });

  it('is no echo of what was written for an owner that is gone', () => {
    const echoes = new Echoes();
    echoes.answered(key, child('5'));
    echoes.forget(key);
    expect(echoes.changed(key, child('5'))).toBe(true);
  });
});
