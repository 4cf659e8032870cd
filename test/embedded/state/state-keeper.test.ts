import { describe, expect, it } from '@jest/globals';
import { ObjectStore } from '../../../src/embedded/object-store.js';
import { newIdentity } from '../../../src/embedded/state/cluster-state.js';
import { StateKeeper, type StateStorage } from '../../../src/embedded/state/state-keeper.js';
import { stateOf } from '../../../src/embedded/state/state-text.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

const identity = newIdentity(0);
const configMap = (name: string, value = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: name, resourceVersion: '', creationTimestamp: '' },
  data: { value },
});

/** Keeps the last text, and lets a test decide when a write ends and how. */
class Shelf implements StateStorage {
  text = '';
  writes = 0;
  overlaps = 0;
  failing = 0;
  hold: Promise<void> = Promise.resolve();
  #open = 0;

  async write(text: string): Promise<void> {
    this.overlaps = Math.max(this.overlaps, this.#open++);
    this.writes++;
    await this.hold;
    this.#open--;
    if (this.failing-- > 0) throw new Error('the disk is full');
    this.text = text;
  }

  get names(): string[] {
    return [...stateOf(this.text, 'shelf').objects].map(([, { metadata }]) => metadata.name);
  }
}

function kept() {
  const [clock, store, shelf] = [new VirtualClock(), new ObjectStore(), new Shelf()];
  const errors: unknown[] = [];
  const report = (error: unknown) => errors.push(error);
  const keeper = new StateKeeper({ store, identity, storage: shelf, clock, report });
  return { clock, store, shelf, keeper, errors };
}

describe('a kept state', () => {
  it('is saved before anything changes, so that a new cluster is there after a crash', async () => {
    const { clock, shelf } = kept();
    await clock.advance(0);
    expect(shelf.names).toEqual([]);
  });

  it('is saved soon after a change, and once for changes that come together', async () => {
    const { clock, store, shelf } = kept();
    await clock.advance(0);

    for (const name of ['b', 'a', 'c']) store.put('configmaps', configMap(name));
    await clock.advance(1000);

    expect(shelf.names).toEqual(['a', 'b', 'c']);
    expect(shelf.writes).toBe(2);
    await clock.advance(60_000);
    expect(shelf.writes).toBe(2);
    expect(clock.timers).toBe(0);
  });

  it('is saved while changes never cease', async () => {
    const { clock, store, shelf } = kept();
    for (let round = 0; round < 50; round++) {
      store.put('configmaps', configMap(`n${round}`));
      await clock.advance(100);
    }
    expect(shelf.names.length).toBeGreaterThan(40);
    expect(shelf.writes).toBeLessThan(15);
  });

  it('has what changed during a save in the next one, which waits for its end', async () => {
    const { clock, store, shelf } = kept();
    let release = () => {};
    shelf.hold = new Promise((resolve) => {
      release = resolve;
    });
    await clock.advance(0);
    store.put('configmaps', configMap('late'));
    await clock.advance(5000);
    expect(shelf.writes).toBe(1);

    release();
    await clock.advance(60_000);

    expect(shelf.names).toEqual(['late']);
    expect(shelf.overlaps).toBe(0);
  });

  it('is saved more seldom the longer that takes', async () => {
    const { clock, store, shelf } = kept();
    const slow = () => new Promise<void>((resolve) => void clock.after(2000, resolve));
    Object.defineProperty(shelf, 'hold', { get: slow });
    for (let second = 0; second < 120; second++) {
      store.put('configmaps', configMap('busy', String(second)));
      await clock.advance(1000);
    }
    expect(shelf.writes).toBeLessThan(8);
  });

  it('survives a save that fails, says so, and is saved later', async () => {
    const { clock, store, shelf, errors } = kept();
    shelf.failing = 2;
    store.put('configmaps', configMap('a'));
    await clock.advance(60_000);
    expect(errors).toEqual([new Error('the disk is full'), new Error('the disk is full')]);
    expect(shelf.names).toEqual(['a']);
  });

  it('is whole when it is stopped, also in the middle of a save', async () => {
    const { clock, store, shelf, keeper } = kept();
    let release = () => {};
    shelf.hold = new Promise((resolve) => {
      release = resolve;
    });
    await clock.advance(0);
    store.put('configmaps', configMap('last'));

    const stopped = keeper.stop();
    release();
    await stopped;

    expect(shelf.names).toEqual(['last']);
    expect(stateOf(shelf.text, 'shelf')).toMatchObject({ isEnd: true, revision: store.revision });
    expect(shelf.overlaps).toBe(0);
    expect(clock.timers).toBe(0);
  });

  it('says when its last save fails', async () => {
    const { clock, shelf, keeper } = kept();
    await clock.advance(0);
    shelf.failing = 1;
    await expect(keeper.stop()).rejects.toThrow('the disk is full');
  });
});
