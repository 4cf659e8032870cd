import { expect, it } from '@jest/globals';
import { compareVersions } from '../../../src/embedded/custom/version-order.js';

it('puts stable versions before betas, betas before alphas, and any other name last', () => {
  const names = ['foo10', 'v1', 'v11alpha2', 'v3beta1', 'v10', 'v2', 'foo1', 'v12alpha1', 'v11beta2', 'v10beta3'];
  expect(names.sort((a, b) => compareVersions(b, a))).toEqual([
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ]);
});
