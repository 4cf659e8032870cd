// Longer than most files: one story of a kind of two versions and a proxy, with what its webhook may do wrong.
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition, Secret } from '../../../imports/k8s.js';
import type { ClusterConfig } from '../../../src/client/cluster-config.js';
import { customResource, operator, s } from '../../../src/index.js';
import { ConversionWebhook, type Manner } from '../../cluster/conversion-webhook.js';
import { eventually } from '../../cluster/eventually.js';
import { FaultProxy } from '../../cluster/fault-proxy.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { refusal } from '../../cluster/proxy-rules.js';
import { type Account, Stage } from '../../cluster/stage.js';

const Shelf = customResource({
  group: 'shelves.example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ books: s.array(s.string(), { default: ['a', 'b'] }), note: s.string({ default: 'first' }) }),
});
/** A kind that is stored as v1, and dealt with as v2. */
const bookOf = (version: string) =>
  customResource({
    group: 'shelves.example.com',
    version,
    kind: 'Book',
    spec: s.object({ note: s.string({ optional: true }) }),
  });
const Book = bookOf('v2');
const Stored = bookOf('v1');
const bookDefinition = () => {
  const definition = Book.crd() as ReturnType<typeof Book.crd> & { spec: { versions: readonly object[] } };
  const [version] = definition.spec.versions;
  const versions = [
    { ...version, name: 'v1', storage: true },
    { ...version, name: 'v2', storage: false },
  ];
  return { ...definition, spec: { ...definition.spec, versions } };
};

/** As a merge patch, which takes away what a webhook needs. */
const none = { strategy: 'None', webhook: null };

const shelfOf = (Kind: typeof Book) =>
  operator(Shelf, {
    owns: [Kind, ConfigMap, Secret],
    compose(scope, { spec }) {
      for (const book of spec.books) {
        new Kind(scope, `book-${book}`, { spec: { note: spec.note } });
        new ConfigMap(scope, `map-${book}`, { data: { note: spec.note } });
        new Secret(scope, `secret-${book}`, { stringData: { note: spec.note } });
      }
    },
  });
const shelf = shelfOf(Book);

/** Its controller asks through a proxy that can be told what goes wrong. */
class ProxiedStage extends Stage {
  #proxy: FaultProxy | undefined;

  get proxy(): FaultProxy {
    if (!this.#proxy) throw new Error('the stage is not open yet: use it inside a test');
    return this.#proxy;
  }

  protected override async connection({ namespace, name }: Account): Promise<ClusterConfig> {
    this.#proxy = await FaultProxy.start(this.plane());
    return this.#proxy.config(await this.plane().serviceAccountToken(namespace, name));
  }
}

onRealCluster('a kind that cannot be read', { audit: true }, (plane) => {
  const stage = new ProxiedStage(plane, [Shelf.crd(), bookDefinition()]);
  let webhook: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.start();
  });
  afterEach(async () => {
    webhook.recover();
    await stage.stop();
  });
  afterAll(async () => {
    await stage.proxy.close();
    await webhook.close();
  });

