import { describe, expect, it } from '@jest/globals';
import { compiledRules } from '../../../src/schema/cel/compiled-rule.js';
import { costs, schema } from './costs.js';

describe('the estimate of what a rule costs', () => {
  it.each(costs)("for %j is the server's %j", (rule, cost) => {
    const compiled = compiledRules({ ...schema, 'x-kubernetes-validations': [{ rule }] }, false);
    const { condition } = compiled!.rules[0]!;

    if (cost === undefined) expect(condition.state).toBe('faulty');
    else expect(condition).toMatchObject({ state: 'known', maxCost: cost });
  });
});
