import { describe, expect, it } from '@jest/globals';
import { showProblem } from '../../../src/schema/field-problem.js';
import { s } from '../../../src/schema/s.js';

describe('a rule about times', () => {
  it.each([
    ["self.at == null || self.at > timestamp('2020-01-01T00:00:00Z')"],
    ["timestamp(self.at) == self.at && string(self.at) == '2024-01-01T00:00:00Z'"],
    ["string(self.wait) == '-1.5s' && int(self.wait) == -1500000000 && duration(self.wait) == self.wait"],
    ["self.wait + duration('1s') == duration('-500ms') && self.wait < duration('0')"],
  ])('is taken, and holds: %s', (rule) => {
    const schema = s.object(
      { at: s.string({ format: 'date-time' }), wait: s.string({ format: 'duration' }) },
      { rules: [{ rule }] },
    );
    expect(schema.validate({ at: '2024-01-01T00:00:00Z', wait: '-1500ms' })).toEqual([]);
  });
});

describe('a rule about times that differ by less than a millisecond', () => {
  const time = s.string({ format: 'date-time' });
  const schema = (rule: string) =>
    s.object({ a: time, b: time, all: s.array(time, { maxItems: 3 }) }, { rules: [{ rule }] });
  const [a, b] = ['2024-01-02T00:30:05.123456789+01:00', '2024-01-01T23:30:05.123456Z'];

  it.each([
    ["self.a != self.b && self.a > self.b && self.a - self.b == duration('789ns')"],
    ["self.a - duration('789ns') == self.b && self.b + duration('789ns') == self.a"],
    ['self.all.max() == self.a && self.all.sort()[0] == self.b && self.all.distinct().size() == 2'],
    ['self.b in self.all && !(self.a in [self.b]) && [self.a] != [self.b] && !self.all.isSorted()'],
    [
      "string(self.a) == '2024-01-02T00:30:05.123456789+01:00' && '%s'.format([self.b]) == '2024-01-01T23:30:05.123456Z'",
    ],
    ["string(self.a + duration('1h')) == '2024-01-02T01:30:05.123456789+01:00' && self.a.getHours() == 23"],
    ["duration('1h') + self.a > self.a && self.a < duration('1h') + self.a"],
    ["duration('-1.5s').getSeconds() == -1 && {'a': self.a} != {'a': self.b}"],
  ])('holds: %s', (rule) => {
    expect(schema(rule).validate({ a, b, all: [a, b] })).toEqual([]);
  });

  it.each([
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s') > self.a", 'timestamp overflow'],
    ["self.a - timestamp('0001-01-01T00:00:00Z') > duration('1s')", 'integer overflow'],
    ["duration('2562047h') + duration('1h') > duration('0s')", 'integer overflow'],
  ])('goes no further than the server: %s', (rule, words) => {
    expect(schema(rule).validate({ a, b, all: [] })[0]?.message).toContain(words);
  });

  it.each(['2024-02-30T00:00:00Z', '2024-01-01T24:00:00Z'])('knows no day %s', (text) => {
    expect(() => schema(`timestamp('${text}') < self.a`)).toThrow('invalid timestamp argument');
  });

  it('says of what was stored before it had a format that it is none', () => {
    const old = s.string({ format: 'date-time', rules: [{ rule: 'self >= oldSelf' }] });
    expect(old.validate(a, 'at', 'yesterday')[0]?.message).toContain('evaluating rule');
  });
});

