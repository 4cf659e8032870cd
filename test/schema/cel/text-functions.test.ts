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
