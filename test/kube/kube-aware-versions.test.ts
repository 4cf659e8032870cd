import { describe, expect, it } from '@jest/globals';
import { compareKubeAwareVersions } from '../../src/kube/kube-aware-versions.js';

describe('versions', () => {
  it('stand in the order of Kubernetes, as in its own example', () => {
    const highestFirst = [
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
    ];
    const shuffled = ['v3beta1', 'foo10', 'v1', 'v11alpha2', 'v10', 'v12alpha1', 'foo1', 'v11beta2', 'v2', 'v10beta3'];
    expect(shuffled.sort((a, b) => compareKubeAwareVersions(b, a))).toEqual(highestFirst);
  });

  it('are equal only to themselves', () => {
    expect(compareKubeAwareVersions('v1', 'v1')).toBe(0);
    expect(compareKubeAwareVersions('canary', 'canary')).toBe(0);
  });
});
