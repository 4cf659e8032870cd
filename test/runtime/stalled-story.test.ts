import { afterEach, describe, expect, it } from '@jest/globals';
import type { Construct } from 'constructs';
import { ConfigMap, Event, Secret } from '../../imports/k8s.js';
import { operator } from '../../src/index.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { Shelf, shelves } from './shelves.js';

const shelf = (books: number, annotations = {}) => ({
  apiVersion: Shelf.apiVersion,
  kind: Shelf.kind,
  metadata: { name: 'shelf', annotations },
  spec: { books },
});

/** Two ConfigMaps. */
const patient = {
  owns: [ConfigMap],
  compose(scope: Construct) {
    for (const name of ['first', 'second']) new ConfigMap(scope, name);
  },
};

describe('a custom resource that waits until somebody changes something', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it('is told by an event and a line of the log, and so is that it does not any more; one that is well is not', async () => {
    cluster = await startCluster();
    const controller = await cluster.run(shelves);
    const events = async () =>
      ((await cluster.list(Event)) as unknown as { type: string; reason: string }[]).map(
        ({ type, reason }) => `${type} ${reason}`,
      );
    await cluster.apply(shelf(1));
    await cluster.settled();
    expect(await events()).toEqual([]);

    await cluster.apply(shelf(0));
    await cluster.settled();
    expect(await events()).toEqual(['Warning PruneSkipped']);
    const lines = () => controller.log.filter(({ level, message }) => level === 'warn' || message === 'Is well again');
    expect(lines().map(({ message, data }) => [message, data['reason']])).toEqual([
      ['Waits until somebody changes something', 'PruneSkipped'],
    ]);

    await cluster.apply(shelf(0, { 'x.example.com/allow-empty': 'true' }));
    await cluster.settled();
    expect(await events()).toEqual(['Warning PruneSkipped', 'Normal ReconciliationSucceeded']);
    expect(lines().map(({ message }) => message)).toEqual(['Waits until somebody changes something', 'Is well again']);
  });
});

describe('that all is well again', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  /** Of custom resources, their reasons. */
  const events = async () =>
    ((await cluster.list(Event)) as unknown as { reason: string; involvedObject: { kind: string } }[])
      .filter(({ involvedObject: { kind } }) => kind === 'Shelf' || kind === 'Memcached')
      .map(({ reason }) => reason);
  const wellAgain = ({ log }: TestController) => log.filter(({ message }) => message === 'Is well again').length;

  it.each([
    [
      'an error of its code',
      () => {
        throw new Error('no');
      },
    ],
    ['an error that may pass', (scope: Construct) => void new Secret(scope, 'key')],
  ])('is told by a process that was not there when %s was', async (_, compose) => {
    cluster = await startCluster();
    const before = await cluster.run(operator(Shelf, { owns: [ConfigMap, Secret], compose }));
    before.faults.refuse({ verb: 'create', kind: Secret }, { code: 403, times: 1_000_000 });
    await cluster.apply(shelf(1));
    await cluster.advance(120);
    const told = await events();
    expect(told).toHaveLength(1);
    await before.stop();

    const after = await cluster.run(shelves);
    await cluster.settled();
    expect([await events(), wellAgain(after)]).toEqual([[...told, 'ReconciliationSucceeded'], 1]);
    await after.stop();
    after.restart();
    await cluster.apply(shelf(2));
    await cluster.settled();
    expect([(await events()).length, wellAgain(after)]).toEqual([2, 1]);
  });

  it('is told by nobody where nothing was wrong, and a process only ended while a child was not ready yet', async () => {
    cluster = await startCluster({ controllers: { pods: { readyAfterSeconds: 60 } } });
    const controller = await cluster.run(memcached);
    await cluster.apply({
      apiVersion: Memcached.apiVersion,
      kind: 'Memcached',
      metadata: { name: 'a' },
      spec: { size: 1 },
    });
    const ready = async () => conditionIn(await cluster.get(Memcached, 'a'))?.status;
    await cluster.advance(20);
    expect(await ready()).toBe('False');
    controller.restart();
    await cluster.settled();
    expect([await ready(), await events(), wellAgain(controller)]).toEqual(['True', [], 0]);
  });
});

describe('a custom resource of which two names are taken', () => {
  it('says which, as soon as one of them is free, however long it waits for something else', async () => {
    const cluster = await startCluster();
    await cluster.run(operator(Shelf, { ...patient, requeueAfterSeconds: 86_400 }));
    const taken = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    for (const name of ['shelf-first', 'shelf-second']) await cluster.apply(taken(name));
    await cluster.apply(shelf(2));
    await cluster.advance(5);
    const told = async () => conditionIn(await cluster.get(Shelf, 'shelf'))?.message;
    expect(await told()).toContain('shelf-first');
    await cluster.delete(ConfigMap, 'shelf-first');
    await cluster.advance(5);
    expect(await told()).toContain('shelf-second');
    await cluster.stop();
  });
});
