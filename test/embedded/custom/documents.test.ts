import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { customSchemas } from '../../../src/embedded/custom/custom-schemas.js';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { rich, several } from './rich-definitions.js';
import { type Definition, Twin } from './twin.js';

onRealCluster('the OpenAPI document of custom kinds', {}, (plane) => {
  let twin: Twin;
  beforeAll(async () => {
    twin = new Twin(plane());
    for (const definition of [rich, several]) {
      await twin.define(definition);
      await twin.served(definition);
    }
  });
  afterAll(() => twin.close());

  it.each<[string, Definition, string]>([
    ['Rich', rich, 'v1'],
    ['Several', several, 'v1'],
    ['Several', several, 'v2'],
  ])('describes %s as the API server does', async (kind, definition, version) => {
    const { group } = definition.spec;
    const name = `${group.split('.').reverse().join('.')}.${version}.${kind}`;
    const path = `apis/${group}/${version}`;
    const ours = customSchemas(twin.kind(definition, version), twin.definition(definition));
    // The real server describes a new kind when it gets to it.
    await eventually(async () => {
      const { body } = await twin.send('GET', `/openapi/v3/${path}`);
      const { schemas = {} } = (body as unknown as Partial<Document>).components ?? {};
      expect(ours[name]).toEqual(schemas[name]);
      expect(ours[`${name}List`]).toEqual(schemas[`${name}List`]);
    });
  });
});

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
