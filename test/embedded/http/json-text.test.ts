import { describe, expect, it } from '@jest/globals';
import { JsonError, readJson } from '../../../src/embedded/http/json-text.js';
import { readObject } from '../../../src/embedded/http/request-body.js';

const nested = (depth: number, open: string, close: string, inner = '') =>
  open.repeat(depth) + inner + close.repeat(depth);

describe('a JSON body', () => {
  it.each([
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a":-}', "invalid character '}' in numeric literal"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a":"x\ny"}', "invalid character '\\n' in string literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['{"a":"\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"a":nul', "invalid character ' ' in literal null (expecting 'l')"],
    [' ', 'unexpected end of JSON input'],
    ['', 'unexpected end of JSON input'],
    ['{"a":"', 'unexpected end of JSON input'],
    ['{"metadata":{"name":"a"}', 'unexpected end of JSON input'],
    ['{}{}', "invalid character '{' after top-level value"],
    ['{} trailing', "invalid character 't' after top-level value"],
    ['{"a":.1}', "invalid character '.' looking for beginning of value"],
    [`{"a":'x'}`, "invalid character '\\'' looking for beginning of value"],
    ['{,}', "invalid character ',' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[,]', "invalid character ',' looking for beginning of value"],
    ['{"a":[1,]}', "invalid character ']' looking for beginning of value"],
    ['{"é":é}', "invalid character 'Ã' looking for beginning of value"],
    ['{"a":+1}', "invalid character '+' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['\u0000', "invalid character '\\x00' looking for beginning of value"],
    ['[1,[2,{"a":[]}}]', "invalid character '}' after array element"],
    [nested(20_000, '[', ''), "invalid character '[' exceeded max depth"],
  ])('%j is refused in the words of the server', (text, message) => {
    expect(() => readJson(text)).toThrow(new JsonError(message));
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('nested by %j is taken up to 1,000 deep', (open, close) => {
    expect(() => readJson(nested(1000, open, close, '1'))).not.toThrow();
    expect(() => readJson(nested(1001, open, close, '1'))).toThrow('exceeded max depth');
    expect(() => readJson(nested(9_999, open, close, '1'))).toThrow('exceeded max depth');
  });

  it.each([
    ['{"metadata":{"name":"a","name":"b"},"foo":1}', ['duplicate field "metadata.name"']],
    [
      '{"data":{"a.b/c[0]":"1","a.b/c[0]":"2","a":"1","a":"2","a":"3"}}',
      ['duplicate field "data.a.b/c[0]"', 'duplicate field "data.a"'],
    ],
    [
      '{"spec":{"size":3,"size":4},"spec":{"size":4,"size":3}}',
      ['duplicate field "spec.size"', 'duplicate field "spec"'],
    ],
    ['{"a":[{"b":1},{"b":[[0,{"c":1 , "c" : 2}]]}]}', ['duplicate field "a[1].b[0][1].c"']],
    ['{"a":1,"\\u0061":2}', ['duplicate field "a"']],
    ['{"a\\"":1,"a\\"":2}', ['duplicate field "a\\""']],
    ['[{"op":"add","op":"add"}]', ['duplicate field "[0].op"']],
    ['{"a":"x","b":"a\\":1,\\"a","c":["a","a"],"d":{"a":"\\\\"}}', []],
    ['{"constructor":1,"__proto__":{"__proto__":1},"toString":2}', []],
    ['{"__proto__":1,"__proto__":2}', ['duplicate field "__proto__"']],
  ])('%s says which fields stand twice', (text, duplicates) => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text), duplicates });
  });

  it('has U+FFFD for halves of surrogate pairs, in values and in keys, and keeps whole pairs', () => {
    const text = '{"a\\ud800":"\\udc00b\\uD83D\\ude00","c":["\\ud83d","😀",1,null]}';
    expect(readJson(text).value).toEqual({ 'a�': '�b😀', c: ['�', '😀', 1, null] });
  });

  it('keeps __proto__ as a field', () => {
    const { value } = readJson('{"__proto__":{"polluted":"\\ud800"}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each(['1e400', '-1.5E+999', `9${'0'.repeat(309)}`])(
    'of a custom resource may not have the number %s',
    (number) => {
      const body = `{"apiVersion":"a.example/v1","kind":"A","text":"1e999","spec":{"list":[1e308,${number}]}}`;
      const words = `A in version "v1" cannot be handled as a A: json: cannot unmarshal number ${number} into Go value of type float64`;
      const read = (isTyped: boolean) => () =>
        readObject(Buffer.from(body), 'application/json', { kind: 'A', isTyped });
      expect(read(false)).toThrow(words);
      expect(read(true)).not.toThrow();
      const ofNoVersion = Buffer.from(body.replace('"a.example/v1"', '1'));
      expect(() => readObject(ofNoVersion, 'application/json', { kind: 'A', isTyped: false })).toThrow(number);
      expect(readJson('{"text":"1e999\\"1e999","spec":[1e308,0.5E-999]}')).not.toHaveProperty('infinite');
    },
  );
});