describe('a rule about what a moment is called', () => {
  it.each([
    ["self.getHours('+05:30') == 3 && self.getMinutes('-05:30') == 29 && self.getHours('02:00') == 23"],
    ["self.getDayOfYear() == 181 && self.getDayOfYear('+14:00') == 182 && self.getDayOfYear('Asia/Tokyo') == 182"],
    ["self.getHours('Europe/Berlin') == 23 && self.getHours('') == 21 && self.getMinutes('-00:30') == 29"],
    ["self.getDate('Pacific/Auckland') == 1 && self.getMonth('Pacific/Auckland') == 6 && self.getMonth() == 5"],
    ["self.getMilliseconds('+01:00') == 250 && self.getDayOfWeek() == 0 && self.getDayOfMonth() == 29"],
    ["timestamp('2024-06-30T23:59:58.250000000+02:00') == self && timestamp(1719784798) < self"],
    ["(self - timestamp('2024-06-30T20:00:00Z')).getHours() == 1"],
  ])('holds, wherever it is judged: %s', (rule) => {
    expect(s.string({ format: 'date-time', rules: [{ rule }] }).validate('2024-06-30T23:59:58.25+02:00')).toEqual([]);
  });

  it('says that there is no such zone', () => {
    const schema = s.string({ format: 'date-time', rules: [{ rule: "self.getHours('Nowhere/X') > 0" }] });
    expect(schema.validate('2024-06-30T23:59:58Z')[0]?.message).toContain(
      'unknown time zone Nowhere/X evaluating rule',
    );
  });
});

describe('a rule about quantities', () => {
  it('asks for a sign as a function, which is no method', () => {
    const ruled = (rule: string) => s.quantity({ maxLength: 10, rules: [{ rule }] });
    expect(ruled('sign(quantity(string(self))) == 1').validate('5m')).toEqual([]);
    expect(() => ruled('quantity(string(self)).sign() == 1')).toThrow('found no matching overload');
  });
});

describe('a rule about an address', () => {
  const judged = (rule: string, value: string) => s.string({ maxLength: 60, rules: [{ rule }] }).validate(value);

  it.each([
    ['isIP(self)', '::1.2.3.4', true],
    ['isIP(self)', '::ffff:102:304', false],
    ['isCIDR(self)', '10.0.0.0/8', true],
    ['isCIDR(self)', '10.0.0.0/08', false],
    ['isCIDR(self)', '::ffff:102:304/96', false],
    ["url(self).getEscapedPath() == '/b%20c'", 'https://a/b c?d#e', true],
    ["url(self).getHostname() == 'fe80::1%en0' && url(self).getPort() == '80'", 'https://[fe80::1%25en0]:80/', true],
    ["url(self).getQuery() == {'a': ['1 2', '3']}", 'https://a/?a=1+2&a=3&b=%zz&c;d#e', true],
    ["url(self).getHost() == 'a:27017,b:27018' && url(self).getPort() == '27018'", 'mongodb://a:27017,b:27018/', true],
    ['isURL(self)', 'https://a:27017,b:27018/', false],
    ['isURL(self)', 'https://user:pa ss@a/', false],
    ['isURL(self)', 'https://a#b', false],
  ])('%s of %s is %s', (rule, value, holds) => {
    expect(judged(rule, value)).toHaveLength(holds ? 0 : 1);
  });

  it('is told in the words of Go why there is no URL', () => {
    expect(judged("url(self).getHost() == ''", 'https://a%41/').map(showProblem)[0]).toContain(
      'URL parse error during conversion from string: parse "https://a%41/": invalid URL escape "%41" evaluating rule',
    );
  });
});

it('a rule that turns out to compare what does not go together says so as the server does', () => {
  const schema = s.intOrString({ maxLength: 5, rules: [{ rule: 'self > 3' }] });
  expect(schema.validate('a', 'port').map(({ message }) => message)).toEqual([
    `Invalid value: "": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self > 3`,
  ]);
});

