import { describe, expect, it } from '@jest/globals';
import { showProblem } from '../../src/schema/field-problem.js';
import { objectMetaProblems } from '../../src/schema/object-meta.js';

describe('metadata', () => {
  it.each([
    ['labels', 'app', 'must be a map'],
    ['labels', ['app'], 'must be a map'],
    ['labels', 5, 'must be a map'],
    ['annotations', 'note', 'must be a map'],
    ['finalizers', 'example.com/a', 'must be a list'],
    ['finalizers', { a: 'example.com/a' }, 'must be a list'],
    ['finalizers', [5], 'must be a string'],
    ['labels', { app: 5 }, 'must be a string'],
  ])('is refused whose %s are %j', (field, value, words) => {
    const [first] = objectMetaProblems({ name: 'web', [field]: value });
    expect(first && showProblem(first)).toMatch(new RegExp(`^metadata\\.${field}.*${words}$`));
  });

  it('has at most 256 KiB of annotations, all of them counted in bytes', () => {
    const text = (characters: number) => 'é'.repeat(characters);
    const words = ['metadata.annotations: Too long: may not be more than 262144 bytes'];
    const problems = (annotations: Readonly<Record<string, string>>) =>
      objectMetaProblems({ name: 'web', annotations }).map(showProblem);

    expect(problems({ a: text(65_000), b: text(66_100) })).toEqual(words);
    expect(problems({ a: text(65_000), b: text(20_000), c: text(46_100) })).toEqual(words);
    expect(problems({ a: text(65_000), b: text(66_070) })).toEqual([]);
  });
});
