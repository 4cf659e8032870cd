import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';

describe('while calls take long', () => {
  const Book = customResource({
    group: 'web.example.com',
    version: 'v1',
    kind: 'Book',
    spec: s.object({ chapters: s.array(s.string()) }),
  });
  const book = operator(Book, {
    owns: [ConfigMap],
    compose(scope, { spec }) {
      for (const name of spec.chapters) new ConfigMap(scope, name, { metadata: { name }, data: { name } });
    },
  });
  const withChapters = (...chapters: readonly string[]) => ({
    apiVersion: Book.apiVersion,
    kind: Book.kind,
    metadata: { name: 'novel' },
    spec: { chapters },
  });

  it('no child is pruned that is wanted again by what the watch has told since the round began', async () => {
    const cluster = await startCluster();
    const { faults } = await cluster.run(book);
    await cluster.apply(withChapters('one', 'two', 'three'));
    await cluster.settled();
    const uids = async () =>
      Promise.all(['one', 'two', 'three'].map(async (name) => (await cluster.get(ConfigMap, name)).metadata.uid));
    const before = await uids();

    faults.slowDown(({ verb }) => (verb === 'delete' ? 2000 : 0));
    await cluster.apply(withChapters('one'));
    await cluster.advance(1);
    await cluster.apply(withChapters('one', 'two', 'three'));
    await cluster.advance(60);
    const after = await uids();
    expect(after.filter((uid) => before.includes(uid))).toHaveLength(2);
    await cluster.stop();
  });
});
