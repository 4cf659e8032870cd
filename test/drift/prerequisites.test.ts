import { expect, it } from '@jest/globals';
import { type Known, needsOf, waitsFor } from '../../src/drift/prerequisites.js';
import { keyOf } from '../../src/kube/object-ref.js';
import { stored } from './an-object.js';

const ref = { apiVersion: 'example.com/v1', kind: 'Store', name: 'a', namespace: 'prod' };
const object = (conditions?: readonly object[]) =>
  stored({
    apiVersion: ref.apiVersion,
    kind: ref.kind,
    metadata: { name: 'a', namespace: 'prod' },
    ...(conditions ? { status: { conditions } } : {}),
  });
const ready = { type: 'Ready', status: 'True' };
const known: Known = { object: object([ready]), isBehind: false, speaks: true };

it.each<[string, Partial<Known>, string | undefined]>([
  ['is ready', {}, undefined],
  ['is there, of a kind that never says so', { object: object(), speaks: false }, undefined],
  ['is missing', { object: undefined }, 'Store/prod/a is not there'],
  ['is ready, and not as it is to be', { isBehind: true }, 'Store/prod/a is not as it is to be'],
  ['says that it is not ready', { object: object([{ ...ready, status: 'False' }]) }, 'Store/prod/a'],
  ['has said nothing yet', { object: object() }, 'Store/prod/a does not say yet that it is ready'],
])('what another child needs and %s', (_, rest, message) => {
  const waits = waitsFor([ref], () => ({ ...known, ...rest }));
  if (message === undefined) expect(waits).toBeUndefined();
  else expect(waits).toContain(message);
});

it('who needs several waits for the first that is not ready', () => {
  const other = { ...ref, name: 'b' };
  const waits = waitsFor([ref, other], ({ name }) => (name === 'b' ? { ...known, object: undefined } : known));
  expect(waits).toBe('Store/prod/b is not there');
  expect(needsOf(ref, new Map([[keyOf(ref), [other]]]))).toEqual([other]);
  expect([needsOf(other, new Map([[keyOf(ref), [other]]])), needsOf(ref, undefined)]).toEqual([[], []]);
});
