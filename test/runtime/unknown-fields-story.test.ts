import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const names = { group: 'x.example.com', version: 'v1' } as const;
const title = s.string();
const Book = customResource({ ...names, kind: 'Book', spec: s.object({ title, pages: s.int32() }) });
/** The same after an upgrade that dropped a field. */
const BookWithoutPages = customResource({ ...names, kind: 'Book', spec: s.object({ title }) });
const Shelf = customResource({ ...names, kind: 'Shelf', spec: s.object({ title }) });

/** A Book and a ConfigMap, each with the title. */
const shelves = operator(Shelf, {
  owns: [Book, ConfigMap],
  compose(scope, { spec }) {
    new Book(scope, 'book', { spec: { title: spec.title, pages: 300 } });
    new ConfigMap(scope, 'map', { data: { title: spec.title } });
  },
});

describe('a child that is put back', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.apply(Book.crd() as Manifest);
    await cluster.run(shelves);
    await cluster.apply({
      apiVersion: Shelf.apiVersion,
      kind: Shelf.kind,
      metadata: { name: 'shelf' },
      spec: { title: 'Emma' },
    });
    await cluster.settled();
  });
  afterEach(() => cluster.stop());
  const ready = async () => conditionIn(await cluster.get(Shelf, 'shelf'));

  it('is as it was, also where its kind is a custom one', async () => {
    expect(await ready()).toMatchObject({ status: 'True' });
    await cluster.patch(ConfigMap, 'shelf-map', { data: { title: 'Persuasion' } });
    await cluster.patch(Book, 'shelf-book', { spec: { title: 'Persuasion' } });
    await cluster.settled();
    expect(await cluster.get(ConfigMap, 'shelf-map')).toMatchObject({ data: { title: 'Emma' } });
    expect(await cluster.get(Book, 'shelf-book')).toMatchObject({ spec: { title: 'Emma', pages: 300 } });
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  it('is not put back without a field that its definition has lost since: that is said', async () => {
    await cluster.apply(BookWithoutPages.crd() as Manifest);
    await cluster.patch(Book, 'shelf-book', { spec: { title: 'Persuasion' } });
    await cluster.settled();
    expect(await ready()).toMatchObject({ status: 'False', message: expect.stringContaining('spec.pages') });
  });
});
