import { describe, expect, it } from '@jest/globals';
import { CustomResourceDefinition } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

describe('a child whose kind has not got a field yet', () => {
  const Part = customResource({
    group: 'web.example.com',
    version: 'v1',
    kind: 'Part',
    spec: s.object({ a: s.string() }),
  });
  const Newer = customResource({
    group: 'web.example.com',
    version: 'v1',
    kind: 'Part',
    spec: s.object({ a: s.string(), b: s.string() }),
  });
  const Whole = customResource({ group: 'web.example.com', version: 'v1', kind: 'Whole', spec: s.object({}) });
  const wholes = operator(Whole, {
    owns: [Newer],
    compose: (scope) => void new Newer(scope, 'part', { spec: { a: '1', b: '2' } }),
  });

  it('is made as soon as the definition of its kind is put right', async () => {
    const cluster = await startCluster();
    await cluster.install(Part.crd());
    await cluster.run(wholes);
    await cluster.apply({ apiVersion: Whole.apiVersion, kind: Whole.kind, metadata: { name: 'a' }, spec: {} });
    await cluster.advance(60);
    expect(await cluster.find(Newer, 'a-part')).toBeUndefined();

    await cluster.apply(Newer.crd());
    await cluster.advance(2);
    expect((await cluster.get(Newer, 'a-part')).spec).toEqual({ a: '1', b: '2' });
    await cluster.stop();
  });

  it('is made soon where an API server that is asked then has not heard of the definition yet', async () => {
    const cluster = await startCluster();
    await cluster.install(Part.crd());
    const controller = await cluster.run(wholes);
    await cluster.apply({ apiVersion: Whole.apiVersion, kind: Whole.kind, metadata: { name: 'a' }, spec: {} });
    await cluster.advance(1000);
    controller.faults.refuse({ verb: 'create', kind: 'Part' }, { code: 422, times: 1 });
    await cluster.apply(Newer.crd());
    await cluster.advance(2);
    expect(await cluster.find(Newer, 'a-part')).toBeUndefined();
    await cluster.advance(10);
    expect((await cluster.get(Newer, 'a-part')).spec).toEqual({ a: '1', b: '2' });
    await cluster.stop();
  });

  it.each([
    ['the refusal is on its way as the definition changes', -1, 3],
    ['the refusal by the definition of before takes long to come back', -1, 12],
    ['it is first asked for of an API server that has not heard of the definition yet', 1, 3],
  ])('is made soon where %s', async (_, seconds, backSeconds) => {
    const cluster = await startCluster();
    await cluster.install(Part.crd());
    const { faults } = await cluster.run(wholes);
    const ask = () =>
      cluster.apply({ apiVersion: Whole.apiVersion, kind: Whole.kind, metadata: { name: 'a' }, spec: {} });
    const define = () => cluster.apply(Newer.crd());
    faults.refuse({ verb: 'create', kind: 'Part' }, { code: 422 });
    faults.slowDown(({ verb }, leg) => (verb === 'create' && leg === 'back' ? backSeconds * 1000 : 0));
    for (const step of seconds < 0 ? [ask, define] : [define, ask]) {
      await step();
      await cluster.advance(1);
    }
    await cluster.advance(20);
    expect((await cluster.get(Newer, 'a-part')).spec).toEqual({ a: '1', b: '2' });
    await cluster.stop();
  });

  it('is made soon after a definition that was being deleted is there again, however long that took', async () => {
    const cluster = await startCluster();
    await cluster.install(Newer.crd());
    const { faults } = await cluster.run(wholes);
    const ask = (name: string) =>
      cluster.apply({ apiVersion: Whole.apiVersion, kind: Whole.kind, metadata: { name }, spec: {} });
    await ask('a');
    await cluster.patch(Newer, 'a-part', { metadata: { finalizers: ['example.com/held'] } });
    await cluster.delete(CustomResourceDefinition, 'parts.web.example.com');
    await ask('b');
    await cluster.advance(3600);
    expect(conditionIn(await cluster.get(Whole, 'b'))?.message).toContain('definition is terminating');
    // It does not notice that the kind was not served for a moment.
    faults.delay({ verb: 'list', kind: 'Part' }, 2);
    await cluster.patch(Newer, 'a-part', { metadata: { finalizers: null } });
    await cluster.install(Newer.crd());
    await cluster.advance(20);
    expect((await cluster.list(Newer)).map(({ metadata }) => metadata.name)).toEqual(['a-part', 'b-part']);
    await cluster.stop();
  });
});
