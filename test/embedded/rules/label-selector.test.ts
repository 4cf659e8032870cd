import { describe, expect, it } from '@jest/globals';
import { matches, selectorProblems } from '../../../src/embedded/rules/label-selector.js';
import { showProblem } from '../../../src/schema/field-problem.js';

describe('a label selector', () => {
  const labels = { app: 'web', tier: 'front' };
  const expression = (key: string, operator: string, ...values: string[]) => ({
    matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
  });

  it.each([
    [undefined, false],
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'db' } }, false],
    [{ matchLabels: { toString: 'x' } }, false],
    [expression('app', 'In', 'db', 'web'), true],
    [expression('app', 'NotIn', 'web'), false],
    [expression('zone', 'NotIn', 'a'), true],
    [expression('tier', 'Exists'), true],
    [expression('tier', 'DoesNotExist'), false],
    [expression('tier', 'Like'), false],
    [{ matchLabels: { app: 'web' }, ...expression('tier', 'In', 'back') }, false],
  ])('%j selects: %p', (selector, isSelected) => {
    expect(matches(selector, labels)).toBe(isSelected);
  });

  it('says what is wrong with each part of it', () => {
    const selector = {
      matchLabels: { 'a b': 'c' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'b', operator: 'Exists', values: ['c d'] },
        { operator: 'Like' },
      ],
    };
    expect(selectorProblems(selector, 'spec.selector').map(showProblem)).toEqual([
      expect.stringMatching(/^spec\.selector\.matchLabels: Invalid value: "a b": name part must consist/),
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      expect.stringMatching(
        /^spec\.selector\.matchExpressions\[1\]\.values\[0\]: Invalid value: "c d": a valid label must/,
      ),
      'spec.selector.matchExpressions[2].operator: Invalid value: "Like": not a valid selector operator',
      'spec.selector.matchExpressions[2].key: Invalid value: "": name part must be non-empty',
      expect.stringMatching(/^spec\.selector\.matchExpressions\[2\]\.key: Invalid value: "": name part must consist/),
    ]);
  });
});
