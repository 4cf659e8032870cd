import { systemClock } from '../../src/kube/clock.js';
import type { InformerCase, Scale } from './cases.js';
import { hurriedClock } from './hurried-clock.js';
import type { InformerUnderTest } from './informer-under-test.js';
import { type Ground, Stage } from './stage.js';
import { WaitedClock } from './waited-clock.js';

export interface PlayOptions {
  readonly ground: Ground;
  readonly namespace: string;
  readonly underTest: InformerUnderTest;
  readonly scale: Scale;
  /** Whether minutes may be seconds, for an informer that takes its time from outside. */
  readonly mayHurry: boolean;
  /** How long until it has to show what is there. */
  readonly seconds: number;
}

/** How an informer took a fault. */
export interface Played {
  /** From when all had happened until it showed what was there; absent where it never did. */
  readonly recoveredAfterMilliseconds?: number;
  /** For how long of that it waited of its own accord, by its own clock, however slow the machine is. */
  readonly waitedMilliseconds?: number;
  /** What it did that no informer may do, and why it did not recover. */
  readonly wrongs: readonly string[];
}

export async function playCase(
  { play, hurry }: InformerCase,
  { ground, namespace, underTest, scale, mayHurry, seconds }: PlayOptions,
): Promise<Played> {
  const stage = await Stage.open(ground, namespace, underTest);
  const clock = new WaitedClock(hurry !== undefined && mayHurry ? hurriedClock(hurry) : systemClock);
  stage.clock = clock;
  try {
    await play(stage, scale);
    clock.waited = 0;
    const happenedAt = systemClock.monotonic();
    await stage.inSync(seconds);
    const recoveredAfterMilliseconds = systemClock.monotonic() - happenedAt;
    const waitedMilliseconds = clock.waited;
    // What comes after has to arrive, too.
    await stage.create('after');
    await stage.inSync(seconds);
    await stage.heardAll(seconds);
    return { recoveredAfterMilliseconds, waitedMilliseconds, wrongs: stage.wrongs };
  } catch (error) {
    return { wrongs: [...stage.wrongs, (error as Error).message] };
  } finally {
    await stage.close();
  }
}
