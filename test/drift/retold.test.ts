import { describe, expect, it } from '@jest/globals';
import { retold } from '../../src/drift/retold.js';
import { entry } from './an-object.js';

const [old, now] = [{ apiVersion: 'a.example.com/v1beta1' }, { apiVersion: 'a.example.com/v1' }];
const inPresent = (...entries: Parameters<typeof retold>[0]) =>
  retold(entries, now.apiVersion, (apiVersion) => apiVersion === old.apiVersion);

describe('what is told in a version that is gone', () => {
  it('is told in the present one', () => {
    expect(inPresent(entry('them', 'Update', ['f:spec f:a'], old), entry('us', 'Apply', ['f:spec f:b'], now))).toEqual([
      entry('them', 'Update', ['f:spec f:a'], now),
      entry('us', 'Apply', ['f:spec f:b'], now),
    ]);
  });

  it('is one with what the same writer is told to have written in the present one', () => {
    const [before, after] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
    const entries = [
      entry('them', 'Update', ['f:spec f:a'], { ...old, time: after }),
      entry('them', 'Update', ['f:status'], { ...now, subresource: 'status', time: before }),
      entry('them', 'Update', ['f:spec f:b'], { ...now, time: before }),
    ];
    expect(inPresent(...entries)).toEqual([
      entry('them', 'Update', ['f:spec f:a', 'f:spec f:b'], { ...now, time: after }),
      entries[1],
    ]);
  });

  it('is nothing where all versions are there', () => {
    expect(inPresent(entry('them', 'Update', ['f:spec f:a'], now), { manager: 'odd' })).toBeUndefined();
  });
});
