import { describe, expect, it } from '@jest/globals';
import { isRefusal, showProblem } from '../../src/schema/field-problem.js';
import { s } from '../../src/schema/s.js';
import { validate, validateObject } from '../../src/schema/validate.js';

const memcached = s.object({
  size: s.int32({ minimum: 0, maximum: 10 }),
  image: s.string({ default: 'memcached:1.6-alpine' }),
});

describe('a value', () => {
  it.each<[string, unknown, string[]]>([
    ['is taken', { size: 3 }, []],
    [
      'is too large',
      { size: 11 },
      ['spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    ],
    ['is missing', {}, ['spec.size: Required value']],
    [
      'has the wrong type',
      { size: '3' },
      ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
    ],
    ['has a field in wrong capitals', { Size: 3 }, ['unknown field "spec.Size"']],
    ['has a null that nobody asked for', { size: 1, image: null }, []],
  ])("that %s gets the server's words", (_, value, words) => {
    expect(memcached.validate(value, 'spec').map(showProblem)).toEqual(words);
  });

  it('has as many problems as there are wrong items, however many that are', () => {
    const listing = s.object({ ports: s.array(s.string()), either: s.map(s.array(s.string())) });
    const ports = Array.from({ length: 200_000 }, () => 1);
    expect(listing.validate({ ports, either: { all: ports } })).toHaveLength(400_000);
  });

  it('keeps fields whose names every JavaScript object inherits', () => {
    const odd = JSON.parse('{"constructor":"x","__proto__":{"a":1},"toString":2}');
    const schema = s.map(s.preserved());
    expect(schema.validate(odd)).toEqual([]);
    expect(JSON.stringify(schema.withDefaults(odd))).toBe(JSON.stringify(odd));
    expect(memcached.validate(odd, 'spec').map(({ path }) => path)).toEqual([
      'spec.constructor',
      'spec.__proto__',
      'spec.toString',
    ]);
  });

  it('is in an enum of numbers as it is to the server, which cuts off fractions where one is whole', () => {
    const schema = s.number({ enum: [1.5, 2] });
    expect([1.5, 2, 2.5].flatMap((value) => schema.validate(value))).toEqual([]);
    expect(schema.validate(3.5)).toHaveLength(1);
  });

  it.each([
    ['uri', 'mongodb://a:27017,b:27017/c', true],
    ['uri', 'mongodb://a:27017,b:x/c', false],
    ['uri', 'https://a:80,b:80/c', false],
    ['uri', 'mongodb://a[::1]/', false],
    ['duration', '3 days', true],
    ['duration', '3\u00a0days', false],
    ['cidr', '02001:db8::/32', true],
    ['cidr', '12001:db8::/32', false],
    ['email', 'a@[10.1.2.3]', true],
    ['email', 'a@[b]', false],
  ] as const)('of format %s may be %s: %s', (format, text, isGood) => {
    expect(s.string({ format }).validate(text)).toHaveLength(isGood ? 0 : 1);
  });

  it('is not changed by filling in its defaults', () => {
    const value = Object.freeze({ size: 1 });
    expect(memcached.withDefaults(value)).toEqual({ size: 1, image: 'memcached:1.6-alpine' });
    expect(value).toEqual({ size: 1 });
  });

  it('that is written as undefined is not written, and gets its default', () => {
    const value = { size: 1, image: undefined } as never;
    expect(memcached.withDefaults(value)).toEqual({ size: 1, image: 'memcached:1.6-alpine' });
    expect(memcached.validate(value, 'spec')).toEqual([]);
    expect(memcached.validate({ size: undefined }, 'spec').map(showProblem)).toEqual(['spec.size: Required value']);
  });

  it('gets defaults of its own, not shared ones', () => {
    const schema = s.object({ tags: s.array(s.string(), { default: ['a'] }) });
    expect(schema.withDefaults({}).tags).not.toBe(schema.withDefaults({}).tags);
  });

  it('shares no default with its schema, where that stands for a null neither', () => {
    const rules = { kept: [] as string[] };
    const schema = s.object({ any: s.preserved({ default: rules }), list: s.array(s.preserved({ default: rules })) });
    const value = { any: null as unknown as typeof rules, list: [null as unknown as typeof rules] };

    const first = schema.withDefaults(value);
    first.any.kept.push('mine');
    first.list[0]?.kept.push('mine');

    expect(schema.withDefaults(value)).toEqual({ any: { kept: [] }, list: [{ kept: [] }] });
  });
});

describe('a change', () => {
  const schema = s.object({
    name: s.string({ maxLength: 3 }),
    tags: s.set(s.string(), { optional: true }),
    size: s.int32({ default: 1 }),
  });

  it('may leave as it was what could not be written anew', () => {
    const old = { name: 'too long', size: 1 };
    expect(schema.validate({ name: 'too long', size: 2 }, 'spec', old)).toEqual([]);
    expect(schema.validate({ name: 'too long' }, 'spec')).toHaveLength(1);
    expect(schema.validate({ name: 'longer yet' }, 'spec', old)).toHaveLength(1);
  });

  it('is never forgiven what has fields that are preserved unknown, or an item without its keys', () => {
    const name = { type: 'string' } as const;
    const item = { type: 'object', required: ['name'], properties: { name } } as const;
    const strict = {
      type: 'object',
      properties: {
        open: { ...item, 'x-kubernetes-preserve-unknown-fields': true },
        list: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      },
    } as const;
    const again = (value: object) => validate(strict, value, { path: 'spec', old: value }).map(showProblem);

    expect(again({ open: { any: 'thing' } })).toEqual(['spec.open.name: Required value']);
    expect(again({ list: [{}] })).toEqual(['spec.list[0].name: Required value']);
    expect(again({ open: {} })).toEqual([]);
  });

  it('may leave items repeated', () => {
    const old = { name: 'a', tags: ['a', 'a'], size: 1 };
    expect(schema.validate({ ...old, tags: ['a', 'a', 'b'] }, 'spec', old)).toEqual([]);
    expect(schema.validate(old, 'spec', { ...old, tags: ['a'] })).toHaveLength(1);
  });
});

describe('a whole object', () => {
  const root = {
    type: 'object',
    required: ['spec'],
    properties: { spec: memcached.structural(), status: s.object({ nodes: s.int32() }).structural() },
  } as const;
  const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a', labels: { any: 'thing' } } };

  it('may have kind and metadata without its schema saying so', () => {
    expect(validateObject(root, { ...object, spec: { size: 1 } })).toEqual([]);
  });

  it('has its status looked at for unknown fields alone, as it has a subresource of its own', () => {
    expect(validateObject(root, { ...object, spec: { size: 1 }, status: {} })).toEqual([]);
    expect(validateObject(root, { ...object, spec: { size: 1 }, status: { nods: 1 } }).map(showProblem)).toEqual([
      'unknown field "status.nods"',
    ]);
  });

  it('can be refused by a rule about its name', () => {
    const named = {
      ...root,
      'x-kubernetes-validations': [{ rule: "self.metadata.name != 'a'", message: 'not a' }],
    } as const;
    expect(validateObject(named, { ...object, spec: { size: 1 } })).toEqual([
      { path: '', message: 'Invalid value: not a', reason: 'FieldValueInvalid' },
    ]);
  });
});

describe('a rule that only the server can evaluate', () => {
  it.each([
    ['isSemver', 'isSemver(self.a)'],
    ['all with two variables', 'self.list.all(i, x, i < 3 || x != "a")'],
    ['sortBy', 'self.list.sortBy(x, x.size())[0] == "a"'],
    ['transformList', 'self.list.transformList(i, x, x).size() > 0'],
    ['optMap', 'self.?a.optMap(x, x + "b").hasValue()'],
    ['lists.range', 'lists.range(3).size() == 3'],
    ['format.named', 'format.named("uri").hasValue()'],
    ['validate', '!format.dns1123Label().validate(self.a).hasValue()'],
  ])('says so by name: %s', (name, rule) => {
    const schema = s.object(
      { a: s.string({ maxLength: 5 }), list: s.array(s.string({ maxLength: 5 }), { maxItems: 5, optional: true }) },
      { rules: [{ rule }] },
    );
    const [problem, ...others] = schema.validate({ a: '1', list: [] }, 'spec');

    expect(others).toEqual([]);
    expect(problem).toEqual({
      path: 'spec',
      message: `only the server can evaluate ${name}, in rule: ${rule}`,
      reason: 'UnknownOffline',
    });
    expect(isRefusal(problem!)).toBe(false);
  });
});
