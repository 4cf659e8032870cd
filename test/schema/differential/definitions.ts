// Longer than most files: one table, of which each definition is a line.
import type { StructuralSchema, ValidationRule } from '../../../src/schema/structural.js';

/** A schema of `spec` that the API server may or may not take as a definition. */
export type Definition = readonly [title: string, schema: StructuralSchema];

const text: StructuralSchema = { type: 'string' };
const short: StructuralSchema = { type: 'string', maxLength: 20 };
const whole: StructuralSchema = { type: 'integer', format: 'int32' };

function field(schema: StructuralSchema): StructuralSchema {
  return { type: 'object', properties: { field: schema } };
}

function ruled(schema: StructuralSchema, ...rules: readonly (string | ValidationRule)[]): StructuralSchema {
  const all = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  return { ...schema, 'x-kubernetes-validations': all };
}

function list(items: StructuralSchema, maxItems?: number): StructuralSchema {
  return { type: 'array', items, ...(maxItems === undefined ? {} : { maxItems }) };
}

function mapped(items: StructuralSchema, ...keys: readonly string[]): StructuralSchema {
  return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

const named: StructuralSchema = { type: 'object', required: ['name'], properties: { name: text, value: text } };

/** What both have to judge alike. */
export const definitions: readonly Definition[] = [
  ['a plain field', field(text)],
  ['a pattern', field({ type: 'string', pattern: '^[a-z]+$' })],
  ['a pattern with a look-ahead', field({ type: 'string', pattern: '^(?=.*a)b' })],
  ['a pattern with a look-behind', field({ type: 'string', pattern: '(?<!a)b' })],
  ['a pattern with a back-reference', field({ type: 'string', pattern: '(a)\\1' })],
  ['a pattern with an open bracket', field({ type: 'string', pattern: '[a-' })],
  ['a pattern with flags and classes', field({ type: 'string', pattern: '(?i)[[:alpha:]]\\pL\\z' })],
  ['a pattern with an escape of JavaScript', field({ type: 'string', pattern: '\\u0041' })],
  ['a pattern with a large repetition', field({ type: 'string', pattern: 'a{1001}' })],
  ['a pattern of an int-or-string', field({ 'x-kubernetes-int-or-string': true, pattern: '(?=a)' })],
  ['a default', field({ type: 'string', default: 'a' })],
  ['a default of the wrong type', field({ ...whole, default: 'a' })],
  ['a default beyond the maximum', field({ ...whole, maximum: 3, default: 4 })],
  ['a default that does not match', field({ type: 'string', pattern: '^a$', default: 'b' })],
  ['a default outside an enum', field({ type: 'string', enum: ['a'], default: 'b' })],
  ['a default of a bad format', field({ type: 'string', format: 'ipv4', default: 'x' })],
  ['an empty default with a required field', field({ ...named, default: {} })],
  ['a default with an unknown field', field({ ...named, default: { name: 'a', other: 1 } })],
  ['a good default of an object', field({ ...named, default: { name: 'a' } })],
  ['a default of a list that is too long', field({ ...list(text, 1), default: ['a', 'b'] })],
  ['a default in the items of a list', field(list({ type: 'object', properties: { x: { ...whole, default: 'no' } } }))],
  ['a default that breaks a rule', field({ ...ruled(short, "self != 'a'"), default: 'a' })],
  ['a default that keeps a rule', field({ ...ruled(short, "self != 'a'"), default: 'b' })],
  ['a default that breaks a rule about what was there', field({ ...ruled(whole, 'self > oldSelf'), default: 1 })],
  ['a default that keeps a rule about what was there', field({ ...ruled(whole, 'self >= oldSelf'), default: 1 })],
  ['a set', field({ ...list(text), 'x-kubernetes-list-type': 'set' })],
  ['a set of objects', field({ ...list(named), 'x-kubernetes-list-type': 'set' })],
  [
    'a set of atomic objects',
    field({ ...list({ ...named, 'x-kubernetes-map-type': 'atomic' }), 'x-kubernetes-list-type': 'set' }),
  ],
  ['a set of lists', field({ ...list(list(text)), 'x-kubernetes-list-type': 'set' })],
  [
    'a set of sets',
    field({ ...list({ ...list(text), 'x-kubernetes-list-type': 'set' }), 'x-kubernetes-list-type': 'set' }),
  ],
  ['a set of what may be null', field({ ...list({ ...text, nullable: true }), 'x-kubernetes-list-type': 'set' })],
  ['a list map', field(mapped(named, 'name'))],
  ['a list map without keys', field(mapped(named))],
  ['a list map of scalars', field(mapped(text, 'name'))],
  ['a list map by an unknown key', field(mapped(named, 'nme'))],
  ['a list map by an optional key', field(mapped(named, 'value'))],
  [
    'a list map by a key with a default',
    field(mapped({ ...named, properties: { ...named.properties, kind: { ...text, default: 'x' } } }, 'name', 'kind')),
  ],
  ['a list map by one key twice', field(mapped(named, 'name', 'name'))],
  [
    'a list map by a key that may be null',
    field(mapped({ ...named, properties: { name: { ...text, nullable: true } } }, 'name')),
  ],
  [
    'a list map by a list',
    field(mapped({ type: 'object', required: ['name'], properties: { name: list(text) } }, 'name')),
  ],
  ['a list map of what may be null', field(mapped({ ...named, nullable: true }, 'name'))],
  ['a rule', field(ruled(short, "self == 'a'"))],
  ['a rule with a syntax error', field(ruled(short, 'self =='))],
  ['a rule about an unknown field', ruled(field(short), 'self.feild == "a"')],
  ['a rule about an unknown field in has()', ruled(field(short), 'has(self.feild)')],
  ['a rule that compares what cannot be compared', ruled(field(whole), 'self.field == "a"')],
  ['a rule that is no boolean', ruled(field(whole), 'self.field + 1')],
  ['a rule with an unknown function', ruled(field(short), 'self.field.reversed() == "a"')],
  ['a rule with an unknown variable', ruled(field(short), 'that.field == "a"')],
  ['a rule with a bad pattern', ruled(field(short), 'self.field.matches("(?=a)")')],
  ['a rule with a bad pattern, as a function', ruled(field(short), 'matches(self.field, "(?=a)")')],
  ['a rule with a good pattern, as a function', ruled(field(short), 'matches(self.field, "a+")')],
  ['a rule with a bad duration', ruled(field(short), 'duration(self.field) < duration("1 hour")')],
  ...[
    'self.field == "a" || int("x") > 0',
    'int("7") > 0 && int("-7") < 0 && int(-7.5) < 0',
    'int("") == 0',
    'int(1e30) > 0',
    'int(" 7") > 0',
    'uint("-1") > 0u',
    'uint(-1) > 0u',
    'uint("7") > 0u',
    'double("x") > 0.0',
    'double("7") > 0.0 && double("1e3") > 0.0 && double("-.5") < 0.0',
    'double("") > 0.0',
    'bool("yes")',
    'bool("true") && bool("1") && bool("T") && bool("False") != true',
    'string(b"\\xff") != ""',
    'string(bytes("a")) == "a"',
    'string(int("x")) != ""',
    'timestamp(0) < timestamp("2020-01-01T00:00:00Z")',
    'string(1.5) == "1.5" && string(true) == "true" && type(1) == int',
    'dyn("x") == "x"',
    ...['2562047h47m16.854775807s', '2562047h47m16.854775808s', '-2562047h47m16.854775808s', '3000000h', '-0'].map(
      (text) => `duration("${text}") != duration("1s")`,
    ),
    ...[' 7', '0x10', 'inf', '-Infinity', 'NaN', '0x1p4', '1_0', '1e400', '7.', '+7', '7f'].map(
      (text) => `double("${text}") != 3.0`,
    ),
    ...[' 7', '+7', '0x7', '7.0', '18446744073709551615', '18446744073709551616'].map((text) => `uint("${text}") > 0u`),
    ...['1.9', '1e30', '-0.5', '18446744073709551615u'].map((number) => `uint(${number}) >= 0u`),
    ...['t', 'TRUE', 'True', 'tRUE', ' true', '0', 'f', 'F', 'FALSE', ''].map((text) => `bool("${text}") || true`),
    'double(18446744073709551615u) > 0.0 && double(9223372036854775807) > 0.0',
    '["x"].all(x, int(x) > 0) || true',
  ].map((rule): Definition => [`a conversion of what is written out: ${rule}`, ruled(field(short), rule)]),
  ...[
    ...['0xFF', '0XFF', '0x_F', '007', '1_000', '0b1', '0o7', '-0x7', '0xFFFFFFFFFFFFFFFF', '- 7', '--7'].map(
      (number) => `${number} != 3`,
    ),
    ...['7u', '7U', '0xFFu', '0xFFU', '18446744073709551615u', '18446744073709551616u', '-7u'].map(
      (number) => `${number} != 3u`,
    ),
    ...['1.', '.5', '1e3', '1E3', '1.5e+3', '1.5E-3', '.5e3', '1.e3', '1e', '1e400', '0x1p4', '1f', '-.5'].map(
      (number) => `${number} != 3.0`,
    ),
    ...[
      String.raw`b"\xff"`,
      String.raw`b"\377"`,
      String.raw`b'\u00e9'`,
      'B"a"',
      String.raw`rb"\x"`,
      String.raw`br"\x"`,
      String.raw`bR'''\x'''`,
      'b"""a"b"""',
      String.raw`b"\400"`,
      String.raw`b"\xf"`,
      String.raw`b"\?"`,
      'b"é"',
    ].map((bytes) => `${bytes} != b"a"`),
    ...[
      String.raw`"\?\a\b\f\v\x41\101\u0041\U00000041"`,
      String.raw`"\X41"`,
      String.raw`"\q"`,
      String.raw`"\ud800"`,
      String.raw`"\U00110000"`,
      String.raw`"\400"`,
      String.raw`R"\q"`,
      "'''a\n'b'''",
      String.raw`r'\'`,
      String.raw`r'\''`,
      String.raw`R"\""`,
      String.raw`r"""\"""`,
      String.raw`r"""\""""`,
      String.raw`r'''\''''''`,
    ].map((text) => `${text} != "a"`),
  ].map((rule): Definition => [`what is written out as ${rule}`, ruled(field(short), { rule, message: 'no' })]),
  ['a rule with a function that is not of Kubernetes', ruled(field(whole), 'cel.bind(x, self.field, x > 3)')],
  ['a rule that indexes an object', ruled(field(short), 'self["field"] == "a"')],
  ['a rule that mixes types in a list', ruled(field(short), '[1, "a"].size() > 0')],
  ['an empty rule', field(ruled(short, ' '))],
  ['an empty message', field(ruled(short, { rule: 'true', message: ' ' }))],
  ['a message of two lines', field(ruled(short, { rule: 'true', message: 'a\nb' }))],
  ['a rule of two lines without a message', field(ruled(short, { rule: 'self ==\n"a"' }))],
  ['a rule of two lines with a message', field(ruled(short, { rule: 'self ==\n"a"', message: 'is a' }))],
  ['a message expression', field(ruled(short, { rule: 'self == "a"', messageExpression: '"not " + self' }))],
  [
    'a message expression that is no text',
    field(ruled(short, { rule: 'self == "a"', messageExpression: 'self.size()' })),
  ],
  [
    'a message expression of unknown size',
    ruled(field(whole), { rule: 'self.field > 3', messageExpression: '"not " + string(self.field)' }),
  ],
  ['a path', ruled(field(short), { rule: 'true', fieldPath: '.field' })],
  ['a path to nowhere', ruled(field(short), { rule: 'true', fieldPath: '.feild' })],
  ['a path without a dot', ruled(field(short), { rule: 'true', fieldPath: 'field' })],
  ['a path with an index', ruled(field(list(short, 3)), { rule: 'true', fieldPath: '.field[0]' })],
  ['an old value', field(ruled(short, 'self == oldSelf'))],
  ['an old value in a list', field(list(ruled(short, 'self == oldSelf'), 3))],
  [
    'an old value in a list map',
    field(mapped({ ...named, properties: { name: short, value: ruled(short, 'self == oldSelf') } }, 'name')),
  ],
  [
    'an old value below a list in a list map',
    field(list({ type: 'object', properties: { x: ruled(short, 'self == oldSelf') } }, 3)),
  ],
  ['an optional old value', field(ruled(short, { rule: 'oldSelf.orValue("") != self', optionalOldSelf: true }))],
  ['an optional old value that is not used', field(ruled(short, { rule: 'self != "a"', optionalOldSelf: true }))],
  ['a rule over a text without a limit', ruled(field(text), 'self.field == "a"')],
  [
    'a rule that compares two texts without a limit',
    ruled({ type: 'object', properties: { a: text, b: text } }, 'self.a.contains(self.b)'),
  ],
  ['a pattern over a text without a limit', ruled(field(text), 'self.field.matches("^[a-z]+([-a-z0-9]*[a-z0-9])?$")')],
  ['a pattern over a text with a limit', ruled(field(short), 'self.field.matches("^[a-z]+([-a-z0-9]*[a-z0-9])?$")')],
  ['a rule over all of a list without a limit', ruled(field(list(text)), 'self.field.all(x, x.startsWith("a"))')],
  [
    'a rule over pairs of a list without a limit',
    ruled(field(list(text)), 'self.field.all(x, self.field.exists_one(y, x == y))'),
  ],
  [
    'a rule over pairs of a list with a limit',
    ruled(field(list(short, 20)), 'self.field.all(x, self.field.exists_one(y, x == y))'),
  ],
  ['a rule in a list without a limit', field(list(ruled(short, 'self.matches("^a+$")')))],
  ['a costly rule in a list without a limit', field(list(ruled(text, 'self.matches("^a+$")')))],
  ['a costly rule in a list with a limit', field(list(ruled(short, 'self.matches("^a+$")'), 100))],
  [
    'a rule in a map without a limit',
    field({ type: 'object', additionalProperties: ruled(text, 'self.contains("a")') }),
  ],
  [
    'a rule in a map with a limit',
    field({ type: 'object', maxProperties: 10, additionalProperties: ruled(short, 'self.contains("a")') }),
  ],
  ['a cheap rule in lists in lists', field(list(list(ruled(whole, 'self > 0'))))],
  ['a rule over lists in lists', ruled(field(list(list(short))), 'self.field.all(x, x.all(y, y.size() < 3))')],
  [
    'a rule over lists in lists with limits',
    ruled(field(list(list(short, 10), 10)), 'self.field.all(x, x.all(y, y.size() < 3))'),
  ],
  [
    'a total that is too high',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 15 }, (_, i) => [`f${i}`, list(ruled(short, 'self.matches("^a{3}$")'), 900_000)]),
      ),
    },
  ],
  ['a sort of a list with a limit', ruled(field(list(short, 50)), 'self.field.sort() == self.field')],
  ['a sort of a list without a limit', ruled(field(list(short)), 'self.field.sort() == self.field')],
  [
    'a quantity in a rule',
    ruled(
      field({ 'x-kubernetes-int-or-string': true, maxLength: 10 }),
      'quantity(string(self.field)).isLessThan(quantity("1"))',
    ),
  ],
  [
    'a quantity in a rule without a limit',
    ruled(field({ 'x-kubernetes-int-or-string': true }), 'quantity(string(self.field)).isLessThan(quantity("1"))'),
  ],
  [
    'a number as a text',
    ruled(field({ type: 'number' }), { rule: 'self.field > 3.0', messageExpression: '"%d".format([self.field])' }),
  ],
  ['a whole number as a fraction', ruled(field(whole), 'self.field > 3 || "%f".format([self.field]) == ""')],
  ['a whole number as a number', ruled(field(whole), 'self.field > 3 || "%d%%".format([self.field]) == ""')],
  ['an object as a text', ruled(field(field(short)), 'has(self.field) || "%s".format([self.field]) == ""')],
  ['fewer values than a format asks for', ruled(field(whole), '"%d of %d".format([self.field]) == ""')],
  ['more values than a format asks for', ruled(field(whole), '"%d".format([self.field, self.field]) == ""')],
  ['a format with an unknown clause', ruled(field(whole), '"%5d".format([self.field]) == ""')],
  ['a format that ends too early', ruled(field(whole), '"%d%".format([self.field]) == ""')],
  ['a format with a precision', ruled(field({ type: 'number' }), '"%.2f".format([self.field]) == ""')],
  [
    'a format of what may be anything',
    ruled(field({ 'x-kubernetes-int-or-string': true }), '"%d".format([self.field]) == ""'),
  ],
  [
    'a time that is compared with null',
    ruled(
      field({ type: 'string', format: 'date-time' }),
      'self.field == null || self.field > timestamp("2020-01-01T00:00:00Z")',
    ),
  ],
  [
    'a duration as a text',
    ruled(field({ type: 'string', format: 'duration' }), {
      rule: 'self.field < duration("1h")',
      messageExpression: '"not " + string(self.field)',
    }),
  ],
  [
    'a duration as a number',
    ruled(
      field({ type: 'string', format: 'duration' }),
      'int(self.field) < 10 && duration(self.field) > duration("0")',
    ),
  ],
  ['a choice in a choice', ruled(field(whole), '(self.field > 3 ? self.field > 5 ? 1 : 2 : 3) > 0')],
  ['a choice in brackets in a choice', ruled(field(whole), '(self.field > 3 ? (self.field > 5 ? 1 : 2) : 3) > 0')],
  ['a choice behind a choice', ruled(field(whole), '(self.field > 3 ? 1 : self.field > 5 ? 2 : 3) > 0')],
  [
    'the sign of a quantity',
    ruled(field({ 'x-kubernetes-int-or-string': true, maxLength: 10 }), 'sign(quantity(string(self.field))) > 0'),
  ],
  [
    'the sign of a quantity as a method',
    ruled(field({ 'x-kubernetes-int-or-string': true, maxLength: 10 }), 'quantity(string(self.field)).sign() > 0'),
  ],
  ['a minimum above the maximum of nothing', field({ ...whole, minimum: 3 })],
  [
    'a rule with a reason that is none',
    field(ruled(short, { rule: "self != ''", reason: 'Empty' as 'FieldValueInvalid' })),
  ],
];

