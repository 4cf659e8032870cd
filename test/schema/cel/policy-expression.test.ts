import { describe, expect, it } from '@jest/globals';
import { type PolicyVariables, policyExpression } from '../../../src/schema/cel/policy-expression.js';

const created: PolicyVariables = {
  object: {
    metadata: { name: 'x', labels: { 'a/b': 'c' } },
    spec: { size: 3, share: 1.5, name: 'abc', list: ['a'] },
  },
  oldObject: null,
  request: { operation: 'CREATE', userInfo: { username: 'somebody', groups: ['editors'] } },
};

const outcomeOf = (source: string): unknown => {
  const expression = policyExpression(source);
  if (expression.state !== 'known') return expression;
  try {
    return expression.holds(created);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an expression of an admission policy', () => {
  it.each<[string, unknown]>([
    ["object.spec.size <= 100 || 'system:masters' in request.userInfo.groups", true],
    ['object.spec.size > 100', false],
    ['oldObject == null || object.spec.size >= oldObject.spec.size', true],
    ["request.operation == 'CREATE' && object.metadata.labels['a/b'] == 'c'", true],
    ['has(object.spec.tier)', false],
    ['object.spec.share < 2', true],
    ["object.spec.name.matches('^a.c$') && object.spec.list.all(x, x == 'a')", true],
    ["object.metadata.?labels['x'].orValue('none') == 'none'", true],
    ["object.spec.size == '3'", false],
    ['object.spec.none == 1', "expression 'object.spec.none == 1' resulted in error: no such key: none"],
    ['object.spec.name', { state: 'faulty', words: 'cel expression must evaluate to a bool' }],
    ['objekt == 1', { state: 'faulty', words: expect.stringContaining("undeclared reference to 'objekt'") }],
    ['request.userInfo.user == "a"', { state: 'faulty', words: expect.stringContaining("undefined field 'user'") }],
    ["request.userInfo.groups.all(x, x != 'a') && 'CREATE' in [request.operation]", true],
    ["semver('1.2.3').major() == 1", { state: 'unknown', because: 'major' }],
    ['object.spec.size.minor() == 1', { state: 'unknown', because: 'minor' }],
    ['object.spec.list.distinct().all(x, x > 1)', { state: 'unknown', because: 'the type of a part' }],
    ["url('https://a') == url('https://a')", true],
    ["authorizer.group('').resource('pods').check('get').allowed()", { state: 'unknown', because: 'authorizer' }],
    ['namespaceObject.metadata.name == "a"', { state: 'unknown', because: 'namespaceObject' }],
  ])('%s: %j', (source, outcome) => {
    expect(outcomeOf(source)).toEqual(outcome);
  });
});
