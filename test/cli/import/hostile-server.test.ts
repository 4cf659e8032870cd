import { describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { k8sModule } from '../../../src/cli/import/k8s-module.js';
import { readApi } from '../../../src/cli/import/openapi.js';
import { quantityModule } from '../../../src/cli/import/quantity-module.js';

const usual = {
  version: { major: '1', minor: '36+' } as unknown,
  namespaced: true as unknown,
  schema: 'io.k8s.api.core.v1.Pod',
  field: 'spec',
  plural: 'pods',
  type: { type: 'string' } as object,
};

/** What becomes of a server with one kind, `Pod`, of which it says other things than usual. */
async function imported(said: Partial<typeof usual>): Promise<readonly string[]> {
  const { version, namespaced, schema, field, plural, type } = { ...usual, ...said };
  const verbs = ['create', 'get', 'patch'];
  const properties = {
    [field]: type,
    size: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity' },
  };
  const groupVersionKinds = [{ group: '', version: 'v1', kind: 'Pod' }];
  const answers: Readonly<Record<string, unknown>> = {
    '/version': version,
    '/openapi/v3': { paths: { 'api/v1': {} } },
    '/openapi/v3/api/v1': {
      components: { schemas: { [schema]: { properties, 'x-kubernetes-group-version-kind': groupVersionKinds } } },
    },
    '/api/v1': { resources: [{ name: plural, namespaced, kind: 'Pod', verbs }] },
  };
  const api = await readApi((path) => Promise.resolve(answers[path]));
  return [k8sModule(api, 'kilter'), quantityModule(api)];
}

describe('what an API server says', () => {
  it.each<[string, Partial<typeof usual>, string]>([
    ['of its version', { version: { major: '1\nevil();//', minor: '36\nevil();//' } }, 'Kubernetes 1.36. Do not edit.'],
    ['of the scope of a kind', { namespaced: 'true; static { evil(); }' }, 'static readonly namespaced = false;'],
    ['for the name of a schema', { schema: 'io.k8s.api.core.v1.Pod {} evil(); class X' }, 'class PodEvilClassX '],
    ['for the name of a field', { field: "a'; evil()\u2028b" }, "'a\\'; evil()\\u2028b'?: string"],
    ['for the plural of a kind', { plural: "pods'; evil();" }, "plural = 'pods\\'; evil();';"],
    ['for a value', { type: { type: 'string', enum: ["a'; evil();", { b: "'" }] } }, `'a\\'; evil();' | {"b":"'"}`],
    ['of a schema that every object has', { type: { $ref: '#/components/schemas/constructor' } }, 'spec?: unknown;'],
  ])('%s becomes no code of the modules that are made of it', async (_, said, expected) => {
    const modules = await imported(said);
    expect(modules.join()).toContain(expected);
    for (const text of modules) {
      const { code } = await transform(text, { loader: 'ts' });
      const withoutTexts = code.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, '');
      expect(withoutTexts).not.toContain('evil(');
    }
  });

  it.each<[unknown, string]>([
    [{ major: 'one', minor: '36' }, 'major is "one", minor "36"'],
    [{ major: '1', minor: '' }, 'major is "1", minor ""'],
    [{}, 'major is undefined, minor undefined'],
  ])('of its version is refused where it is none: %j', async (version, words) => {
    await expect(imported({ version })).rejects.toMatchObject({
      message: `the API server says no version: ${words}`,
      hint: expect.stringContaining('kubectl get --raw /version'),
    });
  });
});
