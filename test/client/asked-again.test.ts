import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { TransportError } from '../../src/client/api-error.js';
import { connect } from '../../src/client/http-cluster.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { eventually } from '../cluster/eventually.js';
import { object } from './scripted-cluster.js';
import { type Answer, hangUp, json, ScriptedServer, status, text, tooMany } from './scripted-server.js';

const usualMilliseconds = 30_000;
const almostOne = 1 - Number.EPSILON;

describe('a read is asked again', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.stop());

  /** How long it is waited for each next try, where the last is `random`, and what the call ends with. */
  const waits = async (random: number, ...answers: readonly Answer[]) => {
    const clock = new VirtualClock();
    const cluster = connect(server.config, { clock, random: () => random });
    server.answers(...answers);
    let outcome: unknown;
    const reading = cluster.get(ConfigMap, { name: 'a', namespace: 'default' }).then(
      ({ metadata }) => {
        outcome = metadata.name;
      },
      (error: unknown) => {
        outcome = error;
      },
    );
    const waited: number[] = [];
    for (let tries = 1; tries <= answers.length; tries++) {
      // Beside the deadline of the call.
      await eventually(() => expect(outcome !== undefined || clock.timers === 2).toBe(true));
      if (outcome !== undefined) break;
      const next = clock.next ?? usualMilliseconds;
      waited.push(next);
      await clock.advance(next);
    }
    await reading;
    await cluster.close();
    return { waited, outcome, tries: server.requests.length };
  };

  it.each([
    ['without luck', 0, 3000],
    ['with much of it', almostOne, 3750],
  ])('no sooner than the server asked for, %s', async (_, random, milliseconds) => {
    const answers = [status(429, { details: { retryAfterSeconds: 3 } }), status(503, {}, { 'retry-after': '3' })];
    expect(await waits(random, ...answers, json(object('a')))).toEqual({
      waited: [milliseconds, milliseconds],
      outcome: 'a',
      tries: 3,
    });
  });

  it.each([
    ['that a filter before the API asks for in a header', tooMany],
    ['where it is not said how long to wait', text(429, 'slow down')],
  ])('after a second %s', async (_, answer) => {
    const { waited } = await waits(0, answer, json(object('a')));
    expect(waited).toEqual([1000]);
  });

  it.each([
    ['without luck', 0, [100, 200, 400, 800, 1600]],
    ['with much of it', almostOne, [125, 250, 500, 1000, 2000]],
  ])(
    'after twice as long each time where connections break, and is given up at the sixth, %s',
    async (_, random, times) => {
      const { waited, outcome, tries } = await waits(random, ...Array.from({ length: 7 }, () => hangUp));
      expect([waited, tries]).toEqual([times, 6]);
      expect(outcome).toBeInstanceOf(TransportError);
    },
  );
});
