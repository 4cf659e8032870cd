import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition } from '../../../imports/k8s.js';
import { one, operator } from '../../../src/index.js';
import { neededKinds } from '../../../src/runtime/status/needed-kinds.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';
import { Door, doors, House } from '../a-house-with-a-door.js';
import { parseExposition, sampleOf } from '../telemetry/metrics/exposition.js';
import { runMeasured } from '../telemetry/metrics/measured-controller.js';

/** A ConfigMap, and a Door without which there is no house. */
const house = operator(House, {
  owns: [ConfigMap, Door],
  compose(scope, { spec: { color, hasDoor } }) {
    new ConfigMap(scope, 'plan', { data: { color } });
    if (hasDoor) new Door(scope, 'door', { spec: { color } });
  },
});
/** The same, with its Door in the next namespace. */
const estate = operator(House, {
  owns: [ConfigMap, Door],
  reach: 'cluster',
  compose(scope, { spec: { color } }) {
    new ConfigMap(scope, 'plan', { data: { color } });
    new Door(scope, 'door', { metadata: { namespace: 'next' }, spec: { color } });
  },
});
/** One that is painted as a Door is that it only looks at. */
const copy = operator(House, {
  owns: [ConfigMap],
  reads: { door: one(Door, () => ({ name: 'other' })) },
  compose(scope, _, { door }) {
    new ConfigMap(scope, 'plan', { data: { color: door?.spec.color ?? 'none' } });
  },
});
const houses = 'houses.houses.example.com';
const absent = { status: 'False', reason: 'KindNotServed', message: `The API server does not serve ${doors} in v1` };

it('is one in each version that is looked at', () => {
  const older = { ...Door, apiVersion: 'doors.example.com/v1beta1', kind: Door.kind } as typeof Door;
  const kinds = neededKinds({ ...house, reads: { door: one(older, () => ({ name: 'other' })) } });
  expect(kinds.map(({ kind, apiVersion }) => `${kind} ${apiVersion}`)).toEqual([
    'House houses.example.com/v1',
    'ConfigMap v1',
    'Door doors.example.com/v1',
    'Door doors.example.com/v1beta1',
  ]);
});

