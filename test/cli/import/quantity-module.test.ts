import { describe, expect, it } from '@jest/globals';
import type { OpenApiSchema } from '../../../src/cli/import/openapi.js';
import { quantityModule } from '../../../src/cli/import/quantity-module.js';

const quantity = {
  allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity' }],
  default: {},
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function fieldsOf(schemas: Readonly<Record<string, OpenApiSchema>>): string[] {
  const kind = { apiVersion: 'v1', kind: 'Root', plural: 'roots', namespaced: true, schema: 'root' };
  const text = quantityModule({ version: '1.36', kinds: [kind], schemas: new Map(Object.entries(schemas)) });
  return [...text.matchAll(/^ {4}'(.*)',$/gm)].map(([, path]) => path!);
}

describe('where quantities stand', () => {
  it.each<[string, Record<string, OpenApiSchema>, string[]]>([
    ['in a field', { root: { properties: { spec: { properties: { size: quantity } } } } }, ['spec.size']],
    ['in a map', { root: { properties: { limits: { additionalProperties: quantity } } } }, ['limits.*']],
    ['in a list', { root: { properties: { sizes: { items: quantity } } } }, ['sizes[]']],
    [
      'in a list of maps of lists',
      { root: { properties: { a: { items: { additionalProperties: { items: { properties: { b: quantity } } } } } } } },
      ['a[].*[].b'],
    ],
    [
      'behind a reference',
      { root: { properties: { a: ref('part') } }, part: { properties: { b: quantity } } },
      ['a.b'],
    ],
    [
      'in a part that contains itself, once',
      { root: { properties: { a: ref('part') } }, part: { properties: { b: quantity, more: { items: ref('part') } } } },
      ['a.b'],
    ],
    [
      'in a part that is used twice, twice',
      { root: { properties: { a: ref('part'), c: ref('part') } }, part: { properties: { b: quantity } } },
      ['a.b', 'c.b'],
    ],
    ['nowhere', { root: { properties: { a: { type: 'string' } } } }, []],
    [
      'in status, which is nobody’s to compose',
      { root: { properties: { status: { properties: { a: quantity } } } } },
      [],
    ],
    ['in a status further down', { root: { properties: { a: { properties: { status: quantity } } } } }, ['a.status']],
  ])('%s', (_, schemas, expected) => {
    expect(fieldsOf(schemas)).toEqual(expected);
  });
});
