import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { traceOf } from './generator.js';
import { HttpTarget } from './http-target.js';
import { installDefinitions } from './install-definitions.js';
import { edited, isMap } from './json-edit.js';
import { failingTraces } from './kept-traces.js';
import type { Outcome } from './outcome.js';
import { shortest, survey, tracePrefixes } from './survey.js';
import type { Target } from './target.js';

describe('a trace', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(traceOf('one')).toEqual(traceOf('one'));
    expect(traceOf('one').operations).not.toEqual(traceOf('two').operations);
  });

  it('is of one of at least 20 kinds, and all verbs are used', () => {
    const operations = Array.from({ length: 2000 }, (_, index) => traceOf(`seed-${index}`).operations).flat();
    expect(new Set(operations.map(({ resource }) => resource)).size).toBeGreaterThanOrEqual(25);
    const verbs = new Set(
      operations.map(({ verb, patch, subresource }) => [verb, patch, subresource].join(' ').trim()),
    );
    expect([...verbs]).toEqual(
      expect.arrayContaining([
        ...['create', 'get', 'list', 'watch', 'update', 'delete', 'deletecollection', 'patch json', 'patch merge'],
        ...['patch strategic', 'patch apply', 'patch apply status', 'update  status', 'update  scale', 'get  scale'],
      ]),
    );
  });

  it('may be of any field of a type, of the same fields for the same seed', () => {
    const typed = (seed: string) => traceOf(seed, ['pods'], { typed: true });
    expect(typed('one')).toEqual(typed('one'));
    const text = JSON.stringify(Array.from({ length: 200 }, (_, index) => typed(`seed-${index}`).operations));
    for (const field of ['ephemeralContainers', 'hostIPs', 'procMount', 'sizeLimit', 'overhead']) {
      expect(text).toContain(`"${field}"`);
    }
  });

  it('never really makes what would meddle with others', () => {
    const { operations } = traceOf('one', ['validatingwebhookconfigurations'], { typed: true });
    const writes = operations.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb));
    expect(writes.length).toBeGreaterThan(0);
    expect(writes.filter(({ query }) => query?.['dryRun'] !== 'All')).toEqual([]);
  });

  it('changes the definition of parts while there are some', () => {
    const { operations } = traceOf('one', ['parts']);
    const isDefinition = operations.map(({ resource }) => resource.endsWith('/customresourcedefinitions'));
    expect(isDefinition.slice(0, 3)).toEqual([true, true, false]);
    expect(isDefinition.lastIndexOf(true)).toBeGreaterThan(3);
    expect(isDefinition.lastIndexOf(false)).toBeGreaterThan(4);
  });

  it('is made of the kinds that are asked for', () => {
    const { operations } = traceOf('one', ['leases']);
    expect(operations.filter(({ resource }) => !/\/(leases|nonsenses)$/.test(resource))).toEqual([]);
    expect(() => traceOf('one', ['nonsense'])).toThrow('no grammar for nonsense');
  });
});

/** The real server with a fault of its own: what it answers is changed on its way. */
class Faulty implements Target {
  readonly name = 'a faulty server';

  constructor(
    private readonly target: Target,
    private readonly fault: (outcome: Outcome, verb: string) => Outcome,
  ) {}

  async send(operation: Parameters<Target['send']>[0]): Promise<Outcome> {
    return this.fault(await this.target.send(operation), operation.verb);
  }

  watch(operation: Parameters<Target['watch']>[0]): ReturnType<Target['watch']> {
    return this.target.watch(operation);
  }

  close(): Promise<void> {
    return this.target.close();
  }
}

onRealCluster('the comparison of two servers', {}, (plane) => {
  const names = tracePrefixes('h');
  let real: HttpTarget;
  beforeAll(async () => {
    real = new HttpTarget('the real server', plane().url, plane().adminToken, plane().ca);
    await installDefinitions(real);
  });
  afterAll(() => real?.close());

  it('finds none between the real server and itself', async () => {
    const { findings, operations } = await survey(
      { here: real, there: real },
      { operations: 1000, seed: 'self' },
      names,
    );
    expect(operations).toBeGreaterThanOrEqual(1000);
    expect(findings.map(({ example, seed }) => ({ seed, ...example }))).toEqual([]);
  });

  it('finds none between the real server and itself on the traces that are kept', async () => {
    const failing = await failingTraces({ here: real, there: real }, names);
    expect(failing.map(({ trace, run }) => ({ file: trace.file, found: run.found }))).toEqual([]);
  });

  it.each<[string, string, (outcome: Outcome, verb: string) => Outcome]>([
    [
      'a field that is left out',
      'spec.holderIdentity missing',
      (outcome) =>
        isMap(outcome.body) && isMap(outcome.body['spec'])
          ? { ...outcome, body: edited(outcome.body, { path: ['spec', 'holderIdentity'] }) }
          : outcome,
    ],
    [
      'a code that is another',
      'answers 200 | real: 201',
      (outcome, verb) => (verb === 'create' && outcome.code === 201 ? { ...outcome, code: 200 } : outcome),
    ],
    [
      'a version that moves without need',
      'metadata.resourceVersion differs',
      (outcome, verb) =>
        verb === 'get' && outcome.code === 200
          ? { ...outcome, body: edited(outcome.body ?? {}, { path: ['metadata', 'resourceVersion'], value: '1' }) }
          : outcome,
    ],
  ])('finds %s, and tells the shortest story of it', async (_, aspect, fault) => {
    // The namespaces that a trace begins with are not part of the story.
    const begun = (outcome: Outcome, verb: string) =>
      isMap(outcome.body) && outcome.body['kind'] === 'Namespace' ? outcome : fault(outcome, verb);
    const sides = { here: new Faulty(real, begun), there: real };
    const { findings } = await survey(sides, { operations: 200, seed: 'fault', kinds: ['leases'] }, names);
    const finding = findings.find((each) => each.aspect === aspect);
    if (!finding) throw new Error(`not found among ${findings.map((each) => each.aspect).join('; ')}`);
    const story = await shortest(finding, sides, names);
    expect(story?.operations.length).toBeLessThanOrEqual(2);
  });
});
