/** Everything that can happen to a child, on one cluster with one child of each kind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, EventsEvent, Secret, Service } from '../../../imports/k8s.js';
import type { KubeObject } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage, withoutEvents } from '../../cluster/stage.js';
import { conditionIn } from '../../condition-in.js';
import { valueAt } from './deeds.js';
import { type Animal, animals, Gauge, zooOf, zooOperator } from './zoo.js';

const [Zoo, Show] = [zooOf('Zoo'), zooOf('Show')];
const operators = [zooOperator(Zoo), zooOperator(Show, { mode: 'report' })];
const namespace = 'zoo';
const zoo = { namespace, name: 'zoo' };
const targetOf = ({ resource }: Animal) => ({ namespace, name: `zoo-${resource.kind.toLowerCase()}` });
const somebody = { fieldManager: 'somebody' };
const manager = 'zoo';

onEveryCluster('drift of one child of each kind', { audit: true }, (plane) => {
  const stage = new Stage(
    plane,
    [Zoo, Show, Gauge].map((kind) => kind.crd()),
  );
  let asApplied: ReadonlyMap<Animal, KubeObject>;

  beforeAll(async () => {
    await stage.namespace(namespace);
    await stage.start(operators);
    await stage.create(Zoo, { metadata: zoo, spec: {} });
    expect(await stage.settled(Zoo, zoo)).toBeUndefined();
    await stage.quiet();
    asApplied = await all();
  });

  const get = (animal: Animal) => stage.admin.get(animal.resource, targetOf(animal));
  const all = async () =>
    new Map(await Promise.all(animals.map(async (animal) => [animal, await get(animal)] as const)));
  const patch = (animal: Animal, body: object, fieldManager = somebody.fieldManager) =>
    stage.admin.patch(animal.resource, targetOf(animal), { type: 'merge', body }, { fieldManager });
  /** What is said of an object, without what each write changes. */
  const saidOf = ({ metadata: { labels, annotations, ownerReferences }, status: _status, ...rest }: KubeObject) => {
    const { apiVersion: _v, kind: _k, ...said } = rest;
    // What a DaemonSet's generation was called once, which is in it again.
    const { 'deprecated.daemonset.template.generation': _g, ...notes } = annotations ?? {};
    return { ...said, labels, notes, owners: ownerReferences?.map(({ name }) => name) };
  };
  const expectAsApplied = async () => {
    const now = await all();
    for (const [animal, object] of asApplied) expect(saidOf(now.get(animal) as KubeObject)).toEqual(saidOf(object));
  };
  /** What the controller wrote of children, and what it said, while `deed` was done to each of them. */
  const during = async (deed: (animal: Animal) => Promise<unknown>) => {
    const lines = stage.lines.length;
    const writes = await stage.writesDuring(async () => {
      await Promise.all(animals.map(deed));
      await stage.quiet();
    });
    const said = stage.lines.slice(lines);
    const corrected = new Map(
      said
        .filter(({ msg }) => msg === 'Corrected drift')
        .map(({ child, fields }) => [String(child).split('/')[0], (fields as readonly string[]).join('\n')]),
    );
    const accepted = withoutEvents(writes).filter(
      ({ objectRef, responseStatus }) => objectRef?.resource !== 'zoos' && (responseStatus?.code ?? 500) < 300,
    );
    return { corrected, writes: accepted.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`).sort() };
  };
  const edit = async (spec: object) => {
    await stage.admin.patch(Zoo, zoo, { type: 'merge', body: { spec } }, { fieldManager: 'user' });
    await stage.quiet();
  };
  const kinds = animals.map(({ resource }) => resource.kind).sort();

  it('D-01, D-04: a changed value is put back by one write, with or without a generation, and its writer named', async () => {
    const { corrected, writes } = await during((animal) => patch(animal, animal.change));
    await expectAsApplied();
    expect([...corrected.keys()].sort()).toEqual(kinds);
    for (const { resource, field } of animals) {
      const said = corrected.get(resource.kind) as string;
      expect(said.startsWith(field)).toBe(true);
      expect(said).toContain('by somebody (Update)');
    }
    expect(writes).toEqual(animals.map(({ resource }) => `patch ${resource.plural}`).sort());
    expect(JSON.stringify([...corrected])).not.toMatch(/geheim|dGhlaXJz|Z2VoZWlt/);
  });

  it('D-02: a removed item, key or label is restored', async () => {
    const { corrected } = await during((animal) =>
      patch(animal, { metadata: { labels: { tier: null } }, ...animal.removal }),
    );
    await expectAsApplied();
    expect([...corrected.keys()].sort()).toEqual(kinds);
    for (const said of corrected.values()) expect(said).toContain('metadata.labels.tier "ours" → nothing');
  });

  it('D-02: of what a newly made child has, all items of a list may go at once', async () => {
    const service = animals.find(({ resource }) => resource === Service) as Animal;
    await stage.admin.delete(Service, targetOf(service));
    await stage.quiet();
    await patch(service, { spec: { ports: [{ port: 8080 }] } });
    await stage.quiet();
    const { spec } = (await get(service)) as unknown as { spec: { ports: { port: number }[] } };
    expect(spec.ports.map(({ port }) => port)).toEqual([80, 81]);
  });

  it('D-03, D-34: a deleted child is created again, as another', async () => {
    const before = await all();
    const { writes } = await during((animal) =>
      stage.admin.delete(animal.resource, targetOf(animal), { propagationPolicy: 'Background' }),
    );
    const now = await all();
    for (const animal of animals) expect(now.get(animal)?.metadata.uid).not.toBe(before.get(animal)?.metadata.uid);
    expect(writes).toEqual(animals.map(({ resource }) => `create ${resource.plural}`).sort());
  });

  it('D-34: a child that is deleted while it is put back is created again', async () => {
    const map = animals.find(({ resource }) => resource === ConfigMap) as Animal;
    for (let times = 0; times < 10; times++) {
      await Promise.all([
        patch(map, map.change).catch(() => {}),
        stage.admin.delete(ConfigMap, targetOf(map)).catch(() => {}),
      ]);
    }
    await eventually(async () => expect(valueAt(await get(map), 'data.a')).toBe('1'));
    await stage.quiet();
  });

  it('D-08, D-11: a dropped field goes, unless somebody else applied it, too', async () => {
    const shared = animals.find(({ resource }) => resource === Deployment) as Animal;
    const { apiVersion, kind } = shared.resource;
    const metadata = { ...targetOf(shared), labels: { tier: 'ours' } };
    await stage.admin.apply(
      shared.resource,
      { apiVersion, kind, metadata },
      { fieldManager: 'co-owner', force: false },
    );
    await stage.quiet();
    await edit({ label: '' });
    for (const [animal, { metadata: now }] of await all()) {
      expect(now.labels?.['tier']).toBe(animal === shared ? 'ours' : undefined);
    }
    await edit({ label: 'ours' });
  });

  it.each([
    ['reset', [{}]],
    ['left to somebody else', undefined],
  ])('D-05: managed fields that were %s are taken again', async (_title, entries) => {
    const { writes } = await during(async (animal) => {
      const { metadata } = await get(animal);
      const theirs = metadata.managedFields?.map((entry) => ({ ...entry, manager: 'thief' }));
      await patch(animal, { metadata: { managedFields: entries ?? theirs } });
    });
    const applies = writes.filter((write) => write.startsWith('patch'));
    expect(applies).toEqual(animals.map(({ resource }) => `patch ${resource.plural}`).sort());
    for (const [, { metadata }] of await all()) {
      expect(metadata.managedFields?.map((entry) => entry.manager)).toContain(manager);
    }
    expect((await during(() => Promise.resolve())).writes).toEqual([]);
    expect([...(await during((animal) => patch(animal, animal.change))).corrected.keys()].sort()).toEqual(kinds);
  });

  it('D-07: what somebody writes under our own name is put back, and leaves no entry behind', async () => {
    await during((animal) => patch(animal, animal.change, manager));
    for (const [{ field, change }, object] of await all()) {
      expect(valueAt(object, field)).not.toEqual(valueAt(change, field));
      const ours = object.metadata.managedFields?.filter((entry) => entry.manager === manager && !entry.subresource);
      expect(ours?.map(({ operation }) => operation)).toEqual(['Apply']);
    }
  });

  it('D-21: two that force one field slow down, and the rival is named', async () => {
    const gauge = animals.find(({ resource }) => resource === Gauge) as Animal;
    const { apiVersion, kind } = Gauge as ApiResource;
    const rival = { apiVersion, kind, metadata: targetOf(gauge), spec: { size: 5 } };
    const writes = await stage.writesDuring(async () => {
      for (let times = 0; times < 60; times++) {
        await stage.admin.apply(Gauge, rival, { fieldManager: 'rival', force: true });
        await sleep(50);
      }
      await stage.quiet();
    });
    const ours = writes.filter(({ objectRef }) => objectRef?.resource === 'gauges');
    expect(ours.length).toBeLessThanOrEqual(4);
    expect(conditionIn(await stage.admin.get(Zoo, zoo), 'Fighting')?.message).toBe(
      'Gauge/zoo-gauge spec.size: we write 1, "rival" (Apply) writes 5',
    );
    await edit({ edition: 1 });
    expect(valueAt(await get(gauge), 'spec.size')).toBe(1);
    await edit({ edition: 0 });
  });

  it('D-24, D-25: its own writes and the status of children make it write nothing', async () => {
    const status = { readyReplicas: 1, replicas: 1 };
    const { writes } = await during(async (animal) => {
      if (animal.resource !== Deployment) return;
      const body = { type: 'merge', body: { status } } as const;
      await stage.admin.patch(Deployment, targetOf(animal), body, { ...somebody, subresource: 'status' });
    });
    expect(writes).toEqual([]);
  });

  it('D-29: a child whose name another controller has is refused, and said to be', async () => {
    const home = { namespace: 'taken', name: 'zoo' };
    await stage.namespace(home.namespace);
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'theirs', uid: '1', controller: true };
    const metadata = { namespace: home.namespace, name: 'zoo-secret', ownerReferences: [owner] };
    await stage.create(Secret, { metadata, stringData: { a: 'theirs' } });
    await stage.create(Zoo, { metadata: home, spec: {} });
    await eventually(async () => {
      const ready = conditionIn(await stage.admin.get(Zoo, home));
      expect(ready?.message).toMatch(/Secret\/taken\/zoo-secret .*ConfigMap\/theirs/);
    });
    const { data } = (await stage.admin.get(Secret, { namespace: 'taken', name: 'zoo-secret' })) as unknown as {
      data: object;
    };
    expect(data).toEqual({ a: Buffer.from('theirs').toString('base64') });
  });

  it('of what is reported only, nothing is written, and all of it is shown with its writer', async () => {
    const show = { namespace: 'show', name: 'zoo' };
    await stage.namespace(show.namespace);
    await stage.create(Show, { metadata: show, spec: {} });
    await stage.settled(Show, show);
    // The mode begins with the first object.
    expect((await stage.admin.list(ConfigMap, { namespace: 'show', labelSelector: 'tier' })).items).toEqual([]);
    expect(conditionIn(await stage.admin.get(Show, show), 'Drifted')?.message).toMatch(
      new RegExp(`^${animals.length} differences are left alone: Deployment/zoo-deployment missing`),
    );
  });

  it('tells of each correction in an event, with the writer and the time, and of none twice', async () => {
    const { items } = await stage.admin.list(EventsEvent, { namespace });
    const notes = items
      .filter((event) => event['reason'] === 'DriftCorrected')
      .map((event) => String(event['note']))
      .filter((note) => note.startsWith('Deployment/zoo-deployment: spec.replicas'));
    expect(notes[0]).toMatch(/^Deployment\/zoo-deployment: spec\.replicas 2 → 9 by somebody \(Update, 20\d\d-\S+Z\)$/);
    expect(new Set(notes.map((note) => note.replace(/, 20\S+Z/g, ''))).size).toBe(notes.length);
    expect(JSON.stringify(items)).not.toMatch(/geheim|dGhlaXJz|Z2VoZWlt/);
  });
});
