import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Packing, versionOf } from '../../../src/runtime/informer/packing.js';
import { processHeap } from '../../../src/runtime/process/give-back-memory.js';

/** As a server returns it. */
function deployment(index: number, more: object = {}): KubeObject {
  const owner = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const time = `2026-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: `cache-${index}-server`,
      namespace: 'prod',
      uid: owner.replace('4000', '4001'),
      resourceVersion: String(1000 + index),
      creationTimestamp: time,
      annotations: { 'kilter.dev/applied-hash': `AAAAAAAA_-AAAAAA${100_000 + index}` },
      ownerReferences: [
        { apiVersion: 'example.com/v1', kind: 'Cache', name: `cache-${index}`, uid: owner, controller: true },
      ],
      managedFields: [
        {
          manager: 'cache',
          operation: 'Update',
          time,
          fieldsV1: { 'f:metadata': { 'f:ownerReferences': { [`k:{"uid":"${owner}"}`]: {} } } },
        },
      ],
    },
    spec: { selector: { matchLabels: { name: `cache-${index}` } }, clusterIP: `10.0.0.${index}` },
    ...more,
  } as KubeObject;
}

describe('packing', () => {
  it('keeps once what a thousand objects of one operator have in common', () => {
    const packing = new Packing();
    const packed = Array.from({ length: 1000 }, (_, index) => packing.pack(deployment(index)));
    // The uid of a controller may be another's own, and the seconds of a time: by them alone shapes differ.
    expect(new Set(packed.map(({ shape }) => shape)).size).toBe(1);
    expect(Math.max(...packed.map(({ own }) => own.length))).toBeLessThan(200);
    for (const [index, each] of packed.entries()) expect(packing.unpack(each)).toEqual(deployment(index));
  });

  it('tells the version of what is packed', () => {
    expect(versionOf(new Packing().pack(deployment(7)))).toBe('1007');
  });

  const named = (name: string, data: object, more: object = {}): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, uid: 'u', resourceVersion: '1', ...more },
      data,
    }) as never;
  it.each([
    ['a name that is part of everything', named('a', { a: 'aaa', data: 'a' })],
    ['a name that is a number', named('1', { a: '1', b: 1, c: 11.5 })],
    ['a name in which JSON escapes', named('a"\\\n\u0001', { 'a"\\\n\u0001': 'a"\\\n\u0001' })],
    ['a name that begins with a mark', named('\u0002', { a: '\u0001\u0002\u001f' })],
    ['values with line feeds and control characters', named('n', { a: 'x\ny\n\u0000\u0001', '\n': '\u001f' })],
    ['values that look like marks of JSON', named('n', { a: '\\u0001', b: '\\n', c: '\\\\u0002"' })],
    ['separators of lines and lone surrogates', named('n', { a: '\u2028\u2029\ud800', b: '🚀', c: 'ÿĀ' })],
    [
      'more values of its own than there are marks',
      named('n', Object.fromEntries(Array.from({ length: 99 }, (_, i) => [i, `${i}`]))),
    ],
    ['a key that is a prototype', named('n', JSON.parse('{"__proto__":{"a":"1"},"constructor":"2"}') as object)],
    ['numbers, nulls, empty lists and maps', named('n', { a: 1e21, b: -0.5, c: null, d: [], e: {}, f: '', g: false })],
    [
      'an owner of the same name',
      named('n', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'x', controller: true }] }),
    ],
    [
      'an owner whose name is longer',
      named(
        'n',
        { a: 'nn' },
        { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'nn', uid: 'x', controller: true }] },
      ),
    ],
    ['no name', named('', { a: '' })],
    ['times as keys', named('n', { '2026-01-01T00:00:00Z': '2026-01-01T00:00:00Z', '10.0.0.1': '10.0.0.1' })],
  ])('changes nothing of %s', (_, object) => {
    const packing = new Packing();
    expect(JSON.stringify(packing.unpack(packing.pack(object)))).toBe(JSON.stringify(object));
  });

  it('does not pile up the shapes that only one object has', () => {
    const packing = new Packing();
    const objects = Array.from({ length: 2000 }, (_, index) => named('n', { text: 'x'.repeat(index) }));
    const packed = objects.map((object) => packing.pack(object));
    expect(packed.map((each) => packing.unpack(each))).toEqual(objects);
  });

  it('keeps little of large objects that are gone', () => {
    const packing = new Packing();
    const taken = () => {
      processHeap().collect();
      return processHeap().used;
    };
    const before = taken();
    for (let index = 0; index < 100; index++) packing.pack(named('n', { text: `${index} `.repeat(300_000) }));
    expect((taken() - before) / 2 ** 20).toBeLessThan(15);
    expect(packing.unpack(packing.pack(named('n', { text: 'x' })))).toEqual(named('n', { text: 'x' }));
  });
});
