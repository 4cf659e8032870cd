import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { ruleSubjects } from '../../schema/differential/rule-subjects.js';
import { definitionOf, objectOf, objectSchemaOf } from '../../schema/differential/subject.js';
import { subjects } from '../../schema/differential/subjects.js';
import { type Definition, Twin } from './twin.js';

const all = [...subjects, ...ruleSubjects].map((subject) => ({
  ...subject,
  definition: definitionOf(subject.kind, objectSchemaOf(subject.spec.structural())) as unknown as Definition,
}));

/** Where our words differ from the server's, though verdict and field agree. */
const otherWords: Readonly<Record<string, string>> = {
  'Words: a number too large for any integer': 'the library has words of its own for a conversion that fails',
  'Resources: no URL': 'Go explains in its own words what is wrong with a URL',
};

/** What the server takes although its ownership cannot read it: then nobody owns anything of the object. */
const unowned: readonly string[] = ['Format: a list where a formatted text belongs'];

onRealCluster('custom resources of many schemas and the API server', {}, (plane) => {
  let twin: Twin;
  beforeAll(async () => {
    twin = new Twin(plane());
    for (const { definition } of all) await twin.define(definition);
    for (const { definition } of all) await twin.served(definition);
  });
  afterAll(() => twin.close());

  it('are at least 150 objects of at least 12 kinds', () => {
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(all.flatMap(({ values }) => Object.keys(values)).length).toBeGreaterThanOrEqual(150);
  });

  describe.each(all.map((subject) => [subject.kind, subject] as const))(
    '%s',
    (kind, { definition, values, updates }) => {
      let count = 0;

      it.each(Object.entries(values))('is created alike with %s', async (title, spec) => {
        count += 1;
        const body = objectOf(kind, spec, `object-${count}`) as Json;
        const { server, ours } = await twin.write(definition, { verb: 'create', body });
        if (otherWords[`${kind}: ${title}`] !== undefined) expect(ours.code).toBe(server.code);
        else if (unowned.includes(`${kind}: ${title}`)) expect(ours).toMatchObject(server);
        else expect(ours).toEqual(server);
      });

      const changes = Object.entries(updates ?? {});
      if (changes.length === 0) return;
      it.each(changes)('is updated alike with %s', async (_, { from, to }) => {
        count += 1;
        const name = `object-${count}`;
        const created = await twin.write(definition, { verb: 'create', body: objectOf(kind, from, name) as Json });
        expect(created.ours).toEqual(created.server);
        const next = objectOf(kind, to, name);
        const body = { ...next, metadata: { ...next.metadata, resourceVersion: '{{version}}' } } as Json;
        const { server, ours } = await twin.write(definition, { verb: 'update', name, body });
        expect(ours).toEqual(server);
      });
    },
  );
});
