import { describe, expect, it } from '@jest/globals';
import { s } from '../../../src/index.js';
import { showProblem } from '../../../src/schema/field-problem.js';

const judged = (rule: string, value: string) =>
  s
    .string({ maxLength: 20, rules: [{ rule }] })
    .validate(value, 'text')
    .map(showProblem);

describe('a rule about a text beyond ASCII', () => {
  it.each<[string, string]>([
    ["self.substring(1) == 'b'", '😀b'],
    ["self.substring(0, 1) == '😀'", '😀b'],
    ["self.charAt(1) == 'b'", '😀b'],
    ["self.indexOf('b') == 1 && self.indexOf('b', 2) == 3 && self.indexOf('b', 9) == -1", '😀b😀b'],
    ["self.lastIndexOf('b') == 3 && self.lastIndexOf('b', 2) == 1 && self.lastIndexOf('😀b') == 2", '😀b😀b'],
    ["self.indexOf('') == 0 && self.lastIndexOf('') == 2 && self.lastIndexOf('c') == -1", '😀b'],
    ["self.split('') == ['😀', 'b'] && self.split('', 1) == [self]", '😀b'],
    [
      "self.split(',') == ['a', '', 'b'] && self.split(',', 2) == ['a', ',b'] && self.split(',', 0).size() == 0",
      'a,,b',
    ],
    ["self.lowerAscii() == 'Äa' && self.upperAscii() == 'ÄA'", 'ÄA'],
    ["self.upperAscii() == 'äßA'", 'äßa'],
    ["self.trim() == 'a'", '\u0085a\u0085'],
    ["self.trim() != 'a'", '\ufeffa'],
    ["self.replace('', '-') == '-😀-b-' && self.replace('', '-', 2) == '-😀-b'", '😀b'],
    ["self.replace('b', '$&', 1) == '😀$&b'", '😀bb'],
    ["self.replace('b', 'c', 1) == 'cbb' && self.replace('', '-', 1) == '-bbb'", 'bbb'],
    ['strings.quote(self) == \'"\\\\t\\\\"\u200b"\'', '\t"\u200b'],
    ["self < '😀' && self <= '😀' && !(self > '😀') && !(self >= '😀')", '\uffff'],
    ["['😀', self].min() == self && [self, '😀'].isSorted() && ['😀', self].sort()[0] == self", '\uffff'],
    ["[self].all(x, x < '😀') && ['a', self].indexOf(self) == 1", '\uffff'],
    ["self.size() == 2 && 1 < 2 && 'a'.split('b').size() <= 1", '😀b'],
  ])('is judged as by the server: %s', (rule, value) => {
    expect(judged(rule, value)).toEqual([]);
  });

  it('is told in the words of the server what it cannot ask for', () => {
    expect(judged("self.substring(3) == ''", '😀b')[0]).toContain('index out of range: 3');
    expect(judged("self.substring(2, 1) == ''", '😀b')[0]).toContain('invalid substring range. start: 2, end: 1');
  });

  it('is refused under the names that its author wrote', () => {
    const define = () => s.int32({ rules: [{ rule: 'self.lowerAscii() == "a"' }] });
    expect(define).toThrow("found no matching overload for 'int.lowerAscii()'");
  });
});

describe('a raw text', () => {
  it.each<[string, string]>([
    [String.raw`self == r'\'`, '\\'],
    [String.raw`self == R"a\" && size(r'''\''') == 1`, 'a\\'],
    [String.raw`self == r'\d' + "\""`, '\\d"'],
    [String.raw`self == r"""'\""" + '"'`, `'\\"`],
    [String.raw`self == "r'" + '\'' // r'\'`, "r''"],
  ])('ends with its quote, whatever is before that: %s', (rule, value) => {
    expect(judged(rule, value)).toEqual([]);
  });

  it('is refused where the server refuses it', () => {
    expect(() => s.string({ maxLength: 20, rules: [{ rule: String.raw`self == r'\''` }] })).toThrow(
      'compilation failed',
    );
  });
});

describe('a text that is formatted', () => {
  it.each<[string, string]>([
    ["'%s %d %.1f'.format(['a', 3, 1.24])", 'a 3 1.2'],
    ["'%s %s'.format([1000000.0, -1.0 / 0.0])", '1e+06 -Inf'],
    ["'%s %s'.format([b'ab', {'b': 1.5, 'a': 2.0}])", 'ab {"a":2.000000, "b":1.500000}'],
    ["'%s'.format([[duration('-1500ms'), duration('0')]])", '[duration("-1.5s"), duration("0s")]'],
    ["'%s'.format([timestamp('2024-01-01T00:00:10.5Z')])", '2024-01-01T00:00:10.5Z'],
    ["'%d%% %x %b %s'.format([2u, b'hi', true, type(1)])", '2% 6869 1 int'],
  ])('%s gives %s', (rule, text) => {
    const messageExpression = rule;
    const schema = s.boolean({ rules: [{ rule: 'self', messageExpression }] });
    expect(schema.validate(false, 'it').map(({ message }) => message)).toEqual([`Invalid value: false: ${text}`]);
  });

  it.each<[string, string]>([
    ["'%d'.format([self.ratio])", 'decimal clause can only be used on integers, was given double'],
    ["'%f'.format([self.count])", 'fixed-point clause can only be used on doubles, was given int'],
    ["'%s'.format([self])", 'string clause can only be used on strings'],
    ["'%d of %d'.format([self.count])", 'index 1 out of range'],
    ["'%d'.format([self.count, 1])", 'too many arguments supplied to string.format (expected 1, got 2)'],
    ["'%5d'.format([self.count])", 'unrecognized formatting clause "5"'],
    ["'100%'.format([])", 'unexpected end of string'],
  ])('cannot be defined where the server would refuse it: %s', (rule, words) => {
    const define = () => s.object({ count: s.int32(), ratio: s.number() }, { rules: [{ rule: `${rule} == ''` }] });
    expect(define).toThrow(words);
  });

  it('is refused when it is made of what may be anything, and turns out not to fit', () => {
    const schema = s.intOrString({ maxLength: 5, rules: [{ rule: "'%d'.format([self]) != '3'" }] });
    expect(schema.validate(4)).toEqual([]);
    expect(schema.validate('a')[0]?.message).toContain('decimal clause can only be used on integers, was given string');
  });
});

describe('a rule with a variable whose name every JavaScript object inherits', () => {
  it.each(['constructor', 'toString'])('%s', (name) => {
    const list = s.array(s.string({ maxLength: 5 }), {
      maxItems: 5,
      rules: [{ rule: `self.all(${name}, ${name}.startsWith('a'))` }],
    });
    expect(list.validate(['a'])).toEqual([]);
    expect(list.validate(['b'])).toHaveLength(1);
  });
});
