import type { Json } from '../../../src/kube/manifest.js';
import { customDefinitions } from './grammar/custom.js';
import { isMap } from './json-edit.js';
import { moment } from './moment.js';
import type { JsonMap } from './operation.js';
import type { Target } from './target.js';

/** Makes `target` serve the custom resources of the grammars. */
export async function installDefinitions(target: Target): Promise<void> {
  const resource = 'apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const body of customDefinitions) {
    const created = await target.send({ id: 0, verb: 'create', resource, body });
    if (created.code !== 201 && created.code !== 409) {
      throw new Error(`${target.name} refuses a definition: ${JSON.stringify(created.body)}`);
    }
    const { name } = body['metadata'] as { readonly name: string };
    for (let tries = 0; ; tries++) {
      const { body: found } = await target.send({ id: 0, verb: 'get', resource, name });
      if (isEstablished(found)) break;
      if (tries === 400) throw new Error(`${target.name} does not establish ${name}: ${JSON.stringify(found)}`);
      await moment();
    }
  }
  // A definition that is established is served a moment later.
  for (const body of customDefinitions) {
    const spec = body['spec'] as {
      readonly group: string;
      readonly names: { readonly plural: string };
      readonly versions: readonly { readonly name: string }[];
    };
    for (const { name: version } of spec.versions) {
      for (let tries = 0; tries < 400; tries++) {
        const { code } = await target.send({
          id: 0,
          verb: 'list',
          resource: `${spec.group}/${version}/${spec.names.plural}`,
        });
        if (code === 200) break;
        await moment();
      }
    }
  }
}

function isEstablished(definition: Json | undefined): boolean {
  const status = isMap(definition) && isMap(definition['status']) ? definition['status'] : {};
  const conditions = (status['conditions'] ?? []) as readonly JsonMap[];
  return conditions.some((condition) => condition['type'] === 'Established' && condition['status'] === 'True');
}
