import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LineLog, type LogLine } from '../../src/testing/line-log.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { type IssuedPair, issued } from '../../src/tls/issued.js';
import { Renewal } from '../../src/webhooks/renewal.js';

const daySeconds = 24 * 60 * 60;

describe('a certificate of webhooks, before it is too old,', () => {
  let clock: VirtualClock;
  let stop: AbortController;
  let old: IssuedPair;
  /** What the replicas have, what the API server was told to trust, and what it is shown. */
  let kept: IssuedPair;
  let trusted: string;
  let shown: IssuedPair;
  let isAway: boolean;
  /** One of several objects cannot be written to. */
  let isHalfTold: boolean;
  /** What keeps it from being looked up. */
  let refusal: Error | undefined;
  let lines: LogLine[];
  const made = (days: number): IssuedPair =>
    issued({
      authority: 'webhooks',
      subject: 'webhooks.default.svc',
      names: ['webhooks'],
      now: clock.now(),
      validMilliseconds: days * daySeconds * 1000,
    });
  const successor = (): IssuedPair => {
    const next = made(365);
    return { ...next, ca: next.ca + old.ca };
  };

  const start = (days: number) => {
    kept = shown = old = made(days);
    trusted = old.ca;
    const options = {
      clock,
      log: new LineLog(lines, clock),
      pair: old,
      async find() {
        if (refusal) throw refusal;
        return kept;
      },
      async tell(ca: string) {
        if (!isAway) trusted = ca;
        return [!isAway, !isAway && !isHalfTold];
      },
      show(pair: IssuedPair) {
        shown = pair;
      },
    };
    return new Renewal(options, stop.signal);
  };

  beforeEach(() => {
    clock = new VirtualClock();
    stop = new AbortController();
    isAway = false;
    isHalfTold = false;
    refusal = undefined;
    lines = [];
  });
  afterEach(() => {
    stop.abort(new Error('the test is over'));
    expect(clock.timers).toBe(0);
  });

  it('is changed for the next when API servers have had the time to hear whom to trust', async () => {
    start(40);
    // It is looked for once a day.
    await clock.advance(9.5 * daySeconds * 1000);
    kept = successor();
    await clock.advance(0.5 * daySeconds * 1000);
    expect(trusted).toBe(kept.ca);
    expect(shown).toBe(old);
    await clock.advance(4999);
    expect(shown).toBe(old);
    await clock.advance(1);
    expect(shown).toBe(kept);
  });

  it('is looked for each minute once it is too old, of which is told once that it cannot be, and once that it can', async () => {
    start(40);
    refusal = new Error('secrets "webhooks" is forbidden');
    await clock.advance(15 * daySeconds * 1000);
    kept = successor();
    refusal = undefined;
    await clock.advance(66_000);
    expect(shown).toBe(kept);
    expect(lines.filter(({ level }) => level !== 'debug').map(({ message }) => message)).toEqual([
      'Failed to renew the certificate of webhooks',
      'Looked after the certificate of webhooks again',
    ]);
  });

  it('is changed for one after the other, each time for one that is trusted already', async () => {
    const renewal = start(365);
    for (let round = 0, authority = old.ca; round < 2; round++) {
      const before = shown;
      const next = made(365);
      kept = { ...next, ca: next.ca + authority };
      authority = next.ca;
      const renewed = renewal.now();
      await clock.advance(4999);
      expect(trusted).toBe(kept.ca);
      expect(shown).toBe(before);
      await clock.advance(1);
      await renewed;
      expect(shown).toBe(kept);
    }
  });

  it('is changed soon after an API server is back that could not be told', async () => {
    const renewal = start(365);
    kept = successor();
    isAway = true;
    await renewal.now();
    expect(shown).toBe(old);
    isAway = false;
    await clock.advance(66_000);
    expect(trusted).toBe(kept.ca);
    expect(shown).toBe(kept);
  });

  it('is changed at once for one beside which nobody trusts it any more', async () => {
    const renewal = start(40);
    kept = made(365);
    const renewed = renewal.now();
    await clock.advance(0);
    expect(trusted).toBe(kept.ca);
    expect(shown).toBe(kept);
    await renewed;
  });

  it('is changed for one beside which some trust it no more, though others refuse to be told', async () => {
    const renewal = start(365);
    kept = made(365);
    isHalfTold = true;
    await renewal.now();
    expect(trusted).toBe(kept.ca);
    expect(shown).toBe(kept);
  });

  it('is kept where nobody was told of one beside which it is trusted no more', async () => {
    const renewal = start(365);
    kept = made(365);
    isAway = true;
    await renewal.now();
    expect(trusted).toBe(old.ca);
    expect(shown).toBe(old);
  });

  it('is kept while the API server cannot be told, but for its last day', async () => {
    start(2);
    kept = successor();
    isAway = true;
    await clock.advance(0.9 * daySeconds * 1000);
    expect(trusted).toBe(old.ca);
    expect(shown).toBe(old);
    await clock.advance(0.2 * daySeconds * 1000);
    expect(shown).toBe(kept);
  });

  it('is told again where it is back before another was shown that some trust already', async () => {
    const renewal = start(365);
    kept = successor();
    isHalfTold = true;
    await renewal.now();
    expect(trusted).toBe(kept.ca);
    expect(shown).toBe(old);
    // As somebody has restored its Secret.
    kept = old;
    isHalfTold = false;
    await renewal.now();
    expect(shown).toBe(old);
    expect(trusted).toBe(old.ca);
  });

  it('is shown to the end', async () => {
    const renewal = start(40);
    kept = successor();
    const renewed = renewal.now();
    await clock.advance(1000);
    stop.abort(new Error('stopped'));
    await renewed;
    await clock.advance(daySeconds * 1000);
    expect(shown).toBe(old);
  });
});
