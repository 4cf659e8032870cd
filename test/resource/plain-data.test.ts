import { describe, expect, it } from '@jest/globals';
import { Lazy } from 'cdk8s';
import { k8s } from 'cdk8s-plus-28';
import { plainData } from '../../src/resource/plain-data.js';

const plain = (value: unknown) => plainData(value, 'ConfigMap/a');

describe('plain data', () => {
  it('is a copy, without undefined and with null', () => {
    const given = { a: { b: [1, null, 'x', true] }, none: undefined, nothing: null };
    const copy = plain(given);
    expect(copy).toEqual({ a: { b: [1, null, 'x', true] }, nothing: null });
    expect(Object.keys(copy as object)).toEqual(['a', 'nothing']);
    expect((copy as { readonly a: unknown }).a).not.toBe(given.a);
  });

  it('has any key, and inherits nothing from one', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2,"hasOwnProperty":3}';
    expect(JSON.stringify(plain(JSON.parse(text)))).toBe(text);
    expect((plain(JSON.parse(text)) as { polluted?: number }).polluted).toBeUndefined();
  });

  it('is what cdk8s resolves', () => {
    const late = { a: Lazy.any({ produce: () => ({ b: Lazy.any({ produce: () => 1 }) }) }), c: { resolve: () => 'd' } };
    expect(plain(late)).toEqual({ a: { b: 1 }, c: 'd' });
    expect(plain({ port: k8s.IntOrString.fromNumber(80), cpu: k8s.Quantity.fromString('1') })).toEqual({
      port: 80,
      cpu: '1',
    });
  });

  it('is nothing where what is produced late is nothing, and says so of a list', () => {
    const nothing = Lazy.any({ produce: () => undefined }) as unknown;
    const later = Lazy.any({ produce: () => nothing }) as unknown;
    expect(plain({ a: nothing, b: { c: later }, d: 1 })).toEqual({ b: {}, d: 1 });
    expect(() => plain({ a: [nothing] })).toThrow('a[0] is undefined');
  });

  it('is no half of a character, which an API server stores as another one', () => {
    expect(plain({ a: '😀', '😀': 1 })).toEqual({ a: '😀', '😀': 1 });
    expect(() => plain({ a: ['ab😀'.slice(0, 3)] })).toThrow(
      'ConfigMap/a cannot be rendered: a[0] is no text: it has half of a character',
    );
    expect(() => plain({ ['😀'.slice(1)]: 1 })).toThrow('is named by no text: it has half of a character');
  });

  it('takes integers that are exact, and fractions of any size', () => {
    expect(plain([2 ** 53 - 1, -(2 ** 53) + 1, 0.1, 1e-300])).toEqual([2 ** 53 - 1, -(2 ** 53) + 1, 0.1, 1e-300]);
    expect(() => plain({ a: -(2 ** 53) })).toThrow('ConfigMap/a cannot be rendered: a is -9007199254740992');
  });

  it('takes data from another realm, and maps without a prototype', () => {
    expect(plain(structuredClone({ a: [{ b: 1 }] }))).toEqual({ a: [{ b: 1 }] });
    expect(plain(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
  });

  it('says why something late could not be produced', () => {
    const late = Lazy.any({
      produce: () => {
        throw new Error('no container');
      },
    });
    expect(() => plain({ spec: late })).toThrow(
      'ConfigMap/a cannot be rendered: spec fails to be produced: no container',
    );
  });

  it('comes to an end when something late produces itself', () => {
    const late: Lazy = Lazy.any({ produce: () => late }) as Lazy;
    expect(() => plain({ late })).toThrow('nested over 200 levels deep');
  });

  it('cuts a path that is too long to read', () => {
    const wide = { ['k'.repeat(5000)]: { date: new Date(0) } };
    expect(() => plain(wide)).toThrow(/k… is an instance of Date$/);
  });
});
