import { expect, it } from '@jest/globals';
import { type ApiError, InvalidError, TransportError } from '../../../src/client/api-error.js';
import type { WriteOptions } from '../../../src/client/cluster.js';
import type { Writes } from '../../../src/runtime/writes/noted-writes.js';
import { refuseInVain } from '../../../src/runtime/writes/refuse-in-vain.js';
import { configMap, configMaps } from '../an-object.js';

const refused = (field: string, message: string) =>
  new InvalidError('refused', { status: { details: { causes: [{ reason: 'FieldValueInvalid', field, message }] } } });

/** What comes of it where the server answers so, to what is desired or to what others have, and what it was asked. */
async function asking(error?: ApiError, isOurFault = false) {
  let asked: WriteOptions | undefined;
  const apply = async (...[, , options]: Parameters<Writes['apply']>) => {
    asked = options;
    if (error) throw error;
    return configMap('a', 2);
  };
  const { signal } = new AbortController();
  const execution = { cluster: { apply } as unknown as Writes, manager: 'us', resource: configMaps, signal };
  const came = await refuseInVain(configMap('a', 1), execution, async () => isOurFault).catch(
    (thrown: unknown) => thrown,
  );
  return { came, dryRun: asked?.dryRun };
}

it.each<[string, ApiError | undefined, boolean, boolean]>([
  ['the server would take it', undefined, false, false],
  ['what is desired is invalid by itself', refused('data', 'Invalid value: "x": is not valid'), true, true],
  ['something of others may be in the way', refused('data', 'Invalid value: "x": is not valid'), false, false],
  ['a field cannot be changed', refused('data', 'Invalid value: "x": field is immutable'), true, false],
  ['the server does not answer', new TransportError('no answer'), true, false],
])('before anything is taken over it is asked by a dry run, where %s', async (_, error, isInVain, isOurFault) => {
  expect(await asking(error, isOurFault)).toEqual({ came: isInVain ? error : undefined, dryRun: true });
});
