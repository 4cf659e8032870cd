import { describe, expect, it } from '@jest/globals';
import type { Read } from '../../../src/compose/reads.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Consents } from '../../../src/runtime/author/consents.js';

const read = { type: 'one', resource: { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true } };
const cr: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Page',
  metadata: { name: 'a', namespace: 'default', uid: '1', resourceVersion: '1' },
};

describe('a Namespace that was vouched for', () => {
  let asked: string[] = [];
  const namespace = (name: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: name, resourceVersion: '1' },
  });
  const list = async (_: unknown, { fieldSelector = '' }: { readonly fieldSelector?: string } = {}) => {
    asked.push(fieldSelector);
    return { items: [namespace(fieldSelector.replace('metadata.name=', ''))], resourceVersion: '1' };
  };
  const namespaces = { get: (_: string | undefined, name: string) => namespace(name) };
  const begin = () => {
    asked = [];
    return new Consents({ reach: 'consent', isAssumed: false, namespaces } as never);
  };
  /** One round, in which `key` reads in a namespace. */
  const round = (consents: Consents, key: string, from: string) => {
    consents.askAnew(key);
    const selections = { secret: { kind: 'Secret', namespace: from, name: 's', labels: {} } };
    consents.inputs(key, cr, { secret: read as unknown as Read }, { selections, inputs: {} } as never);
  };
  const vouch = (consents: Consents, key: string) => consents.vouched(key, list as never, () => 1);

  it('is asked for once, for as long as anybody asks it for its consent', async () => {
    const consents = begin();
    for (const key of ['a', 'b']) {
      round(consents, key, 'far');
      expect(await vouch(consents, key)).toBe(1);
      round(consents, key, 'far');
    }
    consents.forget('a');
    round(consents, 'b', 'far');
    expect(await vouch(consents, 'b')).toBe(1);
    expect(asked).toEqual(['metadata.name=far']);
  });

  it('is forgotten when who asked it asks others, and is there still', async () => {
    const consents = begin();
    round(consents, 'a', 'far');
    await vouch(consents, 'a');
    for (const other of ['one', 'two']) round(consents, 'a', other);
    round(consents, 'b', 'far');
    await vouch(consents, 'b');
    expect(asked).toEqual(['metadata.name=far', 'metadata.name=far']);
  });
});
