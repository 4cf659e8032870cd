import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Json } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { definitions } from '../../schema/differential/definitions.js';
import { definitionOf, objectSchemaOf } from '../../schema/differential/subject.js';
import { definitionCases } from './definitions.js';
import { Twin } from './twin.js';

onRealCluster('a definition and the API server', {}, (plane) => {
  let twin: Twin;
  beforeAll(() => {
    twin = new Twin(plane());
  });
  afterAll(() => twin.close());

  it('are compared at least 200 times', () => {
    expect(definitionCases.length + definitions.length).toBeGreaterThanOrEqual(200);
  });

  it.each(definitionCases)('agree on %s', async (_, definition) => {
    const { server, ours } = await twin.judgeDefinition(definition);
    expect(ours).toEqual(server);
  });

  it.each(definitions)('agree on a field with %s', async (title, schema) => {
    const { server, ours } = await twin.judgeDefinition(
      definitionOf('Thing', objectSchemaOf(schema)) as unknown as Json,
    );
    // Of what cannot be read the words of a parser say more than that.
    const isUnread = title.startsWith('what is written out as ') && server.code === 422;
    if (!otherWords.has(title) && !isUnread) expect(ours).toEqual(server);
    else
      expect({ ...ours, causes: ours.causes?.map(placeOf) }).toMatchObject({
        code: server.code,
        reason: server.reason,
        causes: server.causes?.map(placeOf),
      });
  });
});

/** Where the verdict and the field are the server's, and the words of CEL's compiler, or the choice among equals, are not. */
const otherWords = new Set([
  'a rule with a function that is not of Kubernetes',
  'a rule that indexes an object',
  'a rule that mixes types in a list',
  // The server has names of its own for the types of objects, another each time.
  'an object as a text',
  // Of one text that does not parse it tells several things.
  'a choice in a choice',
  'a total that is too high',
]);

/** `FieldValueInvalid spec.versions`, without the name of a property that might be another. */
function placeOf(cause: string): string {
  return cause.slice(0, cause.indexOf(': ')).replace(/properties\[f\d+\]/, 'properties[f]');
}
