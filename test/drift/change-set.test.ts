import { describe, expect, it } from '@jest/globals';
import { type Action, hasWrites, showChange } from '../../src/drift/change-set.js';

const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'prod', name: 'cache' };

describe('a change set', () => {
  it.each<[Action, boolean]>([
    ['created', true],
    ['configured', true],
    ['corrected', true],
    ['pruned', true],
    ['unchanged', false],
    ['skipped', false],
  ])('with something %s says that something was written: %j', (action, written) => {
    expect(
      hasWrites([
        { ref, action: 'unchanged' },
        { ref, action },
      ]),
    ).toBe(written);
  });

  it('without anything wrote nothing', () => {
    expect(hasWrites([])).toBe(false);
  });

  it('speaks in the words of kubectl', () => {
    expect(showChange({ ref, action: 'configured' })).toBe('Deployment/prod/cache configured');
    expect(showChange({ ref, action: 'skipped', because: 'it is being deleted' })).toBe(
      'Deployment/prod/cache skipped (it is being deleted)',
    );
  });
});
