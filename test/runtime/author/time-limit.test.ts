import { describe, expect, it } from '@jest/globals';
import { usualTimings } from '../../../src/kube/lease-timings.js';
import { authorMillisecondsOf, timeLimit } from '../../../src/runtime/author/time-limit.js';
import { eventually } from '../../cluster/eventually.js';

const limit = timeLimit(100);
const loop = (): never => {
  for (;;);
};

it.each([
  ['the usual timings', {}, 5000],
  ['longer ones', { renewSeconds: 90, retrySeconds: 30 }, 5000],
  ['shorter ones', { renewSeconds: 5, retrySeconds: 1 }, 2142],
  ['the shortest', { renewSeconds: 3, retrySeconds: 0.5 }, 1071],
])("leaves time to renew the Lease by %s after an author's code and its second try", (_, given, milliseconds) => {
  const timings = { ...usualTimings, ...given };
  expect(authorMillisecondsOf(timings)).toBe(milliseconds);
  expect(timings.retrySeconds * 1000 + milliseconds * 1.4).toBeLessThanOrEqual(timings.renewSeconds * 1000 - 1000);
});

describe('a limit of time', () => {
  it('gives what the body gives, and throws what it throws', () => {
    const mistake = new TypeError('a mistake of its author');
    expect(
      limit(
        () => 'compose',
        () => ({ some: 'children' }),
      ),
    ).toEqual({ some: 'children' });
    expect(
      limit(
        () => 'compose',
        () => undefined,
      ),
    ).toBeUndefined();
    const thrown = (() => {
      try {
        return limit(
          () => 'compose',
          () => {
            throw mistake;
          },
        );
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBe(mistake);
  });

  it.each([
    ['a loop', loop],
    [
      'a loop that catches all',
      () => {
        for (;;) {
          try {
            loop();
          } catch {
            // Goes on.
          }
        }
      },
    ],
    ['a regular expression that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(40)}b`)],
  ])('ends %s, and names it', (_, body) => {
    expect(() => limit(() => 'compose of Memcached/default/cache', body)).toThrow(
      'compose of Memcached/default/cache did not end within 0.1 s',
    );
    expect(
      limit(
        () => 'the next',
        () => 1,
      ),
    ).toBe(1);
  });

  it('does not take a process that was stopped for code that does not end', async () => {
    let runs = 0;
    const stand = (): number => {
      // Uses no processor, as a process that was stopped uses none.
      if (++runs === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      return runs;
    };
    // What another thread of this process computes meanwhile counts as ours: one try in peace shows it.
    await eventually(() => {
      runs = 0;
      expect(limit(() => 'compose', stand)).toBe(2);
    });
  });

  it('takes what waits, and goes on waiting, for code that does not end', () => {
    let tries = 0;
    const wait = () => {
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    };
    expect(() => limit(() => 'compose', wait)).toThrow('compose did not end within 0.1 s');
    // With the second try it is less than a Lease is renewed in.
    expect(tries).toBeLessThanOrEqual(2);
  });

  it('may be shorter for some', () => {
    expect(() => timeLimit(60_000)(() => 'compose', loop, 100)).toThrow('compose did not end within 0.1 s');
  });
});
