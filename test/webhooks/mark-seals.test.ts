import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/kube/manifest.js';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { type ConversionReview, conversionReview } from '../../src/webhooks/conversion-review.js';
import { MarkSeals } from '../../src/webhooks/mark-seals.js';
import { Cache } from '../resource/a-kind-of-versions.js';

const [stored, older] = [`${Cache.group}/v1`, `${Cache.group}/v1beta1`];
const mark = 'kilter.dev/stored-spec';

/** What a replica knows whose webhooks were served with these private keys, one after the other. */
function replicaWith(...keys: readonly string[]): MarkSeals {
  const seals = new MarkSeals();
  for (const key of keys) seals.use(key);
  return seals;
}

function converted(objects: readonly object[], desiredAPIVersion: string, seals: MarkSeals) {
  const request = { uid: '7', desiredAPIVersion, objects };
  const asked = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  return conversionReview(asked as unknown as ConversionReview, [Cache], undefined, seals).response!;
}

const cache = (spec: object, { name = 'c', ...annotations }: Readonly<Record<string, string>> = {}) => ({
  apiVersion: older,
  kind: 'Cache',
  metadata: { name, namespace: 'default', annotations },
  spec,
});

/** As somebody reads it in the older version who means to write it back. */
function readBy(seals: MarkSeals): KubeObject {
  const random = seededRandom(1);
  const image = Array.from({ length: 400_000 }, () => String.fromCharCode(33 + 90 * random())).join('');
  const [read] = converted([{ ...cache({ size: 3, image }), apiVersion: stored }], older, seals).convertedObjects;
  return read!;
}

describe('what is stored too long to be kept beside an older version', () => {
  const read = readBy(replicaWith('a key'));

  it.each([
    ['the replica that it was read from', replicaWith('a key')],
    ['another one, which has the next key by now', replicaWith('a key', 'another')],
    ['one that was told of its key twice', replicaWith('a key', 'another', 'another')],
  ])('is not written back through %s', (_, seals) => {
    expect(read.metadata.annotations?.[mark]).toMatch(/^too long:/);
    expect(converted([read], stored, seals).result).toEqual({
      status: 'Failure',
      message: `Cache/default/c of ${older} cannot be written: what is stored of it is too long to be kept beside it`,
    });
  });
});

it.each([
  ['wrote the bare words', 'too long'],
  ['made the seal up', 'too long:AAAAAAAAAAAAAAAAAAAAAA'],
  ['has one of another object', readBy(replicaWith('a key')).metadata.annotations?.[mark] ?? ''],
])('one on which somebody %s keeps nobody from a list of its kind', (_, planted) => {
  const objects = [cache({ replicas: 2 }), cache({ replicas: 3 }, { name: 'bait', [mark]: planted })];
  const { result, convertedObjects } = converted(objects, stored, replicaWith('a key'));
  expect(result).toEqual({ status: 'Success' });
  expect(convertedObjects.map(({ spec }) => spec)).toMatchObject([{ size: 2 }, { size: 3 }]);
  expect(convertedObjects.map(({ metadata }) => metadata.annotations?.[mark])).toEqual([undefined, undefined]);
});
