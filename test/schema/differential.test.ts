import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDefaults } from '../../src/schema/defaults.js';
import { objectFaults } from '../../src/schema/definition.js';
import { isRefusal, showProblem } from '../../src/schema/field-problem.js';
import { validateObject } from '../../src/schema/validate.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Judge } from './differential/judge.js';
import { ruleSubjects } from './differential/rule-subjects.js';
import { definitionOf, objectOf, objectSchemaOf, type Subject } from './differential/subject.js';
import { subjects } from './differential/subjects.js';

const all = [...subjects, ...ruleSubjects];

/** Where our words differ from the server's, though verdict and field agree. */
const otherWords: Readonly<Record<string, string>> = {
  'Words: a number too large for any integer': 'the library has words of its own for a conversion that fails',
};

onRealCluster('offline validation and the API server', {}, (plane) => {
  let judge: Judge;
  beforeAll(async () => {
    judge = new Judge(plane());
    for (const { kind, spec } of all) await judge.define(definitionOf(kind, objectSchemaOf(spec.structural())));
    for (const { kind } of all) await judge.served(kind);
  });
  afterAll(() => judge.close());

  it('judge at least 150 objects of at least 12 kinds', () => {
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(all.flatMap(({ values }) => Object.keys(values)).length).toBeGreaterThanOrEqual(150);
  });

  describe.each(all.map((subject): [string, Subject] => [subject.kind, subject]))('agree on %s:', (kind, subject) => {
    const schema = objectSchemaOf(subject.spec.structural());

    it('its definition', () => {
      expect(objectFaults(schema)).toEqual([]);
    });

    it.each(Object.entries(subject.values))('%s', async (title, spec) => {
      const object = objectOf(kind, spec);
      const server = await judge.onCreate(kind, object);
      const found = validateObject(schema, object).filter(isRefusal);

      expect(fieldsOf(found)).toEqual(server.fields);
      expect(found.length === 0).toBe(server.accepted);
      if (otherWords[`${kind}: ${title}`] === undefined) {
        expect([...new Set(found.map(showProblem))].sort()).toEqual(server.lines);
      }
      if (server.accepted) expect(withDefaults(subject.spec.structural(), spec)).toEqual(server.stored);
    });

    const updates = Object.entries(subject.updates ?? {}).map(([title, { from, to }], index) => ({
      title,
      from: objectOf(kind, from, `changed-${index}`),
      to: objectOf(kind, to, `changed-${index}`),
    }));
    if (updates.length === 0) return;
    it.each(updates)('a change, $title', async ({ from, to }) => {
      const server = await judge.onUpdate(kind, from, to);
      const found = validateObject(schema, to, { old: withDefaults(schema, from) as typeof from }).filter(isRefusal);

      expect([...new Set(found.map(showProblem))].sort()).toEqual(server.lines);
      expect(found.length === 0).toBe(server.accepted);
    });
  });
});

function fieldsOf(problems: readonly { readonly path: string }[]): string[] {
  return [...new Set(problems.map(({ path }) => path))].sort();
}
