import { describe, expect, it } from '@jest/globals';
import { literal, propertyName } from '../../../src/cli/import/literal.js';

describe('a literal', () => {
  it.each([
    '',
    "it's",
    '"',
    '\\',
    "\\'",
    '\\"',
    '\\\\"',
    '`$`',
    '*/',
    '\n\r\t\0',
    '\u2028\u2029',
    '\ud800',
    'ß',
    '__proto__',
  ])('of %j is that text when it is read', (text) => {
    expect(new Function(`return ${literal(text)}`)()).toBe(text);
    expect(literal(text)).not.toMatch(/[\n\r\u2028\u2029]/);
  });
});

describe('the name of a property', () => {
  it.each([
    ['replicas', 'replicas'],
    ['$ref', '$ref'],
    ['class', 'class'],
    ['x-kubernetes-validations', "'x-kubernetes-validations'"],
    ['1st', "'1st'"],
    ['', "''"],
    ['__proto__', "'__proto__'"],
    ['größe', "'größe'"],
  ])('%j is written as %s', (name, text) => {
    expect(propertyName(name)).toBe(text);
  });
});
