import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Event } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Shelf = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ books: s.int32() }),
});
const shelves = operator(Shelf, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    for (let index = 0; index < spec.books; index++) new ConfigMap(scope, `book-${index}`);
  },
});
const shelf = (books: number, annotations = {}) => ({
  apiVersion: Shelf.apiVersion,
  kind: Shelf.kind,
  metadata: { name: 'shelf', annotations },
  spec: { books },
});

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
