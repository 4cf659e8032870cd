import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../cluster/package-root.js';
import type { Leg } from './race.js';
import { askedFolder, reportFolder } from './report-folder.js';
import { someCreation } from './some-creation.js';

const docs = join(packageRoot, 'docs');
const unpublished = join(packageRoot, 'build/bench');
const leg = (contender: string): Leg => ({ contender, creation: someCreation });
const round = [leg('kilter'), leg('controller-runtime')];
const whole = { rounds: [round, round], growth: [] };
const order = ['controller-runtime', 'kilter'];

describe('the folder of a report', () => {
  it.each([
    ['docs', true, docs],
    ['docs/', false, docs],
    ['out', false, join(packageRoot, 'out')],
    ['/tmp/x', true, '/tmp/x'],
    [undefined, true, docs],
    [undefined, false, unpublished],
  ])('is, where %j is asked for and that it is a whole one is %j, %s', (report, isWhole, expected) => {
    expect(askedFolder(report, isWhole)).toBe(expected);
  });

  it('is docs for one that compares with controller-runtime, and in which everybody came to an end', () => {
    expect(reportFolder(docs, whole)).toEqual({ folder: docs });
    expect(reportFolder(docs, { ...whole, orders: [order, order] })).toEqual({ folder: docs });
  });

  it.each([
    ['raced with nobody', { rounds: [], growth: [] }, 'it has no numbers of controller-runtime'],
    [
      'has no numbers of controller-runtime',
      { rounds: [[leg('kilter'), { contender: 'controller-runtime' }]], growth: [] },
      'it has no numbers of controller-runtime',
    ],
    [
      'has a contender who ended early in one round',
      {
        ...whole,
        rounds: [round, [leg('kilter'), { ...leg('controller-runtime'), endedEarly: 'the time was up\nlog' }]],
      },
      'controller-runtime did not end: the time was up',
    ],
    [
      'has one who ended early as it grew',
      { ...whole, growth: [{ contender: 'kilter', points: [], endedEarly: 'it ended with code 1' }] },
      'kilter did not end: it ended with code 1',
    ],
    ['lacks a round', { ...whole, orders: [order, order, order] }, 'round 3 of 3 was broken off'],
    [
      'lacks whoever was to come last',
      { ...whole, orders: [order, [...order, 'bare loop']] },
      'round 2 of 2 was broken off',
    ],
    [
      'has a part of the small version, be it from the report before',
      {
        ...whole,
        measured: [
          { part: 'race', commit: 'e9bc742', date: '2026-01-02' },
          { part: 'embedded', commit: 'e9bc742', date: '2026-01-02', isQuick: true },
        ],
      },
      'part of it, embedded, is of --quick',
    ],
  ])('is never docs for one that %s', (_, results, because) => {
    expect(reportFolder(docs, results)).toEqual({ folder: unpublished, because });
    expect(reportFolder('/tmp/x', results)).toEqual({ folder: '/tmp/x' });
  });
});
