import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { firstAbort } from '../../src/kube/first-abort.js';
import { dependantsOf } from '../dependants-of.js';

describe('a signal that follows others', () => {
  it.each([0, 1])('aborts as the first of them does, and for its reason: that with the number %d', (which) => {
    const sources = [new AbortController(), new AbortController()];
    const { signal } = firstAbort(...sources.map((source) => source.signal));
    expect(signal.aborted).toBe(false);
    sources[which]?.abort(new Error('first'));
    sources[1 - which]?.abort(new Error('second'));
    expect(signal.reason).toEqual(new Error('first'));
  });

  it('is aborted where one of them is', () => {
    expect(firstAbort(AbortSignal.abort(new Error('before'))).signal.reason).toEqual(new Error('before'));
  });

  it('leaves nothing on them once it is let go, and follows none', () => {
    const source = new AbortController();
    const { signal, letGo } = firstAbort(source.signal);
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
    letGo();
    expect(getEventListeners(source.signal, 'abort')).toEqual([]);
    expect(dependantsOf(source.signal)).toBe(0);
    source.abort();
    expect(signal.aborted).toBe(false);
  });
});
