import { describe, expect, it } from '@jest/globals';
import { doubtOf } from '../../src/drift/empty-composition.js';
import type { Step } from '../../src/drift/plan.js';
import { stored } from './an-object.js';

const secret = (name: string) => stored({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const cr = (annotations = {}) =>
  stored({ apiVersion: 'example.com/v1', kind: 'Cache', metadata: { name: 'cache' } }, [], { annotations });
const prune = (name = 'a'): Step => ({ type: 'prune', observed: secret(name) });
const leave = (isDesired: boolean): Step => ({
  type: 'leave',
  mode: 'report',
  ref: { apiVersion: 'v1', kind: 'Secret', name: 'b' },
  isDesired,
  reported: [],
});
const consent = 'annotate it with example.com/allow-empty: "true" if that is meant';

describe('a composition of nothing', () => {
  it.each<[string, readonly Step[], string]>([
    ['one child', [prune()], 'Secret/a would be pruned'],
    ['several', [prune(), prune('b'), prune('c')], 'Secret/a and 2 more would be pruned'],
    ['one beside what stays', [{ type: 'retain', observed: secret('kept') }, prune()], 'Secret/a would be pruned'],
    ['one beside what is not enforced, and not desired', [leave(false), prune()], 'Secret/a would be pruned'],
  ])('is doubted where %s would go', (_, steps, which) => {
    expect(doubtOf(steps, cr(), false)).toBe(`It composes no child any more, and ${which}; ${consent}`);
  });

  it.each<[string, readonly Step[], object, boolean]>([
    ['nothing would go', [], {}, false],
    ['all that there is stays', [{ type: 'retain', observed: secret('kept') }], {}, false],
    ['its operator means it', [prune()], {}, true],
    ['it says so itself', [prune()], { 'example.com/allow-empty': 'true' }, false],
    ['something else is desired', [prune(), leave(true)], {}, false],
  ])('is believed where %s', (_, steps, annotations, allowEmpty) => {
    expect(doubtOf(steps, cr(annotations), allowEmpty)).toBeUndefined();
  });

  it('is told of as it is, where what is composed is of kinds that are not served', () => {
    expect(doubtOf([prune()], cr(), false, 1)).toMatch(
      /^It composes no child of a kind that is served, and Secret\/a would/,
    );
  });

  it('is doubted where its consent is no word for yes', () => {
    expect(doubtOf([prune()], cr({ 'example.com/allow-empty': 'yes' }), false)).toBeDefined();
  });
});
