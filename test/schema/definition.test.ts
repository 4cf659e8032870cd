// Longer than most files: what is said of each bad definition stands beside it.
import { describe, expect, it } from '@jest/globals';
import { DefinitionError } from '../../src/kube/errors.js';
import { checkObjectDefinition } from '../../src/schema/definition.js';
import { s } from '../../src/schema/s.js';
import type { StructuralSchema } from '../../src/schema/structural.js';

function thrownBy(define: () => unknown): DefinitionError {
  try {
    define();
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function object(spec: StructuralSchema): StructuralSchema {
  return { type: 'object', properties: { spec } };
}

const aboutCel =
  'write CEL in which self is the value that the rule stands at, with the fields of its schema: https://kubernetes.io/docs/reference/using-api/cel/';

const port = s.object({ port: s.int32({ optional: true }), name: s.string() });

describe('a definition that the API server would refuse', () => {
  it.each<[string, () => unknown, string, string | undefined]>([
    [
      'a pattern that Go does not know',
      () => s.object({ host: s.string({ pattern: '^(?!a)' }) }),
      'string schema cannot be defined: pattern: "^(?!a)" must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?!`',
      "the API server matches with Go's regexp (RE2), which has no look-around and no back-references",
    ],
    [
      'a default that is no valid value',
      () => s.int32({ maximum: 3, default: 4 }),
      'integer schema cannot be defined: default: Invalid value: 4: default in body should be less than or equal to 3',
      'give a default that is itself a valid value',
    ],
    [
      'a default of a set that has an item twice',
      () => s.set(s.string(), { default: ['a', 'a'] }),
      'array schema cannot be defined: default[1]: Duplicate value: "a"',
      'give a default that is itself a valid value',
    ],
    [
      'a default of a list map that has a key twice',
      () => s.listMap(port, { keys: ['name'], default: [{ name: 'a' }, { name: 'a', port: 1 }] }),
      'array schema cannot be defined: default[1]: Duplicate value: {"name":"a"}',
      'give a default that is itself a valid value',
    ],
    [
      'a default that breaks a rule about what it replaces, which is the default',
      () => s.int32({ default: 1, rules: [{ rule: 'self > oldSelf' }] }),
      'integer schema cannot be defined: default: Invalid value: 1: failed rule: self > oldSelf',
      'give a default that is itself a valid value',
    ],
    [
      'a default that breaks a rule, though it is as it was',
      () => s.int32({ default: 1, rules: [{ rule: 'self > 1' }] }),
      'integer schema cannot be defined: default: Invalid value: 1: failed rule: self > 1',
      'give a default that is itself a valid value',
    ],
    [
      'a default that lacks a field of which a rule asks, though that has a default of its own',
      () =>
        s.object(
          { size: s.int32({ default: 1 }) },
          { default: {}, rules: [{ rule: 'self.size >= oldSelf.size', message: 'it only grows' }] },
        ),
      'object schema cannot be defined: default: Invalid value: "object": no such key: size evaluating rule: it only grows',
      'say size in this default, too: its rules are asked before the defaults of its fields are filled in',
    ],
    [
      'a limit that no JavaScript number holds exactly',
      () => s.int64({ maximum: 2 ** 53 }),
      'integer schema cannot be defined: maximum: 9007199254740992 must be a whole number that int64 and a JavaScript number hold exactly',
      'use s.quantity, or s.string with a pattern, for larger ones',
    ],
    [
      'an exclusive limit that is not given',
      () => s.int64({ exclusiveMaximum: true }),
      'integer schema cannot be defined: exclusiveMaximum: means nothing without maximum',
      undefined,
    ],
    [
      'a set of objects',
      () => s.set(port),
      'array schema cannot be defined: [].x-kubernetes-map-type: must be atomic as item of a list with x-kubernetes-list-type=set',
      'use s.listMap to tell objects apart by some of their fields, or s.array',
    ],
    [
      'a key that may be absent',
      () => s.listMap(port, { keys: ['port' as 'name'] }),
      'array schema cannot be defined: [].port.default: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      'leave "optional" out of "port", or give it a default',
    ],
    [
      'a minimum above the maximum',
      () => s.int32({ minimum: 5, maximum: 3 }),
      'integer schema cannot be defined: minimum: no value can be valid between minimum 5 and maximum 3',
      undefined,
    ],
    [
      'a rule that does not parse',
      () => s.string({ rules: [{ rule: 'self ==' }] }),
      'string schema cannot be defined: x-kubernetes-validations[0].rule: "self ==" compilation failed: Unexpected token: EOF',
      aboutCel,
    ],
    [
      'a choice in a choice without brackets',
      () => s.int32({ rules: [{ rule: '(self > 3 ? self > 5 ? 1 : 2 : 3) > 1' }] }),
      `integer schema cannot be defined: x-kubernetes-validations[0].rule: "(self > 3 ? self > 5 ? 1 : 2 : 3) > 1" compilation failed: Syntax error: mismatched input '?' expecting ':'`,
      aboutCel,
    ],
    [
      'a rule about a field that is not there',
      () => s.object({ size: s.int32() }, { rules: [{ rule: 'self.sise > 3' }] }),
      'object schema cannot be defined: x-kubernetes-validations[0].rule: "self.sise > 3" compilation failed: No such key: sise',
      aboutCel,
    ],
    [
      'a rule with a misspelt part',
      () => s.string({ optional: true, rules: [{ rule: "self != ''", mesage: 'it is empty' } as { rule: string }] }),
      'schema cannot be defined: its rules say "mesage", which means nothing',
      'write one of rule, message, messageExpression, reason, fieldPath, optionalOldSelf',
    ],
    [
      'a rule whose message is no text',
      () => s.string({ rules: [{ rule: "self != ''", message: 5 as unknown as string }] }),
      'schema cannot be defined: the message of its rules is no text',
      undefined,
    ],
    [
      'a rule with a reason that is none',
      () => s.string({ rules: [{ rule: "self != ''", reason: 'Empty' as 'FieldValueInvalid' }] }),
      'string schema cannot be defined: x-kubernetes-validations[0].reason: "Empty" is no reason of the API server',
      'write one of FieldValueDuplicate, FieldValueForbidden, FieldValueInvalid, FieldValueRequired',
    ],
    [
      'a default without a field called items',
      () => s.object({ items: s.string() }, { default: {} as { items: string } }),
      'object schema cannot be defined: default.items: Required value',
      'give a default that is itself a valid value',
    ],
    [
      'a default that is no number',
      () => s.number({ default: Number.NaN }),
      'number schema cannot be defined: default: JSON cannot say it',
      'write plain data: strings, finite numbers, booleans, lists and maps',
    ],
    [
      'a default that has a date in it',
      () => s.preserved({ default: { at: [new Date(0)] } }),
      'schema cannot be defined: default: JSON cannot say it',
      'write plain data: strings, finite numbers, booleans, lists and maps',
    ],
    [
      'a whole number among which there are fractions',
      () => s.int32({ enum: [1, 1.5] }),
      'integer schema cannot be defined: enum: 1.5 can never be chosen: Invalid value: "float64": enum in body must be of type int32: "float64"',
      undefined,
    ],
    [
      'a choice beyond its own limit',
      () => s.int32({ enum: [1, 5], maximum: 3 }),
      'integer schema cannot be defined: enum: 5 can never be chosen: Invalid value: 5: enum in body should be less than or equal to 3',
      undefined,
    ],
    [
      'choices that are no numbers',
      () => s.int32({ enum: 3 as unknown as number[] }),
      'number cannot be defined: its enum is no list of numbers',
      'write enum: [1, 2, 4]',
    ],
    [
      'a limit beyond the exact integers',
      () => s.number({ maximum: 1e21 }),
      'number schema cannot be defined: maximum: 1e+21 is an integer beyond 2^53, where not every integer exists',
      'leave it out, or write one between -2^53 and 2^53',
    ],
    [
      'a limit that could not be rendered',
      () => s.intOrString({ minimum: -1e18 }),
      'schema cannot be defined: minimum: -1000000000000000000 is an integer beyond 2^53, where not every integer exists',
      'leave it out, or write one between -2^53 and 2^53',
    ],
    [
      'a choice that could not be rendered',
      () => s.number({ enum: [1, 2 ** 53] }),
      'number schema cannot be defined: enum: 9007199254740992 is an integer beyond 2^53, where not every integer exists',
      undefined,
    ],
    [
      'a default that could not be rendered',
      () => s.preserved({ default: { sizes: [1e18] } }),
      'schema cannot be defined: default: 1000000000000000000 is an integer beyond 2^53, where not every integer exists',
      'write it as a text, in an s.string',
    ],
    [
      'a key that its items do not have',
      () => s.listMap(port, { keys: ['nam' as 'name'], description: 'Where it listens.' }),
      'array schema "Where it listens." cannot be defined: x-kubernetes-list-map-keys: "nam": entries must all be names of item properties',
      'write keys of port, name',
    ],
  ])('says what and where, of %s', (_, define, message, hint) => {
    const error = thrownBy(define);
    expect(error.message).toBe(message);
    expect(error.hint).toBe(hint);
  });

  it.each<[string, () => unknown, string]>([
    ['a string', () => s.string({ optional: true, maxLenght: 3 }), 'format, minLength, maxLength, pattern'],
    ['a boolean', () => s.boolean({ optional: true, maxLenght: 3 }), 'description, default, optional, nullable, rules'],
    ['a number', () => s.int64({ minimum: 1, maxLenght: 3 }), 'minimum, exclusiveMinimum'],
    ['an object', () => s.object({}, { atomic: true, maxLenght: 3 }), 'minProperties, maxProperties'],
    ['a map', () => s.map(s.string(), { atomic: true, maxLenght: 3 }), 'minProperties, maxProperties'],
    ['a list map', () => s.listMap(port, { keys: ['name'], maxLenght: 3 }), 'minItems, maxItems'],
    ['an enum', () => s.enum(['a'], { optional: true, maxLenght: 3 }), 'description'],
    ['a quantity', () => s.quantity({ optional: true, maxLenght: 3 }), 'maxLength, description'],
    ['anything', () => s.preserved({ optional: true, maxLenght: 3 } as { readonly optional: true }), 'description'],
  ])('is one of %s with a misspelt option', (_, define, options) => {
    const error = thrownBy(define);
    expect(error.message).toBe('schema cannot be defined: there is no option "maxLenght" for it');
    expect(error.hint).toContain(options);
  });

  it.each<[string, (option: never) => unknown, unknown, string]>([
    ['optional', (optional) => s.string({ optional }), 'false', 'boolean'],
    ['optional', (optional) => s.preserved({ optional }), 1, 'boolean'],
    ['nullable', (nullable) => s.int32({ nullable }), null, 'boolean'],
    ['atomic', (atomic) => s.object({}, { atomic }), 'no', 'boolean'],
    ['atomic', (atomic) => s.map(s.string(), { atomic }), 'no', 'boolean'],
    ['description', (description) => s.set(s.string(), { description }), 5, 'text'],
    ['description', (description) => s.quantity({ description }), null, 'text'],
  ])('is an option that is of another type, from JavaScript: %s', (name, define, said, type) => {
    const error = thrownBy(() => define(said as never));
    expect(error.message).toBe(`schema cannot be defined: its ${name} is no ${type}`);
  });

  it('is an enum of numbers that is null, from JavaScript', () => {
    const error = thrownBy(() => s.int32({ enum: null as never }));
    expect(error.message).toBe('number cannot be defined: its enum is no list of numbers');
  });

  it('is a quantity with a pattern of its own, which it has already', () => {
    const error = thrownBy(() => s.quantity({ optional: true, pattern: '^[0-9]+Mi$' } as { optional: true }));
    expect(error.message).toBe('schema cannot be defined: there is no option "pattern" for it');
  });

  it('names a field by its name, whatever that means to a schema', () => {
    const schema = object({
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'string', pattern: '[' } } },
    });
    expect(thrownBy(() => checkObjectDefinition(schema, 'Thing')).message).toContain('spec.items[].pattern: "["');
  });

  it('is found where it is written, before it becomes part of anything', () => {
    expect(() => s.object({ a: s.object({ b: s.array(s.string({ minLength: 3, maxLength: 1 })) }) })).toThrow(
      'minLength: 3 is more than maxLength 1, so no value can be valid',
    );
  });

  it('lists everything that is wrong at once, from the top', () => {
    const schema = object({
      type: 'object',
      properties: {
        hosts: { type: 'array', items: { type: 'string', pattern: '[' } },
        byName: { type: 'object', additionalProperties: { type: 'integer', default: 'x' } },
      },
    });
    expect(thrownBy(() => checkObjectDefinition(schema, 'Thing')).message).toBe(
      'Thing cannot be defined: spec.hosts[].pattern: "[" must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`; ' +
        'spec.byName[*].default: Invalid value: "string": default in body must be of type integer: "string"',
    );
  });

  it('is a rule over data without bounds, which is known only in the whole', () => {
    const hosts = s.array(s.string({ rules: [{ rule: "self.matches('^[a-z]+$')" }] }));
    const error = thrownBy(() => checkObjectDefinition(object(s.object({ hosts }).structural()), 'Site'));

    expect(error.message).toContain(
      "Site cannot be defined: spec.hosts[].x-kubernetes-validations[0].rule: estimated rule cost exceeds the API server's budget by a factor of more than 100x",
    );
    expect(error.hint).toBe(
      'add maxItems to lists, maxProperties to maps and maxLength to strings that rules look at or stand in, or simplify the rule',
    );
    const bounded = s.array(s.string({ maxLength: 63, rules: [{ rule: "self.matches('^[a-z]+$')" }] }), {
      maxItems: 100,
    });
    expect(() => checkObjectDefinition(object(s.object({ hosts: bounded }).structural()), 'Site')).not.toThrow();
  });
});

