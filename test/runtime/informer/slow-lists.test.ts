import { expect, it } from '@jest/globals';
import { InvalidError, TransportError } from '../../../src/client/api-error.js';
import type { Cluster, ListOptions, ObjectList } from '../../../src/client/cluster.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { sleep } from '../../../src/kube/clock.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';

const objects = Array.from({ length: 1200 }, (_, index) => configMap(`c${index}`, index + 1));
const callSeconds = 30;
/** A server takes no longer for one. */
const answerSeconds = 60;

/** A server that streams no lists, behind a link that takes so long for each object. */
class SlowLink implements Pick<Cluster, 'list' | 'watch'> {
  /** How many objects each page was of that was sent to its end. */
  readonly pages: number[] = [];
  /** Seconds. */
  perObject = 0;
  /** How new the server is. */
  version = '2000';
  /** As new is every page of a list. */
  #listed = '';
  isHung = false;
  /** It brings a part of each answer at once, as one of little bandwidth does: such a call is not given up so soon. */
  isFlowing = false;

  constructor(private readonly clock: VirtualClock) {}

  async list(
    _: ApiResource,
    { limit = objects.length, continue: from = '0', fieldSelector }: ListOptions = {},
  ): Promise<ObjectList> {
    if (fieldSelector !== undefined) return { items: [], resourceVersion: this.version };
    if (from === '0') this.#listed = this.version;
    const end = Number(from) + limit;
    const items = objects.slice(Number(from), end);
    const seconds = this.isHung ? Number.POSITIVE_INFINITY : items.length * this.perObject;
    const isLate = seconds > (this.isFlowing ? answerSeconds : callSeconds);
    // The server that has ended an answer is asked a second time.
    const most = this.isFlowing ? 2 * answerSeconds : callSeconds;
    await sleep(this.clock, (isLate ? most : seconds) * 1000);
    if (isLate) throw new TransportError(`no whole answer within ${most} s`);
    this.pages.push(items.length);
    return { items, resourceVersion: this.#listed, ...(end < objects.length ? { continue: String(end) } : {}) };
  }

  async *watch(...[, { sendInitialEvents, signal }]: Parameters<Cluster['watch']>): ReturnType<Cluster['watch']> {
    if (sendInitialEvents) throw new InvalidError('no streams');
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
  }
}

function behindASlowLink() {
  const clock = new VirtualClock();
  const link = new SlowLink(clock);
  return { link, ...anInformer({ clock, cluster: link as unknown as Cluster }), clock };
}

it('lists in smaller pages where one takes longer than a call may, and goes on from where it was', async () => {
  const { link, clock, informer, start, stop } = behindASlowLink();
  link.perObject = 0.08;
  await start();
  await clock.advance(150_000);
  expect([informer.isSynced, informer.store.size]).toEqual([true, objects.length]);
  expect(Math.max(...link.pages)).toBe(125);
  await stop();
});

it('watches no server that was restored from a backup while it was listed', async () => {
  const { link, clock, informer, start, stop } = behindASlowLink();
  link.perObject = 0.02;
  await start();
  // The last page is on its way.
  await clock.advance(20_000);
  link.version = '1500';
  await clock.advance(30_000);
  expect([informer.isSynced, informer.version]).toEqual([true, '1500']);
  await stop();
});

it('has a page that is small enough before it is taken for deaf, where each try takes minutes', async () => {
  const { link, clock, informer, start, stop } = behindASlowLink();
  link.isFlowing = true;
  link.perObject = 0.5;
  await start();
  for (let minute = 0; minute < 15; minute++) {
    await clock.advance(60_000);
    expect(informer.silentMilliseconds).toBeLessThan(5 * 60_000);
  }
  expect([informer.isSynced, informer.store.size]).toEqual([true, objects.length]);
  await stop();
});

it('lists in large pages again when they come soon', async () => {
  const { link, clock, informer, start, stop } = behindASlowLink();
  link.isHung = true;
  await start();
  await clock.advance(10 * 60_000);
  expect(informer.isSynced).toBe(false);
  link.isHung = false;
  await clock.advance(2 * 60_000);
  expect([informer.isSynced, informer.store.size]).toEqual([true, objects.length]);
  expect(link.pages.length).toBeLessThan(12);
  await stop();
});