/** What the server takes and we refuse, because nothing, or nothing sensible, could satisfy it. */
export const oursAlone: readonly Definition[] = [
  [
    'a default of a set with an item twice',
    field({ ...list(text), 'x-kubernetes-list-type': 'set', default: ['a', 'a'] }),
  ],
  [
    'a default of a list map with a key twice',
    field({ ...mapped(named, 'name'), default: [{ name: 'a' }, { name: 'a' }] }),
  ],
  ['a minimum above the maximum', field({ ...whole, minimum: 5, maximum: 3 })],
  ['a range without anything in it', field({ ...whole, minimum: 5, maximum: 5, exclusiveMinimum: true })],
  ['a minimal length above the maximal', field({ type: 'string', minLength: 5, maxLength: 3 })],
  ['a minimal count above the maximal', field({ ...list(text, 3), minItems: 5 })],
  ['a minimum that the format does not hold', field({ ...whole, minimum: 2 ** 40 })],
  ['a minimum between whole numbers', field({ ...whole, minimum: 0.5 })],
  ['a negative length', field({ type: 'string', maxLength: -1 })],
  ['a multiple of nothing', field({ ...whole, multipleOf: 0 })],
  ['a multiple of a fraction', field({ type: 'number', multipleOf: 0.5 })],
  ['an exclusive minimum without a minimum', field({ ...whole, exclusiveMinimum: true })],
  ['an empty enum', field({ type: 'string', enum: [] })],
  ['a choice that its type refuses', field({ ...whole, enum: [1, 1.5] })],
  ['a choice beyond its limit', field({ ...whole, maximum: 3, enum: [1, 5] })],
  ['a maximum beyond all whole numbers', field({ type: 'number', maximum: 1e21 })],
  ['a minimum beyond all whole numbers', field({ type: 'number', minimum: 2 ** 63 })],
  ['an enum that may be null', field({ type: 'string', enum: ['a'], nullable: true })],
  ['a format that nobody enforces', field({ type: 'string', format: 'ipv5' })],
  ['a default of null', field({ type: 'string', nullable: true, default: null })],
  [
    'a bad default in the values of a map',
    field({ type: 'object', additionalProperties: { ...whole, default: 'no' } }),
  ],
];
