import { describe, expect, it } from '@jest/globals';
import { showProblem } from '../../../src/schema/field-problem.js';
import { s } from '../../../src/schema/s.js';

const text = s.string({ optional: true, nullable: true, maxLength: 20 });

describe('a field that is null', () => {
  const schema = s.object(
    { a: text },
    { rules: [{ rule: '!has(self.a) || self.a.size() > 1', message: 'too short' }] },
  );

  it('is absent to has()', () => {
    expect(schema.validate({ a: null }, 'spec')).toEqual([]);
    expect(schema.validate({ a: 'x' }, 'spec').map(showProblem)).toEqual(['spec: Invalid value: too short']);
  });

  it('is no such key to a rule that does not ask', () => {
    const unguarded = s.object({ a: text }, { rules: [{ rule: "self.a != 'x'" }] });
    expect(unguarded.validate({ a: null }, 'spec').map(showProblem)).toEqual([
      `spec: Invalid value: "object": no such key: a evaluating rule: self.a != 'x'`,
    ]);
  });
});

describe('a rule that nothing may change', () => {
  const schema = s.object(
    { a: text, any: s.preserved({ optional: true }), '4xx': text },
    { rules: [{ rule: 'self == oldSelf', message: 'is immutable' }] },
  );

  it.each([
    ['a field that it cannot see', { any: { x: 1 } }, { any: { x: 2 } }],
    ['a field whose name it cannot write', { '4xx': 'a' }, { '4xx': 'b' }],
    ['a field that was null', { a: null }, {}],
  ])('holds for %s', (_, old, value) => {
    expect(schema.validate(value, 'spec', old).map(showProblem)).toEqual(['spec: Invalid value: is immutable']);
    expect(schema.validate(old, 'spec', structuredClone(old))).toEqual([]);
  });
});

describe('a set in a rule', () => {
  const setOf = (rule: string) =>
    s.object({ tags: s.set(s.string({ maxLength: 5 }), { maxItems: 5 }) }, { rules: [{ rule, message: 'no' }] });

  it.each([
    ["self.tags == ['b', 'a']", true],
    ["self.tags != ['b', 'a']", false],
    ["self.tags == ['a', 'c']", false],
    ["(self.tags + ['c', 'a']).size() == 3", true],
    ["self.tags + ['c'] == ['c', 'b', 'a']", true],
    // The list on the left says how they are compared.
    ["['b', 'a'] == self.tags", false],
  ])('%s is %s of a and b', (rule, holds) => {
    expect(setOf(rule).validate({ tags: ['a', 'b'] }, 'spec')).toHaveLength(holds ? 0 : 1);
  });
});

it('a list map in a rule has the items of both sides once, those of the right side first', () => {
  const item = s.object({ name: s.string({ maxLength: 5 }), size: s.int32() });
  const schema = s.object(
    { parts: s.listMap(item, { keys: ['name'], maxItems: 5 }) },
    {
      rules: [
        { rule: '(self.parts + oldSelf.parts).size() == 3', message: 'a part was added or taken' },
        { rule: '(self.parts + oldSelf.parts)[0].size == 1', message: 'not as it was' },
      ],
    },
  );
  const old = {
    parts: [
      { name: 'a', size: 1 },
      { name: 'b', size: 2 },
    ],
  };
  const now = {
    parts: [
      { name: 'a', size: 5 },
      { name: 'c', size: 3 },
    ],
  };
  expect(schema.validate(now, 'spec', old)).toEqual([]);
});
