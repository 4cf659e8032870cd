import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { definitionFaults, objectFaults } from '../../src/schema/definition.js';
import type { DefinitionFault } from '../../src/schema/definition-fault.js';
import type { StructuralSchema } from '../../src/schema/structural.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { definitions, oursAlone } from './differential/definitions.js';
import { Judge } from './differential/judge.js';
import { definitionOf, objectSchemaOf } from './differential/subject.js';

onRealCluster('a definition and the API server', {}, (plane) => {
  let judge: Judge;
  beforeAll(() => {
    judge = new Judge(plane());
  });
  afterAll(() => judge.close());

  it('are compared at least 30 times', () => {
    expect(definitions.length).toBeGreaterThanOrEqual(30);
  });

  it.each(definitions)('agree on %s', async (_, spec) => {
    const schema = objectSchemaOf(spec);
    const server = await judge.onDefinition(definitionOf('Thing', schema));
    const found = faultsOf(schema);

    expect(found.length === 0).toBe(server.accepted);
    // The server repeats itself about costs, and names the version or the validation.
    const named = server.fields.map((field) =>
      field.replace(/^spec\.(versions\[0\]\.schema|validation)\.openAPIV3Schema/, ''),
    );
    if (!server.accepted) expect(named).toEqual(expect.arrayContaining(found.map(({ path }) => path)));
  });

  it.each(oursAlone)('do not agree on %s, which only we refuse', async (_, spec) => {
    const schema = objectSchemaOf(spec);
    const server = await judge.onDefinition(definitionOf('Thing', schema));

    expect(server.lines).toEqual([]);
    expect(faultsOf(schema).map((fault) => fault.oursAlone)).toContain(true);
  });
});

function faultsOf(schema: StructuralSchema): DefinitionFault[] {
  const found = definitionFaults(schema);
  return found.length > 0 ? found : objectFaults(schema);
}
