import { describe, expect, it } from '@jest/globals';
import { unifiedDiff } from '../../../../src/embedded/rules/workloads/unified-diff.js';

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

describe('a unified diff', () => {
  it('is empty for equal texts', () => {
    expect(unifiedDiff('a\nb', 'a\nb')).toBe('');
  });

  it('shows three lines around a change', () => {
    const before = lines(1, 9).join('\n');
    expect(unifiedDiff(before, before.replace('line 5', 'other'))).toBe(
      '@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+other\n line 6\n line 7\n line 8\n',
    );
  });

  it('joins changes that are near, and parts those that are far', () => {
    const before = lines(1, 30).join('\n');
    const near = before.replace('line 5', 'a').replace('line 11', 'b');
    const far = before.replace('line 5', 'a').replace('line 25', 'b');
    expect(unifiedDiff(before, near).match(/^@@.*$/gm)).toEqual(['@@ -2,13 +2,13 @@']);
    expect(unifiedDiff(before, far).match(/^@@.*$/gm)).toEqual(['@@ -2,7 +2,7 @@', '@@ -22,7 +22,7 @@']);
  });

  it('tells added from removed lines', () => {
    expect(unifiedDiff('a\nc', 'a\nb\nc')).toBe('@@ -1,2 +1,3 @@\n a\n+b\n c\n');
    expect(unifiedDiff('a\nb\nc', 'a\nc')).toBe('@@ -1,3 +1,2 @@\n a\n-b\n c\n');
  });
});
