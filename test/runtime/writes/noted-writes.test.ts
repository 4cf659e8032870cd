import { expect, it } from '@jest/globals';
import { TransportError } from '../../../src/client/api-error.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { notedWrites, type Writes } from '../../../src/runtime/writes/noted-writes.js';
import { configMap, configMaps } from '../an-object.js';

it('what writes have left of an object is noted in order, and nothing of what was only asked, or failed', async () => {
  let version = 1;
  const answer = async () => configMap('a', version++);
  const broken = async (): Promise<KubeObject> => {
    throw new TransportError('no answer');
  };
  const left: KubeObject[] = [];
  const at = { namespace: 'prod', name: 'a' };
  const [write, replace] = [{ fieldManager: 'us' }, { type: 'merge', body: {} }] as const;
  const writes = notedWrites({ apply: answer, patch: answer } as unknown as Writes, left);
  await writes.apply(configMaps, configMap('a', 1), { ...write, force: true, dryRun: true });
  await writes.apply(configMaps, configMap('a', 1), { ...write, force: true });
  await writes.patch(configMaps, at, replace, write);
  const failing = notedWrites({ apply: broken, patch: broken } as unknown as Writes, left);
  await expect(failing.apply(configMaps, configMap('a', 1), { ...write, force: true })).rejects.toThrow('no answer');
  await expect(failing.patch(configMaps, at, replace, write)).rejects.toThrow('no answer');
  expect(left.map(({ metadata }) => metadata.resourceVersion)).toEqual(['2', '3']);
});