describe('a rule about numbers', () => {
  const schema = (rule: string) =>
    s.object({ text: s.string({ maxLength: 5 }), ratio: s.number(), level: s.int32() }, { rules: [{ rule }] });
  const value = { text: '', ratio: 1_500_000, level: 5 };

  it.each([
    ["string(self.ratio) == '1.5e+06' && string(1e-7) == '1e-07' && string(-0.0) == '-0' && string(100.0) == '100'"],
    ['int(5u) == self.level && int(-5.9) == -5 && self.ratio > .5 && [.5][0] == 0.5'],
    ["{1: 'one', 5: 'five'}[self.level] == 'five' && {1: 'a', 5: 'b'}.exists(k, k == self.level)"],
    ["{'constructor': 1, '__proto__': 2}.size() == 2 && [{'a': 1}] == [{'a': 1}]"],
    ["self.?text == optional.of('') && optional.none() != self.?level"],
    ['-9223372036854775808 < 0 && 9223372036854775807 > 0'],
  ])('holds: %s', (rule) => {
    expect(schema(rule).validate(value)).toEqual([]);
  });

  it.each([
    ['int(self.text) == 0', "type conversion error from 'string' to 'int'"],
    ['int(self.ratio * 1e15) > 0', 'integer overflow'],
  ])('is broken where there is none: %s', (rule, words) => {
    expect(schema(rule).validate(value)[0]?.message).toContain(words);
  });

  it.each(['9223372036854775808 > 0', '-9223372036854775809 < 0'])('is refused beyond 64 bits: %s', (rule) => {
    expect(() => schema(rule)).toThrow('invalid int literal');
  });
});

describe('a rule in words that the library cannot read', () => {
  const schema = (rule: string) =>
    s.object({ text: s.string({ optional: true, maxLength: 5 }) }, { rules: [{ rule }] });

  it.each([
    ["[?self.?text, 'b'].size() == 2", 'an optional entry of a list or map'],
    ["{?'a': self.?text}.size() == 1", 'an optional entry of a list or map'],
    ["google.protobuf.StringValue{value: 'x'} == 'x'", 'a message'],
    [".self.text == 'a'", 'a name from the root'],
  ])('is left to the server: %s', (rule, what) => {
    const [found] = schema(rule).validate({ text: 'a' });
    expect(found?.reason).toBe('UnknownOffline');
    expect(found?.message).toContain(`only the server can evaluate ${what}`);
  });

  it.each(["self.text == '[?' +", "self.text == 'a' && // {?"])('is refused where that is not why: %s', (rule) => {
    expect(() => schema(rule)).toThrow('compilation failed');
  });
});

describe('a text that is made a number, or true or false, is read as Go reads it', () => {
  const holds = (rule: string, text: string) =>
    s.object({ text: s.string({ maxLength: 40 }) }, { rules: [{ rule }] }).validate({ text });

  it.each([
    ['double(self.text) == 16.0', ['16', '+16', '1_6', '1.6e1', '160e-1', '0x1p4', '0X.8p5', '0x_10p0', '16.']],
    ['double(self.text) > 1e308', ['inf', '+Infinity', 'INF']],
    ['double(self.text) != double(self.text)', ['NaN', 'nan']],
    ['uint(self.text) == 7u', ['7', '007']],
    ['bool(self.text)', ['1', 't', 'T', 'true', 'TRUE', 'True']],
    ['!bool(self.text)', ['0', 'f', 'F', 'false', 'FALSE', 'False']],
  ])('%s', (rule, texts) => {
    for (const text of texts) expect([text, holds(rule, text)]).toEqual([text, []]);
  });

  it.each([
    [
      'double',
      ['', ' 7', '0x10', '1e400', '1__0', '_1', '1_', '1e_1', '1_.5', '0x1_p4', '+nan', '0b1', '.', 'e1', '0o7p1'],
    ],
    ['uint', ['', '+7', '-7', '0x7', '0o7', '0b1', '7.0', '1_0', '18446744073709551616']],
    ['bool', ['', 'yes', 'tRUE', ' true']],
  ])('%s takes nothing else', (type, texts) => {
    for (const text of texts) {
      const [problem] = holds(`${type}(self.text) == ${type}(self.text)`, text);
      expect([text, problem && showProblem(problem)]).toEqual([
        text,
        expect.stringContaining(`type conversion error from 'string' to '${type}'`),
      ]);
    }
  });
});
