import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConflictError, InvalidError } from '../../../src/client/api-error.js';
import { RefusedStatuses } from '../../../src/runtime/status/refused-statuses.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap } from '../an-object.js';

describe('a status that was refused for good', () => {
  const cr = configMap('a', 1);
  let clock: VirtualClock;
  let statuses: RefusedStatuses;
  /** How often the API server was asked to take each. */
  let asked: Record<string, number>;
  let refusal: Error | undefined;
  const say = (phase: string) => {
    const { apiVersion, kind, metadata } = cr;
    const status = { apiVersion, kind, metadata: { name: metadata.name }, status: { phase, conditions: [] } };
    return statuses
      .unlessVain('prod/a', cr, status, async () => {
        asked[phase] = (asked[phase] ?? 0) + 1;
        if (refusal) throw refusal;
        return 'taken';
      })
      .catch(({ message }: Error) => message);
  };
  beforeEach(() => {
    clock = new VirtualClock();
    statuses = new RefusedStatuses(clock);
    asked = {};
    refusal = new InvalidError('no such phase');
  });

  it('is not said again for a time that grows, and fails all the while by the words of the API server', async () => {
    for (const wait of [5000, 10_000, 20_000]) {
      await say('Odd');
      await clock.advance(wait - 1);
      const before = asked.Odd;
      expect(await say('Odd')).toBe('no such phase');
      expect(asked.Odd).toBe(before);
      await clock.advance(1);
    }
    await say('Odd');
    expect(asked).toEqual({ Odd: 4 });
  });

  it('is not said again either where several are refused in turns', async () => {
    for (const phase of ['Odd', 'Even', 'Odd', 'Even']) expect(await say(phase)).toBe('no such phase');
    expect(asked).toEqual({ Odd: 1, Even: 1 });
    await clock.advance(5000);
    await say('Odd');
    await clock.advance(5000);
    await say('Odd');
    await say('Even');
    expect(asked).toEqual({ Odd: 2, Even: 2 });
  });

  it('leaves its waits behind when it is taken', async () => {
    await say('Odd');
    await clock.advance(5000);
    refusal = undefined;
    expect(await say('Odd')).toBe('taken');
    refusal = new InvalidError('no such phase');
    await say('Odd');
    await clock.advance(5000);
    await say('Odd');
    expect(asked).toEqual({ Odd: 4 });
  });

  it('is said again at once where it was refused for a moment only', async () => {
    refusal = new ConflictError('it has moved on');
    expect(await say('Odd')).toBe('it has moved on');
    refusal = undefined;
    expect(await say('Odd')).toBe('taken');
  });
});
