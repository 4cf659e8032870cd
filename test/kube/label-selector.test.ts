import { describe, expect, it } from '@jest/globals';
import { labelSelector } from '../../src/kube/label-selector.js';

describe('a label selector', () => {
  it.each([
    ['of several labels asks for all of them', { app: 'web', tier: 'front' }, 'app=web,tier=front'],
    ['of a label without a value asks for that', { app: '' }, 'app='],
    ['of no labels selects all', {}, ''],
    ['of labels that are not there yet is not there either', undefined, undefined],
  ])('%s', (_, labels, text) => {
    expect(labelSelector(labels)).toBe(text);
  });
});