  const definition = { name: Book.crd().metadata.name };
  const convert = (conversion: object) =>
    stage.change(CustomResourceDefinition, definition.name, { spec: { conversion } });
  /** What is stored, whatever can be made of it. */
  const books = async (namespace: string) => {
    const { items } = await stage.admin.list(Stored, { namespace });
    return items.map(
      ({ metadata, ...book }) => `${metadata.name} ${(book as { spec?: { note?: string } }).spec?.note}`,
    );
  };
  const names = async (kind: typeof ConfigMap | typeof Secret, namespace: string) => {
    const { items } = await stage.admin.list(kind, { namespace });
    return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('shelf-'));
  };
  const begin = async (namespace: string) => {
    await stage.namespace(namespace);
    await stage.start([shelf]);
    await stage.wish(Shelf, { namespace, name: 'shelf' }, {});
    await stage.settled(Shelf, { namespace, name: 'shelf' });
    await stage.quiet();
  };
  const whole = ['a', 'b'];

  it.each<[Manner, string]>([
    ['down', 'conversion webhook for shelves.example.com/v'],
    ['silent', ''],
  ])(
    'D-27: while its conversion webhook is %s, nothing is taken for gone, and all is done when it answers again',
    async (manner, message) => {
      const namespace = `books-${manner}`;
      await convert(webhook.conversion);
      await begin(namespace);
      const uids = async () =>
        (await stage.admin.list(Stored, { namespace })).items.map(({ metadata }) => metadata.uid);
      const before = await uids();
      webhook.manner = manner;
      // Of a definition that changes, the server ends all watches, and what is listed anew has to be converted.
      await convert({
        ...webhook.conversion,
        webhook: { ...Object(webhook.conversion).webhook, conversionReviewVersions: ['v1', 'v1beta1'] },
      });
      const target = { namespace, name: 'shelf' };
      await stage.wish(Shelf, target, { books: ['b', 'c'], note: 'second' });
      if (message !== '') {
        await eventually(async () => {
          const ready = await stage.condition(Shelf, target);
          expect(ready).toMatchObject({ status: 'False', reason: 'ApplyFailed' });
          expect(ready?.message).toContain(message);
        }, 30);
        // Nor by one that knows nothing of before, and whose list fails.
        await stage.stop();
        const lines = stage.lines.length;
        void stage.start([shelf]);
        await eventually(() => {
          const said = stage.lines.slice(lines).filter(({ level }) => level === 'warn');
          expect(said.map((line) => line['resource'])).toContain('books.shelves.example.com');
        }, 60);
      } else {
        await eventually(() => expect(webhook.waiting).toBeGreaterThan(0), 60);
      }
      expect(await uids()).toEqual(before);
      expect(await books(namespace)).toEqual(whole.map((book) => `shelf-book-${book} first`));
      expect(await names(Secret, namespace)).toContain('shelf-secret-a');
      webhook.recover();
      await eventually(
        async () => expect(await books(namespace)).toEqual(['shelf-book-b second', 'shelf-book-c second']),
        60,
      );
      await eventually(async () =>
        expect(await names(Secret, namespace)).toEqual(['shelf-secret-b', 'shelf-secret-c']),
      );
    },
    180_000,
  );

  it('D-27: what a lossy conversion webhook drops is not written in a loop', async () => {
    await convert(webhook.conversion);
    webhook.manner = 'lossy';
    await begin('books-lossy');
    const writes = await stage.writesDuring(() => stage.quiet());
    expect(writes).toEqual([]);
    const again = await stage.writesDuring(async () => {
      await stage.stop();
      await stage.start([shelf]);
      await stage.quiet();
    });
    expect(again.filter(({ objectRef }) => objectRef?.resource === 'books').length).toBeLessThanOrEqual(2);
    await convert(none);
  });

  it('D-26: that is stored in another version, and dealt with in another one, is written to once at most', async () => {
    const { spec } = bookDefinition();
    const storedAs = (name: string) =>
      spec.versions.map((version) => ({ ...version, storage: (version as { name: string }).name === name }));
    const target = { namespace: 'versions', name: 'shelf' };
    const writesOfBooks = async (during: () => Promise<unknown>) => {
      const writes = await stage.writesDuring(async () => {
        await during();
        await stage.quiet();
      });
      return writes.filter(({ objectRef }) => objectRef?.resource === 'books' && objectRef.namespace === 'versions')
        .length;
    };
    const versionsOf = async (manager: string) => {
      const { items } = await stage.admin.list(Book, { namespace: 'versions' });
      const entries = items.flatMap(({ metadata }) => metadata.managedFields ?? []);
      return [...new Set(entries.filter((entry) => entry.manager === manager).map(({ apiVersion }) => apiVersion))];
    };
    await convert(none);
    await stage.namespace('versions');
    await stage.start([shelfOf(Stored)]);
    await stage.wish(Shelf, target, {});
    await stage.settled(Shelf, target);
    await stage.quiet();
    expect(await versionsOf('shelf')).toEqual([Stored.apiVersion]);

    const ofTheMigration = await writesOfBooks(async () => {
      await stage.change(CustomResourceDefinition, definition.name, { spec: { versions: storedAs('v2') } });
      for (const book of whole) await stage.change(Stored, { namespace: 'versions', name: `shelf-book-${book}` }, {});
    });
    expect(ofTheMigration).toBe(0);
    await stage.stop();
    // What the POST left is folded, and then it is applied in the new version.
    expect(await writesOfBooks(() => stage.start([shelf]))).toBeLessThanOrEqual(2 * whole.length);
    expect(await versionsOf('shelf')).toEqual([Book.apiVersion]);
    await stage.stop();
    expect(await writesOfBooks(() => stage.start([shelf]))).toBe(0);
    await stage.change(Stored, { namespace: 'versions', name: 'shelf-book-a' }, { spec: { note: 'theirs' } });
    await eventually(async () =>
      expect(await books('versions')).toEqual(whole.map((book) => `shelf-book-${book} first`)),
    );
    await stage.change(CustomResourceDefinition, definition.name, { spec: { versions: storedAs('v1') } });
  });

  it('D-28: when its list fails at the start, no child of any kind is pruned until it is there', async () => {
    await convert(none);
    await begin('start');
    await stage.stop();
    await stage.wish(Shelf, { namespace: 'start', name: 'shelf' }, { books: ['b'] });
    const rule = stage.proxy.on(
      { method: 'GET', path: '/secrets', times: Number.POSITIVE_INFINITY },
      refusal(500, 'InternalError'),
    );
    const started = stage.start([shelf]);
    await eventually(() => expect(rule.hits).toBeGreaterThanOrEqual(3), 30);
    expect(await names(ConfigMap, 'start')).toEqual(['shelf-map-a', 'shelf-map-b']);
    expect(await names(Secret, 'start')).toEqual(['shelf-secret-a', 'shelf-secret-b']);
    rule.remove();
    await started;
    await eventually(async () => expect(await names(ConfigMap, 'start')).toEqual(['shelf-map-b']));
    await eventually(async () => expect(await names(Secret, 'start')).toEqual(['shelf-secret-b']));
  });

  it('D-28: when it cannot be listed anew, what was seen of it is neither forgotten nor made again', async () => {
    await begin('later');
    const uids = async () =>
      (await stage.admin.list(Secret, { namespace: 'later' })).items.map(({ metadata }) => metadata.uid);
    const before = await uids();
    const rule = stage.proxy.on(
      { method: 'GET', path: '/secrets', times: Number.POSITIVE_INFINITY },
      refusal(410, 'Expired'),
    );
    stage.proxy.end({ path: '/secrets', watch: true }, 'reset');
    await eventually(() => expect(rule.hits).toBeGreaterThanOrEqual(3), 30);
    await stage.wish(Shelf, { namespace: 'later', name: 'shelf' }, {}, { 'example.com/note': 'look again' });
    await stage.quiet();
    expect(await uids()).toEqual(before);
    expect(await stage.condition(Shelf, { namespace: 'later', name: 'shelf' })).toMatchObject({ status: 'True' });
    rule.remove();
    await stage.admin.delete(Secret, { namespace: 'later', name: 'shelf-secret-a' });
    await eventually(
      async () => expect(await names(Secret, 'later')).toEqual(['shelf-secret-a', 'shelf-secret-b']),
      60,
    );
  });
});
