import type { Json } from '../../../src/kube/manifest.js';
import { partsDefinition } from './grammar/parts.js';
import { at, isMap } from './json-edit.js';
import { moment } from './moment.js';
import type { JsonMap, Operation } from './operation.js';
import type { Outcome } from './outcome.js';
import type { Target } from './target.js';

/** A definition, once it is established under the names that it has, or they are refused, or there is none. */
export async function settledDefinition(operation: Operation, target: Target, prefix: string): Promise<Outcome> {
  for (let tries = 0; ; tries++) {
    const outcome = await target.send({ ...operation, verb: 'get' });
    const conditions = (at(outcome.body, ['status', 'conditions']) ?? []) as readonly JsonMap[];
    const is = (type: string, value: string) =>
      conditions.some((each) => each['type'] === type && each['status'] === value);
    const isOver = is('NamesAccepted', 'False') || (is('Established', 'True') && hasItsNames(outcome.body));
    if (outcome.code !== 200 || isOver || tries === 200) {
      const own = (text: string) => text.replaceAll('{ns}', prefix);
      if (operation.name === own(partsDefinition.name)) {
        await untilServed(outcome.body, own(partsDefinition.group), target, prefix);
      }
      return outcome;
    }
    await moment();
  }
}

/** A controller accepts the names of a definition, at its own pace each time that they change. */
function hasItsNames(definition: Json | undefined): boolean {
  const names = at(definition, ['spec', 'names']);
  const accepted = at(definition, ['status', 'acceptedNames']);
  const shown = (value: Json | undefined) => JSON.stringify(isMap(value) ? Object.entries(value).sort() : value);
  return shown(names) === shown(accepted);
}

/**
 * A server takes a moment to serve a definition as it has become, or none where it is gone: its mark, a default of each
 * schema, shows when.
 */
async function untilServed(
  definition: Json | undefined,
  group: string,
  target: Target,
  namespace: string,
): Promise<void> {
  const versions = (at(definition, ['spec', 'versions']) ?? []) as readonly JsonMap[];
  for (const version of ['v1', 'v2']) {
    const found = versions.find(({ name, served }) => name === version && served === true);
    const mark = at(found, ['schema', 'openAPIV3Schema', 'properties', 'mark', 'default']);
    const apiVersion = `${group}/${version}`;
    const body = { apiVersion, kind: 'Part', metadata: { name: 'probe' } };
    const query = { dryRun: 'All' };
    const probe = { id: 0, verb: 'create', resource: `${apiVersion}/parts`, namespace, body, query } as const;
    for (let tries = 0; tries < 200; tries++) {
      const { code, body: answer } = await target.send(probe);
      if (found ? at(answer, ['mark']) === mark : code === 404) break;
      await moment();
    }
  }
}