describe('a definition', () => {
  it('renders only what was said', () => {
    expect(
      s
        .object({
          size: s.int32({ minimum: 0, description: 'How many.' }),
          ports: s.listMap(s.object({ name: s.string(), port: s.int32() }), { keys: ['name'], optional: true }),
          tags: s.set(s.string(), { default: ['a'] }),
          memory: s.quantity({ optional: true }),
        })
        .structural(),
    ).toMatchObject({
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 0, description: 'How many.' },
        ports: {
          type: 'array',
          items: { type: 'object', required: ['name', 'port'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', default: ['a'] },
        memory: { 'x-kubernetes-int-or-string': true },
      },
    });
  });

  it('can be had with every field optional, but for the keys of list maps', () => {
    const status = s.object({
      nodes: s.array(s.string()),
      ready: s.object({ replicas: s.int32() }),
      parts: s.listMap(s.object({ name: s.string(), size: s.int32() }), { keys: ['name'] }),
    });
    const lenient = status.structural({ allOptional: true });

    expect(lenient.required).toBeUndefined();
    expect(lenient.properties?.['ready']?.required).toBeUndefined();
    expect(lenient.properties?.['parts']?.items?.required).toEqual(['name']);
    expect(status.structural().required).toEqual(['nodes', 'ready', 'parts']);
  });
});
