import { afterEach, describe, expect, it } from '@jest/globals';
import { RetryAfterError, TransportError, UnauthorizedError } from '../../../src/client/api-error.js';
import { Outage } from '../../../src/runtime/informer/outage.js';
import { settled, VirtualClock } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { bookmark } from '../scripted-cluster.js';

const away = new TransportError('connect ECONNREFUSED 10.0.0.1:443');

describe('informers of an API server that is away', () => {
  const clock = new VirtualClock();
  const outage = new Outage(clock);
  const running: ReturnType<typeof anInformer>[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });

  /** Two that have waited for so long that their pauses are the longest, which the second has just begun. */
  const inVain = async (error: Error = away) => {
    const [hasty, patient] = [0, 1].map((chance) => anInformer({ clock, outage, random: () => chance })) as [
      ReturnType<typeof anInformer>,
      ReturnType<typeof anInformer>,
    ];
    running.push(hasty, patient);
    for (const each of [hasty, patient]) each.cluster.refuse(...Array.from({ length: 20 }, () => error));
    await Promise.all([hasty.start(), patient.start()]);
    const asked = () => patient.cluster.asked.length;
    for (let before = asked(); asked() < 8; before = asked()) {
      while (asked() === before) await clock.advance(100);
    }
    return { hasty, patient, asked };
  };
  /** The first of the two is answered the next time that it asks. */
  const recovered = async ({ cluster }: ReturnType<typeof anInformer>) => {
    cluster.answerAll();
    while (cluster.streams.length === 0) await clock.advance(100);
    cluster.stream.send(bookmark('10', true));
    await settled();
  };

  it('ask as soon as it answers one of them', async () => {
    const { hasty, patient } = await inVain();
    patient.cluster.answerAll();
    await recovered(hasty);
    expect(patient.cluster.streams).toHaveLength(1);
  });

  it('ask as soon as it knows one of them again, as with a token that has expired and was replaced late', async () => {
    const { hasty, patient } = await inVain(new UnauthorizedError('401'));
    patient.cluster.answerAll();
    await recovered(hasty);
    expect(patient.cluster.streams).toHaveLength(1);
  });

  it.each([
    ['was not reached', away],
    ['did not know them', new UnauthorizedError('401')],
  ])('go on when it answers one of them, while nothing happens, where it %s', async (_, error) => {
    const [one, other] = [0, 1].map((chance) => anInformer({ clock, outage, random: () => chance })) as [
      ReturnType<typeof anInformer>,
      ReturnType<typeof anInformer>,
    ];
    running.push(one, other);
    for (const each of [one, other]) {
      await each.synced('10');
      each.cluster.refuse(...Array.from({ length: 20 }, () => error));
      each.cluster.stream.fail(error);
    }
    while (other.cluster.asked.length < 6) await clock.advance(100);
    for (const each of [one, other]) each.cluster.answerAll();
    const watches = () => [one, other].map(({ cluster }) => cluster.asked.includes('watch from 10'));
    while (!watches().includes(true)) await clock.advance(100);
    await settled();
    expect(watches()).toEqual([true, true]);
  });

  it('ask once each time that it answers another, and wait again where that was in vain', async () => {
    const { hasty, asked } = await inVain();
    const before = asked();
    await recovered(hasty);
    expect(asked()).toBe(before + 1);
    for (let round = 0; round < 3; round++) {
      hasty.cluster.stream.fail(away);
      await settled();
      await clock.advance(800);
      hasty.cluster.stream.send(bookmark('10'));
      await settled();
    }
    expect(asked()).toBe(before + 1);
  });

  it('wait for as long as it asks them to', async () => {
    const { hasty, asked } = await inVain(new RetryAfterError('429', 40));
    const [before, begun] = [asked(), clock.monotonic()];
    await recovered(hasty);
    expect(clock.monotonic() - begun).toBeLessThan(40_000);
    expect(asked()).toBe(before);
    await clock.advance(40_000 - (clock.monotonic() - begun));
    expect(asked()).toBe(before + 1);
  });
});

describe('a watch that fails for long', () => {
  it('is told of once in the same words, and so is that it does not any more', async () => {
    const { cluster, clock, lines, synced, stop } = anInformer();
    await synced('10');
    const before = lines.length;
    cluster.refuse(...Array.from({ length: 12 }, () => away));
    cluster.stream.fail(away);
    await clock.advance(300_000);
    const told = () => lines.slice(before).filter(({ level }) => level !== 'debug');
    expect(told()).toEqual([expect.objectContaining({ level: 'warn', msg: 'Failed to watch', error: away.message })]);
    cluster.stream.send(bookmark('11'));
    await settled();
    expect(told().slice(1)).toEqual([expect.objectContaining({ level: 'info', msg: 'Watching again' })]);
    await stop();
  });

  it('with another number each time is told of once a minute', async () => {
    const { cluster, clock, lines, synced, stop } = anInformer();
    await synced('10');
    const before = lines.length;
    cluster.refuse(...Array.from({ length: 20 }, (_, port) => new TransportError(`read ECONNRESET from port ${port}`)));
    cluster.stream.fail(new TransportError('read ECONNRESET from port 99'));
    await clock.advance(290_000);
    expect(lines.slice(before).filter(({ level }) => level === 'warn')).toHaveLength(5);
    await stop();
  });

  it('for another reason says so at once', async () => {
    const { cluster, clock, lines, synced, stop } = anInformer();
    await synced('10');
    const before = lines.length;
    cluster.refuse(new TransportError('unable to verify the first certificate'));
    cluster.stream.fail(away);
    await clock.advance(1000);
    expect(lines.slice(before).filter(({ level }) => level === 'warn')).toHaveLength(2);
    await stop();
  });
});
