import { expect, it } from '@jest/globals';
import { Refusals } from '../../../src/runtime/writes/refusals.js';

it('who waits for the object of somebody else to go is known by that object, until he waits no more', () => {
  const refusals = new Refusals();
  refusals.add('prod/a', 'ConfigMap/x');
  refusals.add('prod/a', 'ConfigMap/y');
  refusals.add('prod/b', 'ConfigMap/x');
  expect([refusals.of('ConfigMap/x'), refusals.of('ConfigMap/y')]).toEqual([['prod/a', 'prod/b'], ['prod/a']]);
  expect(refusals.all).toEqual(['prod/a', 'prod/b']);

  refusals.clear('prod/a');
  expect([refusals.of('ConfigMap/x'), refusals.of('ConfigMap/y')]).toEqual([['prod/b'], []]);
  refusals.clear('prod/b');
  expect([refusals.all, refusals.of('ConfigMap/x')]).toEqual([[], []]);
});
