import { describe, expect, it } from '@jest/globals';
import { ruleFaults } from '../../../src/schema/cel/rule-faults.js';
import { ruleProblems } from '../../../src/schema/cel/rule-problems.js';
import { showProblem } from '../../../src/schema/field-problem.js';
import { s } from '../../../src/schema/s.js';
import type { StructuralSchema } from '../../../src/schema/structural.js';

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

describe('an item that is null', () => {
  const part = s.object({ x: s.string({ maxLength: 5 }) }, { nullable: true });
  const schema = (rule: string) =>
    s.object(
      {
        texts: s.array(text, { maxItems: 3 }),
        numbers: s.array(s.int32({ nullable: true }), { maxItems: 3 }),
        parts: s.array(part, { maxItems: 3 }),
        byName: s.map(text, { maxProperties: 3 }),
      },
      { rules: [{ rule, message: 'no' }] },
    );
  const value = {
    texts: ['x', null, 'z'],
    numbers: [1, null, 3],
    parts: [{ x: 'a' }, null],
    byName: { p: 'q', r: null },
  };

  it.each([
    [
      "dyn(self.texts[1]) == null && self.texts[1] != 'x' && self.byName['r'] != 'x' && self.byName.exists(k, k == 'r')",
    ],
    [
      "self.texts.map(t, dyn(t) == null ? '' : t).join('') == 'xz' && self.texts.all(t, dyn(t) == null || t.size() == 1)",
    ],
    ['self.numbers.exists(n, n > 2) && self.numbers.filter(n, dyn(n) != null).sum() == 4'],
    ['self.parts.exists(p, p == null) && self.parts.exists(p, has(p.x)) && !has(self.parts[1].x)'],
    ['type(self.texts[1]) == null_type && self.texts[?1].hasValue()'],
  ])('is one to a rule: %s', (rule) => {
    expect(schema(rule).validate(value)).toEqual([]);
  });

  it.each([
    'self.numbers.sum() == 4',
    'self.numbers.max() == 3',
    'self.numbers.isSorted()',
    'self.numbers.all(n, n > 0)',
  ])('cannot be computed with: %s', (rule) => {
    expect(schema(rule).validate(value)[0]?.message).toContain('no such overload');
  });

  it('makes nothing of a misspelt field of the others', () => {
    expect(() => schema("self.parts.all(p, p.y == 'a')")).toThrow('No such key: y');
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
    ["(self.tags + ['c', 'c']).size() == 3", true],
    ["(self.tags + ['c'] + ['c']).size() == 3", true],
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

it.each([
  ["self.namespace == 'ns' && self.__namespace__ == 'ns' && has(self.namespace)"],
  ["self.?namespace.orValue('') == 'ns' && self.byName.namespace == 'x'"],
])('a field that is called by a reserved word can be selected by it: %s', (rule) => {
  const named = s.map(s.string({ maxLength: 5 }), { maxProperties: 2 });
  const schema = s.object({ namespace: s.string({ maxLength: 5 }), byName: named }, { rules: [{ rule }] });
  expect(schema.validate({ namespace: 'ns', byName: { namespace: 'x' } })).toEqual([]);
});

it('a rule sees the kind and the name of a resource within another, and nothing else of its metadata', () => {
  const embedded = (rule: string): StructuralSchema => ({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-validations': [{ rule }],
  });
  const value = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'b' } };
  const problems = (rule: string) =>
    ruleProblems(embedded(rule), value, { path: '', old: undefined, isResourceRoot: false });
  expect(problems("self.kind == 'Secret' && self.apiVersion == 'v1' && self.metadata.name == 'a'")).toEqual([]);
  expect(problems("self.metadata.name == 'b'")).toHaveLength(1);
  expect(ruleFaults(embedded("self.metadata.namespace == 'b'"), '')[0]?.message).toContain('namespace');
});

it.each([
  ['!self.?parts.hasValue() || self.?prats.hasValue()', 'prats'],
  ['self.?part.?sise.orValue(1) == 1', 'sise'],
  ['self.?part.sise.orValue(1) == 1', 'sise'],
  ["self.byName[1] == 'a'", "'_[_]' applied to '(map(string, string), int)'"],
  ['self.byName[?self.part.size].hasValue()', "'_[_]' applied to '(map(string, string), int)'"],
])('a rule that asks for what can never be there is refused, as on the server: %s', (rule, words) => {
  const part = s.object({ size: s.int32() });
  const byName = s.map(s.string({ maxLength: 5 }), { maxProperties: 2 });
  const parts = s.array(part, { optional: true, maxItems: 2 });
  expect(() => s.object({ part, parts, byName }, { rules: [{ rule }] })).toThrow(words);
});