describe('a kind that an operator cannot do without', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  const apply = async (color: string, hasDoor = true, annotations: Record<string, string> = {}) => {
    const metadata = { name: 'hut', annotations };
    await cluster.apply({ apiVersion: House.apiVersion, kind: House.kind, metadata, spec: { color, hasDoor } });
    await cluster.settled();
  };
  const condition = async (wanted = 'Ready') => conditionIn(await cluster.get(House, 'hut'), wanted);
  const painted = async () => (await cluster.get(ConfigMap, 'hut-plan')).data;
  const door = async (namespace = 'default') => (await cluster.find(Door, 'hut-door', { namespace }))?.spec;
  const patchServed = async (served: boolean, definition = doors) => {
    const { versions } = (await cluster.get(CustomResourceDefinition, definition)).spec;
    await cluster.patch(CustomResourceDefinition, definition, {
      spec: { versions: versions.map((version) => ({ ...version, served })) },
    });
  };
  const serve = async (served: boolean, definition = doors) => {
    await patchServed(served, definition);
    await cluster.settled();
  };
  const goes = [
    ['is not served any more', () => serve(false), () => serve(true)],
    [
      'was uninstalled',
      () => cluster.delete(CustomResourceDefinition, doors).then(() => cluster.settled()),
      () => cluster.install(Door.crd()).then(() => cluster.settled()),
    ],
  ] as const;

  it.each(goes)('is named by each custom resource when it %s, and all goes on when it is back', async (_, go, come) => {
    await cluster.install(Door.crd());
    const controller = await cluster.run(house);
    await apply('red');
    expect(await condition()).toMatchObject({ status: 'True' });

    await go();
    expect(await condition()).toMatchObject(absent);
    await apply('blue');
    expect(await condition()).toMatchObject({ ...absent, observedGeneration: 2 });
    expect(await condition('Stalled')).toMatchObject({ status: 'True', reason: 'KindNotServed' });
    expect(await painted()).toEqual({ color: 'red' });
    expect(controller.isIdle).toBe(true);

    await come();
    expect(await door()).toEqual({ color: 'blue' });
    expect(await painted()).toEqual({ color: 'blue' });
    expect(await condition()).toMatchObject({ status: 'True', observedGeneration: 2 });
  });

  it('is waited for in words from the start, be it a child or an input', async () => {
    for (const needs of [house, copy]) {
      const controller = await cluster.run(needs);
      await apply('red');
      expect(await condition()).toMatchObject(absent);
      expect(await cluster.find(ConfigMap, 'hut-plan')).toBeUndefined();

      await cluster.install(Door.crd());
      await cluster.settled();
      expect(await condition()).toMatchObject({ status: 'True' });
      expect(await painted()).toBeDefined();

      await controller.stop();
      await cluster.delete(House, 'hut');
      await cluster.delete(CustomResourceDefinition, doors);
      await cluster.settled();
    }
  });

  it('is named with its version, since it may be served in another', async () => {
    await cluster.install(JSON.parse(JSON.stringify(Door.crd()).replace('"v1"', '"v2"')));
    await cluster.run(house).then(() => apply('red'));
    expect(await condition()).toMatchObject(absent);
  });

  it('leaves no child behind that is dropped while it is not served', async () => {
    await cluster.install(Door.crd());
    await cluster.run(house);
    await apply('red');
    // In another round, so that no write of a Door is waited for any more.
    await apply('red', true, { some: 'thing' });
    await serve(false);
    await apply('red', false);
    expect(await condition()).toMatchObject(absent);
    await serve(true);
    expect(await door()).toBeUndefined();
    expect(await condition()).toMatchObject({ status: 'True', observedGeneration: 2 });
  });

  it('leaves no child behind that is dropped before the controller knows that it is not served', async () => {
    await cluster.install(Door.crd());
    const controller = await cluster.run(house);
    await apply('red');
    await apply('red', true, { some: 'thing' });
    controller.faults.silenceWatch(Door);
    await patchServed(false);
    const spec = { color: 'red', hasDoor: false };
    await cluster.apply({ apiVersion: House.apiVersion, kind: House.kind, metadata: { name: 'hut' }, spec });
    await cluster.advance(1);
    expect(await condition()).toMatchObject({ status: 'False', reason: 'PruneFailed', observedGeneration: 2 });
    await cluster.advance(200);
    expect(await condition()).toMatchObject(absent);
    await serve(true);
    expect(await door()).toBeUndefined();
    expect(await condition()).toMatchObject({ status: 'True', observedGeneration: 2 });
  });

  it('keeps nobody from being suspended', async () => {
    await cluster.install(Door.crd());
    await cluster.run(house);
    await apply('red');
    await serve(false);
    await apply('red', true, { 'houses.example.com/reconcile': 'suspended' });
    expect(await condition('Paused')).toMatchObject({ status: 'True' });
  });

  describe('and of which a child is beyond the reach of owner references', () => {
    beforeEach(async () => {
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'next' } });
      await cluster.install(Door.crd());
      const controller = await cluster.run(estate);
      await apply('red');
      expect(await door('next')).toEqual({ color: 'red' });
      // No watch ever shows this last write.
      controller.faults.silenceWatch(Door);
      await apply('blue');
      await patchServed(false);
      controller.faults.breakWatch(Door);
      await cluster.settled();
      await cluster.delete(House, 'hut');
      await cluster.settled();
    });

    it('is named by a custom resource that is deleted, which goes when it is back', async () => {
      expect(await condition()).toMatchObject({
        status: 'False',
        reason: 'Deleting',
        message: `Door/next/hut-door is out of reach: the API server does not serve ${doors} in v1`,
      });
      await serve(true);
      expect(await cluster.find(House, 'hut')).toBeUndefined();
      expect(await door('next')).toBeUndefined();
    });

    it('keeps none that is to go at any rate', async () => {
      await cluster.patch(House, 'hut', { metadata: { annotations: { 'houses.example.com/force-release': 'true' } } });
      await cluster.settled();
      expect(await cluster.find(House, 'hut')).toBeUndefined();
    });
  });

  describe('and which is that of the custom resources', () => {
    it('has all looked at anew when it is back', async () => {
      await cluster.install(Door.crd());
      const controller = await cluster.run(house);
      await apply('red');
      await serve(false, houses);
      await cluster.delete(ConfigMap, 'hut-plan');
      await cluster.settled();
      expect(controller.isIdle).toBe(true);
      expect(await cluster.find(ConfigMap, 'hut-plan')).toBeUndefined();
      await serve(true, houses);
      expect(await painted()).toEqual({ color: 'red' });
      expect(await condition()).toMatchObject({ status: 'True' });
    });

    it('loses no status that could not be written before the controller knew', async () => {
      await cluster.install(Door.crd());
      const controller = await cluster.run(house);
      await apply('red');
      controller.faults.silenceWatch(House);
      await patchServed(false, houses);
      // Which is to be told, and cannot.
      await patchServed(false);
      await cluster.settled();
      await patchServed(true, houses);
      await cluster.settled();
      expect(await condition()).toMatchObject(absent);
    });
  });

  it('is told apart in the metrics from one of which nothing is heard', async () => {
    await cluster.install(Door.crd());
    const measured = await runMeasured(cluster, [house]);
    const read = async (name: string, resource: string) =>
      sampleOf(parseExposition(await measured.metrics.text()), name, { resource });
    expect(await read('kilter_informer_served', doors)).toBe(1);
    await serve(false);
    await cluster.advance(600);
    expect(await read('kilter_informer_served', doors)).toBe(0);
    expect(await read('kilter_informer_silent_seconds', doors)).toBe(0);
    expect(await read('kilter_informer_served', houses)).toBe(1);
    await serve(true);
    expect(await read('kilter_informer_served', doors)).toBe(1);
    measured.stop();
  });
});
