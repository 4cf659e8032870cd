import { describe, expect, it } from '@jest/globals';
import { type ApiError, ConflictError, NotFoundError } from '../../../src/client/api-error.js';
import type { Cluster } from '../../../src/client/cluster.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import {
  addFinalizer,
  hasFinalizer,
  isForced,
  removeFinalizer,
  unheededForce,
} from '../../../src/runtime/writes/finalizer.js';
import { configMap } from '../an-object.js';

const resource = { apiVersion: 'example.com/v1', kind: 'Cache', plural: 'caches', namespaced: true };
const cr = (rest: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  ...configMap('a', 7, rest),
  apiVersion: resource.apiVersion,
  kind: resource.kind,
});
const ours = 'example.com/finalizer';

/** What is sent for it, and what comes back. */
async function by(write: typeof addFinalizer | typeof removeFinalizer, subject: KubeObject, error?: ApiError) {
  const sent: unknown[] = [];
  const patch: Cluster['patch'] = async (_, target, { operations }: never) => {
    sent.push(target, ...(operations as readonly unknown[]));
    if (error) throw error;
    return cr({ resourceVersion: '8' });
  };
  const { signal } = new AbortController();
  const came = await write(subject, { cluster: { patch } as Cluster, resource, manager: 'us', signal });
  return { sent, came };
}
const atSeven = { op: 'replace', path: '/metadata/resourceVersion', value: '7' };
const target = { namespace: 'prod', name: 'a' };

describe('the finalizer of a custom resource', () => {
  it.each([
    ['the first', undefined, { op: 'add', path: '/metadata/finalizers', value: [ours] }],
    ['after those of others', ['x/y'], { op: 'add', path: '/metadata/finalizers/-', value: ours }],
  ])('is added %s, to the version that was read', async (_, finalizers, operation) => {
    const { sent, came } = await by(addFinalizer, cr(finalizers ? { finalizers } : {}));
    expect(sent).toEqual([target, atSeven, operation]);
    expect(came?.metadata.resourceVersion).toBe('8');
  });

  it('is not added twice', async () => {
    const has = cr({ finalizers: ['x/y', ours] });
    expect(hasFinalizer(has)).toBe(true);
    expect(await by(addFinalizer, has)).toEqual({ sent: [], came: has });
  });

  it('is taken away, and no other', async () => {
    const { sent } = await by(removeFinalizer, cr({ finalizers: ['x/y', ours, 'z/w'] }));
    expect(sent).toEqual([target, atSeven, { op: 'remove', path: '/metadata/finalizers/1' }]);
    expect((await by(removeFinalizer, cr({ finalizers: ['x/y'] }))).sent).toEqual([]);
  });

  it('is gone with the custom resource, and is a conflict where that has changed', async () => {
    const has = cr({ finalizers: [ours] });
    await expect(by(removeFinalizer, has, new NotFoundError('404'))).resolves.toMatchObject({});
    await expect(by(removeFinalizer, has, new ConflictError('409'))).rejects.toThrow(ConflictError);
    await expect(by(addFinalizer, cr(), new ConflictError('409'))).rejects.toThrow(ConflictError);
  });
});

it.each([
  [undefined, false, undefined],
  ['true', true, undefined],
  ['false', false, undefined],
  ['yes', false, 'the annotation example.com/force-release is "yes", and only "true" lets it go'],
  ['True', false, 'the annotation example.com/force-release is "True", and only "true" lets it go'],
])('force-release as %s lets a custom resource go: %s', (word, lets, told) => {
  const asked = cr(word === undefined ? {} : { annotations: { 'example.com/force-release': word } });
  expect([isForced(asked), unheededForce(asked)]).toEqual([lets, told]);
});
