import { describe, expect, it } from '@jest/globals';
import { statusFields } from '../../src/compose/status-fields.js';

const subject = 'Memcached/default/cache status';

describe('what an author says in a status', () => {
  it('are fields by their names, or none', () => {
    expect(statusFields({ replicas: 2, url: undefined }, subject)).toEqual({ replicas: 2 });
    expect(statusFields(undefined, subject)).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['a promise', Promise.reject(new Error('late')), 'is asynchronous'],
    ['what a generator returns', (function* () {})(), 'is a generator, which nobody runs'],
    ['a text', 'ready', 'is a string'],
    ['a list', [1], 'is a list'],
    ['conditions', { conditions: [] }, 'has conditions, which kilter writes'],
    ['a generation', { observedGeneration: 1 }, 'has observedGeneration, which kilter writes'],
    ['a Date', { at: new Date(0) }, 'cannot be rendered: at is an instance of Date'],
  ])('are not %s', (_, returned, words) => {
    expect(() => statusFields(returned, subject)).toThrow(`${subject} ${words}`);
  });
});
