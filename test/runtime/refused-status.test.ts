import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { runOn } from './a-run.js';

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

  /** The definition without the field. */
  const olderDefinition = () => {
    const { spec, ...rest } = Label.crd() as unknown as { readonly spec: { readonly versions: readonly object[] } };
    const older = JSON.parse(JSON.stringify(spec.versions)) as {
      schema: { openAPIV3Schema: { properties: { status: { properties: Record<string, unknown> } } } };
    }[];
    delete older[0]?.schema.openAPIV3Schema.properties.status.properties['text'];
    return { ...rest, spec: { ...spec, versions: older } } as never;
  };

  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(labels);
  });
  afterEach(() => cluster.stop());

  const status = async () => (await cluster.get(Label, 'a')).status;
  const condition = async (type: string) => conditionIn({ status: await status() }, type);
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

  it.each([
    ['at once', 0],
    ['soon, where an API server has not heard of it yet', 1],
  ])('is told to install the definition that goes with its controller, and said %s', async (_, times) => {
    await cluster.apply(olderDefinition());
    await cluster.apply(label('short'));
    await cluster.settled();
    expect(await condition('Ready')).toMatchObject({
      reason: 'RenderFailed',
      message: expect.stringMatching(
        /status\.text: field not declared.*; .*apply the CustomResourceDefinition/,
      ) as unknown,
    });

    await cluster.advance(1000);
    if (times > 0) controller.faults.refuse({ verb: 'apply', subresource: 'status' }, { code: 422, times });
    await cluster.apply(Label.crd());
    await cluster.advance(2 + 8 * times);
    expect(await condition('Ready')).toMatchObject({ status: 'True' });
  });

  it.each([
    ['while the refusal is on its way', 3],
    ['long before the refusal comes back', 12],
  ])('is said soon where the definition is put right %s', async (_, seconds) => {
    await cluster.apply(olderDefinition());
    await cluster.settled();
    controller.faults.slowDown(({ subresource }, leg) =>
      subresource === 'status' && leg === 'back' ? seconds * 1000 : 0,
    );
    await cluster.apply(label('short'));
    await cluster.advance(1);
    await cluster.apply(Label.crd());
    await cluster.advance(60);
    expect(await condition('Ready')).toMatchObject({ status: 'True' });
  });

  it('is not said again for each event, and at once when a person asks', async () => {
    await cluster.apply(label('too long'));
    await cluster.advance(0.1);
    const said: number[] = [];
    controller.faults.observe(({ subresource }) => {
      if (subresource === 'status') said.push(cluster.clock.monotonic() / 1000);
    });
    const began = cluster.clock.monotonic() / 1000;
    for (let second = 0; second < 60; second++) {
      await cluster.patch(ConfigMap, 'a-print', { metadata: { annotations: { told: `${second}` } } });
      await cluster.advance(1);
    }
    expect(said.map((at) => Math.round(at - began))).toEqual([5, 15, 35]);
    await cluster.patch(Label, 'a', { metadata: { annotations: { 'x.example.com/requested-at': 'now' } } });
    await cluster.advance(0.1);
    expect(said.length).toBeGreaterThan(3);
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
