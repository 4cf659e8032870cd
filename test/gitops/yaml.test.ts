import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { toYaml } from '../../src/gitops/yaml.js';
import { hostileStrings, tangle } from './hostile-strings.js';

const body = (value: unknown) => toYaml(value).replace(/^---\n/, '');

describe('a YAML document', () => {
  it('leads with what identifies an object and sorts everything else', () => {
    const object = {
      spec: { b: 1, a: [{ z: 1, name: 'x' }] },
      kind: 'K',
      data: {},
      metadata: { name: 'web' },
      apiVersion: 'v1',
    };

    expect(toYaml(object)).toBe(
      [
        '---',
        'apiVersion: v1',
        'kind: K',
        'metadata:',
        '  name: web',
        'data: {}',
        'spec:',
        '  a:',
        '    - name: x',
        '      z: 1',
        '  b: 1',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['0o7'],
    ['0o_7'],
    ['='],
    ['<<'],
    ['y'],
    ['N'],
    ['on'],
    ['Off'],
    ['1:30'],
    ['1_000'],
    ['.inf'],
    ['.NaN'],
    ['.e6'],
    ['.E-6'],
    ['--'],
    ['--1'],
    ['2001-12-14'],
    ['~'],
    ['null'],
    ['0x1F'],
    ['1e3'],
    ['e6'],
    [''],
    ['- a'],
    ['a: b'],
    ['a #b'],
    ['a:'],
    ['!!js'],
    ['&a'],
    ['*a'],
    ['{{x}}'],
    ['@x'],
    ['`x`'],
    ['%x'],
    ['---'],
    ['a '],
    [' a'],
  ])('quotes %j, which some parser would not read as that string', (text) => {
    expect(body({ k: text })).toBe(`k: "${text}"\n`);
    expect(body({ [text]: 1 })).toBe(`"${text}": 1\n`);
  });

  it.each([
    ['a\u0085b', 'a\\x85b'],
    ['a\u2028b', 'a\\u2028b'],
    ['\uFEFFa', '\\uFEFFa'],
    ['a\u0000b', 'a\\x00b'],
    ['a\rb', 'a\\rb'],
    ['pay\u202Eload', 'pay\\u202Eload'],
    ['a\u00A0b', 'a\\xA0b'],
    ['a\u{E0001}b', 'a\\U000E0001b'],
  ])('shows the invisible character of %j', (text, escaped) => {
    expect(body({ k: text })).toBe(`k: "${escaped}"\n`);
  });

  it.each([
    ['memcached:1.6-alpine'],
    ['apps/v1'],
    ['Memcached'],
    ['/healthz'],
    ['--leader-election-id=memcached-operator'],
    ['.spec.size'],
    ['.status.conditions[?(@.type=="Ready")].status'],
    ['500m'],
    ['64Mi'],
    ['self.from != self.to && self.size <= 10'],
    ['How many memcached pods run.'],
    ['größe'],
    ['日本語'],
  ])('leaves %j bare', (text) => {
    expect(body({ k: text })).toBe(`k: ${text}\n`);
  });

  it('writes several lines as a block', () => {
    expect(body({ data: { a: 'one\n\n  two\n', b: 'one\ntwo' }, list: ['x\ny\n'] })).toBe(
      'data:\n  a: |\n    one\n\n      two\n  b: |-\n    one\n    two\nlist:\n  - |\n    x\n    y\n',
    );
  });

  it.each([
    ['ends in blank lines', 'a\n\n'],
    ['begins with a space', ' a\nb'],
    ['begins with a break', '\na'],
    ['has a blank line of spaces', 'a\n  \nb'],
    ['has an invisible character', 'a\n\u200Bb'],
  ])('does not use a block for text that %s', (_, text) => {
    expect(body({ k: text })).toBe(`k: ${JSON.stringify(text).replace('\u200B', '\\u200B')}\n`);
  });

  it.each([
    [1e21, '1.0e+21'],
    [1e-7, '1.0e-7'],
    [1.5e300, '1.5e+300'],
    [-0, '0'],
    [0.1, '0.1'],
    [9007199254740991, '9007199254740991'],
  ])('writes the number %p as %s', (number, text) => {
    expect(body({ k: number })).toBe(`k: ${text}\n`);
    expect(parse(text, { version: '1.1' })).toBe(number === 0 ? 0 : number);
  });

  it('keeps keys that JavaScript finds special', () => {
    const object = JSON.parse('{"data":{"__proto__":"a","constructor":"b","hasOwnProperty":"c"}}') as unknown;
    expect(body(object)).toBe(
      'data:\n  __proto__: a\n  constructor: b\n  hasOwnProperty: c\n'.replace(/__proto__/, '"__proto__"'),
    );
  });

  it('nests lists in lists', () => {
    const value = { k: [[1, [2, { a: [] }]], [], {}, [[[]]], [{ a: 1, b: { c: 1 } }]] };
    expect(parse(toYaml(value))).toEqual(value);
  });

  it('leaves out what is undefined and keeps what is null', () => {
    expect(body({ a: undefined, b: null, c: [null] })).toBe('b: null\nc:\n  - null\n');
  });

  it.each([
    ['a Date', new Date(0), 'a Date'],
    ['a Map', new Map(), 'a Map'],
    ['a bigint', 1n, 'a bigint'],
    ['NaN', Number.NaN, 'NaN'],
    ['a function', () => 1, 'a function'],
    ['undefined in a list', [undefined], 'a undefined'],
  ])('refuses %s and says where it is', (_, value, named) => {
    expect(() => toYaml({ spec: { x: value } })).toThrow(
      `spec.x${Array.isArray(value) ? '.0' : ''} cannot be written as YAML: ${named} is not JSON`,
    );
  });

  it('refuses text that UTF-8 cannot carry', () => {
    expect(() => toYaml({ a: 'x\uD800y' })).toThrow(
      'a cannot be written as YAML: half of a surrogate pair is not text',
    );
    expect(() => toYaml({ data: { 'x\uD800y': '' } })).toThrow(/^data\..* half of a surrogate pair is not text$/);
  });

  it('can be joined with others end to end', () => {
    expect(toYaml({ a: 1 }) + toYaml({ b: 2 })).toBe('---\na: 1\n---\nb: 2\n');
  });
});

describe('5,000 hostile strings as values, keys and list items', () => {
  const strings = hostileStrings(5000);
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'hostile' },
    data: Object.fromEntries(strings.map((text, index) => [`k${index}`, text])),
  };
  const tangled = tangle(strings);
  const nested = {
    values: strings,
    keys: Object.fromEntries(strings.map((text, index) => [text, [index, { text }]])),
    tangled,
  };

  it.each(['1.1', '1.2'] as const)('come back from a YAML %s parser', (version) => {
    expect(parse(toYaml(object), { version, maxAliasCount: 0 })).toEqual(object);
    expect(parse(toYaml(nested), { version, maxAliasCount: 0 })).toEqual(nested);
  });

  const python = spawnSync('python3', ['-c', 'import yaml']).status === 0;
  (python ? it : it.skip)('come back from PyYAML', () => {
    const program = 'import sys, yaml, json; json.dump(yaml.safe_load(sys.stdin.buffer.read().decode()), sys.stdout)';
    const read = (value: unknown) =>
      JSON.parse(
        execFileSync('python3', ['-c', program], { input: toYaml(value), maxBuffer: 1 << 28, encoding: 'utf8' }),
      ) as unknown;

    expect(read(object)).toEqual(object);
    expect(read(nested)).toEqual(nested);
  });

  // `--local` reads and writes an object without a server, by the YAML parser that every Go tool of Kubernetes uses.
  const kubectl = join(process.env['KUBEBUILDER_ASSETS'] ?? '', 'kubectl');
  const hasKubectl = spawnSync(kubectl, ['version', '--client']).status === 0;
  (hasKubectl ? it : it.skip)('come back from kubectl', () => {
    const custom = { apiVersion: 'example.com/v1', kind: 'Hostile', metadata: { name: 'hostile' }, spec: nested };
    const read = (value: object) =>
      JSON.parse(
        execFileSync(kubectl, ['annotate', '--local', '-f', '-', '-o', 'json', 'read=yes'], {
          input: toYaml(value),
          maxBuffer: 1 << 28,
          encoding: 'utf8',
        }),
      ) as { data?: unknown; spec?: unknown };

    expect(read(object).data).toEqual(object.data);
    expect(read(custom).spec).toEqual(nested);
  });
});
