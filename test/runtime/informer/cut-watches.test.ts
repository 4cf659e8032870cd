import { describe, expect, it } from '@jest/globals';
import { TransportError } from '../../../src/client/api-error.js';
import { WatchTime } from '../../../src/runtime/informer/watch-time.js';
import { healthOf } from '../../../src/runtime/process/probes.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { bookmark, modified, type Stream } from '../scripted-cluster.js';

interface Path {
  /** What is between cuts a stream on which nothing came for so long. */
  readonly idleSeconds: number;
  readonly cut: (stream: Stream) => void;
  /** As API servers do: after a minute, and two seconds before the end of a watch. Default: true. */
  readonly sendsBookmarks?: boolean;
}

const byAReset = (stream: Stream) => stream.fail(new TransportError('the connection was reset'));
const byAnEnd = (stream: Stream) => stream.end();

/** A kind that nobody changes, watched for some minutes through what cuts idle streams. */
async function watchThrough({ idleSeconds, cut, sendsBookmarks = true }: Path, minutes: number) {
  const one = anInformer({ random: () => 0.5 });
  const { clock, cluster, informer, synced } = one;
  await synced('10', configMap('a', 5));
  const failed = new Set<string>();
  let version = 10;
  let watched = 0;
  let stream: Stream | undefined;
  let [age, idle] = [0, 0];
  for (let second = 0; second < minutes * 60; second++) {
    if (stream !== cluster.stream) [stream, age, idle] = [cluster.stream, 0, 0];
    await clock.advance(1000);
    if (stream === cluster.stream && stream.isOpen) {
      [age, idle, watched] = [age + 1, idle + 1, watched + 1];
      const { timeoutSeconds = 0 } = stream.options;
      if (sendsBookmarks && (age % 60 === 0 || age === timeoutSeconds - 2)) {
        stream.send(bookmark(String(++version)));
        idle = 0;
      }
      if (age >= timeoutSeconds) stream.end();
      else if (idle >= idleSeconds) cut(stream);
      await settled();
    }
    for (const probe of ['/readyz', '/healthz']) {
      const { code } = healthOf(probe, { informers: () => [informer], loop: { worstMilliseconds: 0 } });
      if (code !== 200) failed.add(probe);
    }
  }
  return { ...one, failed: [...failed], watched: watched / (minutes * 60) };
}

describe('watches of a quiet kind, which are cut while they are idle', () => {
  it.each([
    ['35 s, by a reset', { idleSeconds: 35, cut: byAReset }],
    ['35 s, by an end', { idleSeconds: 35, cut: byAnEnd }],
    ['20 s, by a reset', { idleSeconds: 20, cut: byAReset }],
    ['20 s, by an end', { idleSeconds: 20, cut: byAnEnd }],
    ['55 s, by a reset', { idleSeconds: 55, cut: byAReset }],
  ])('after %s: are made short enough for a bookmark, fail no probe, and miss next to nothing', async (_, path) => {
    const { cluster, failed, watched, heard, stop } = await watchThrough(path, 30);
    expect(failed).toEqual([]);
    expect(watched).toBeGreaterThan(0.98);
    cluster.stream.send(modified(configMap('a', 1_000_000)));
    await settled();
    expect(heard).toEqual(['updated a@1000000']);
    await stop();
  });

  it.each([
    ['a reset', byAReset],
    ['an end', byAnEnd],
  ])('by %s, and of which nothing is ever heard: fail both probes', async (_, cut) => {
    const { failed, stop } = await watchThrough({ idleSeconds: 35, cut, sendsBookmarks: false }, 6);
    expect(failed).toEqual(['/readyz', '/healthz']);
    await stop();
  });

  it('are made long again, once nothing cuts them', () => {
    const time = new WatchTime(() => 0.5);
    expect(time.next()).toBe(450);
    time.cut(35_000);
    expect(time.next()).toBeLessThan(20);
    for (let watches = 0; watches < 200; watches++) time.ended({ isQuiet: false });
    expect(time.next()).toBe(450);
  });

  it('are made long again at once by a server that says nothing before their end', () => {
    const time = new WatchTime(() => 0.5);
    time.cut(35_000);
    for (let watches = 0; watches < 5; watches++) time.ended({ isQuiet: true });
    expect(time.next()).toBe(450);
  });
});
