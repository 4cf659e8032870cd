import { expect, it } from '@jest/globals';
import {
  ForbiddenError,
  InvalidError,
  RetryAfterError,
  TransportError,
  UnauthorizedError,
} from '../../../src/client/api-error.js';
import type { Writes } from '../../../src/runtime/writes/noted-writes.js';
import { isInvalidAlone } from '../../../src/runtime/writes/refused-anew.js';

const resource = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
/** Whether a child is refused for itself, where the API server answers `error` to whether it would take a new one. */
const asked = (error: Error) => {
  const cluster = { create: () => Promise.reject(error) } as unknown as Writes;
  const { signal } = new AbortController();
  return isInvalidAlone(manifest, new InvalidError('refused'), { cluster, manager: 'm', resource, signal });
};

it.each([new TransportError('500'), new RetryAfterError('429', 1), new UnauthorizedError('401')])(
  'that nothing of others is in the way is not known of a server that fails all, so that nothing is taken: by %s',
  async (error) => {
    await expect(asked(error)).rejects.toBe(error);
  },
);

it('who may make no new child may still have something of others in the way', async () => {
  expect(await asked(new ForbiddenError('403'))).toBe(false);
});
