import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Construct } from 'constructs';
import { ConfigMap, Event, EventsEvent, Secret } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { runOn } from './a-run.js';
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
    const ready = async () =>
      (await cluster.get(Memcached, 'a')).status?.conditions?.find(({ type }) => type === 'Ready')?.status;
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
    const told = async () =>
      (await cluster.get(Shelf, 'shelf')).status?.conditions?.find(({ type }) => type === 'Ready')?.message;
    expect(await told()).toContain('shelf-first');
    await cluster.delete(ConfigMap, 'shelf-first');
    await cluster.advance(5);
    expect(await told()).toContain('shelf-second');
    await cluster.stop();
  });
});

describe('a custom resource whose status its own schema refuses', () => {
  const Label = customResource({
    group: 'x.example.com',
    version: 'v1',
    kind: 'Label',
    spec: s.object({ text: s.string() }),
    status: s.object({ text: s.string({ maxLength: 5 }) }),
  });
  const labels = operator(Label, {
    owns: [ConfigMap],
    compose(scope, { spec }) {
      new ConfigMap(scope, 'print', { data: { text: spec.text } });
    },
    status: (_, __, { spec }) => ({ text: spec.text }),
  });
  const label = (text: string) => ({
    apiVersion: Label.apiVersion,
    kind: Label.kind,
    metadata: { name: 'a' },
    spec: { text },
  });

  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(labels);
  });
  afterEach(() => cluster.stop());

  const status = async () => (await cluster.get(Label, 'a')).status;
  const condition = async (type: string) => (await status())?.conditions?.find((each) => each.type === type);
  const events = async () => (await cluster.list(EventsEvent)).map(({ reason }) => reason);
  const tooLong = expect.stringContaining('status.text: Too long: may not be more than 5 bytes') as unknown;

  it('is told so in the words of the API server, once', async () => {
    await cluster.apply(label('too long'));
    await cluster.advance(60);
    expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'RenderFailed', message: tooLong });
    expect(await condition('Stalled')).toMatchObject({ status: 'True', reason: 'RenderFailed', message: tooLong });
    expect(await status()).toMatchObject({ observedGeneration: 1 });
    expect(await events()).toEqual(['RenderFailed']);
    expect(controller.log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('is told to install the definition that goes with its controller, where an older one is installed', async () => {
    const { spec, ...rest } = Label.crd() as unknown as { readonly spec: { readonly versions: readonly object[] } };
    const older = JSON.parse(JSON.stringify(spec.versions)) as {
      schema: { openAPIV3Schema: { properties: { status: { properties: Record<string, unknown> } } } };
    }[];
    delete older[0]?.schema.openAPIV3Schema.properties.status.properties['text'];
    await cluster.apply({ ...rest, spec: { ...spec, versions: older } } as never);
    await cluster.apply(label('short'));
    await cluster.settled();
    expect(await condition('Ready')).toMatchObject({
      reason: 'RenderFailed',
      message: expect.stringMatching(
        /status\.text: field not declared.*; .*apply the CustomResourceDefinition/,
      ) as unknown,
    });

    await cluster.apply(Label.crd());
    await cluster.advance(5 * 60);
    expect(await condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('keeps what was said before, and is well again when something else is said', async () => {
    await cluster.apply(label('short'));
    await cluster.settled();
    await cluster.apply(label('too long'));
    await cluster.settled();
    expect(await status()).toMatchObject({ text: 'short', observedGeneration: 2 });
    expect((await cluster.get(ConfigMap, 'a-print')).data).toEqual({ text: 'too long' });

    await cluster.apply(label('again'));
    await cluster.settled();
    expect(await status()).toMatchObject({ text: 'again', observedGeneration: 3 });
    expect(await condition('Ready')).toMatchObject({ status: 'True' });
    expect(await condition('Stalled')).toBeUndefined();
    expect(await events()).toEqual(['RenderFailed', 'ReconciliationSucceeded']);
  });

  it('is tried again every five minutes, as a child is', async () => {
    let refused = 0;
    const run = await runOn([labels], (server) => ({
      async apply(resource, manifest, options) {
        try {
          return await server.apply(resource, manifest, options);
        } catch (error) {
          refused++;
          throw error;
        }
      },
    }));
    await run.cluster.apply(label('too long'));
    await run.cluster.advance(290);
    expect(refused).toBeLessThanOrEqual(2);
    await run.cluster.advance(3600);
    expect(refused).toBeLessThanOrEqual(14);
    expect(refused).toBeGreaterThanOrEqual(12);
    await run.stop();
  });

  it('is told what else is wrong, if anything is, and that is tried again', async () => {
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 500, times: 12 });
    await cluster.apply(label('too long'));
    await cluster.advance(5);
    expect(await condition('Ready')).toMatchObject({
      reason: 'ApplyFailed',
      message: expect.stringContaining('refused with 500'),
    });
    expect(await condition('Stalled')).toBeUndefined();

    await cluster.advance(120);
    expect(await cluster.find(ConfigMap, 'a-print')).toBeDefined();
    expect(await condition('Stalled')).toMatchObject({ reason: 'RenderFailed', message: tooLong });
    expect(await events()).toEqual(['ApplyFailed', 'RenderFailed']);
  });
});
