import { describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../src/client/cluster.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { conversionHolder } from '../../src/webhooks/conversion-holder.js';

const own = { namespace: 'cache-system', name: 'cache-webhook' };
const kind = { apiVersion: 'cache.example.com/v1', kind: 'Cache', plural: 'caches', namespaced: true } as const;
const holder = conversionHolder({ ...kind, group: 'cache.example.com' }, own);
const [v1, v1beta1] = ['v1', 'v1beta1'].map((name) => ({ name, served: true, storage: name === 'v1' }));
const definition = (conversion: object, versions: readonly object[] = [v1!, v1beta1!], storedVersions = ['v1']) =>
  ({ spec: { conversion, versions }, status: { storedVersions } }) as unknown as KubeObject;
const by = (service: object, ...more: [versions?: readonly object[], storedVersions?: string[]]) =>
  definition({ strategy: 'Webhook', webhook: { clientConfig: { service, caBundle: 'b3VycyE=' } } }, ...more);
const unserved = [v1!, { ...v1beta1!, served: false }];
const byNobody = (versions?: readonly object[]) =>
  definition({ strategy: 'Webhook', webhook: { clientConfig: { service: own } } }, versions);
const withoutBundle = byNobody(unserved);
const url = 'https://127.0.0.1:9443';
const caBundle = Buffer.from('ours').toString('base64');
const at = (place: string) => definition({ strategy: 'Webhook', webhook: { clientConfig: { url: place, caBundle } } });
const patchOf = (clientConfig: object | undefined) =>
  clientConfig && { type: 'merge', body: { spec: { conversion: { webhook: { clientConfig } } } } };

describe('a definition whose objects are converted', () => {
  it.each<[string, KubeObject, string | undefined, object | undefined]>([
    ['by us is told our authority', by(own), undefined, { caBundle }],
    ['by another install is left to that', by({ ...own, namespace: 'other-system' }), undefined, undefined],
    ['by another of the namespace is left to that', by({ ...own, name: 'other-webhook' }), undefined, undefined],
    ['by nobody is left so', definition({ strategy: 'None' }), undefined, undefined],
    [
      'at the URL that we are given is told so, whoever did it before',
      by({ ...own, namespace: 'other-system' }),
      url,
      { caBundle, url: `${url}/convert`, service: null },
    ],
    [
      'at the URL of a replica that shows the same is left so',
      at('https://10.0.0.1:9443/convert'),
      undefined,
      undefined,
    ],
    [
      'at a URL where nobody of ours is any more is told where we are',
      at('https://10.0.0.1:9443/convert'),
      url,
      { caBundle, url: `${url}/convert`, service: null },
    ],
    ['at the URL where we are is left so', at(`${url}/convert`), url, undefined],
    ['of whose authority nobody has told yet is told it', byNobody(), undefined, { caBundle }],
    ['of which some are stored otherwise is told it', by(own, unserved, ['v1beta1', 'v1']), undefined, { caBundle }],
    ['where there is none to convert is not', withoutBundle, undefined, undefined],
    ['that has one is told the one that counts', by(own, unserved), undefined, { caBundle }],
  ])('%s', (_, present, given, clientConfig) => {
    expect(holder.missing(present, { ca: 'ours', url: given })).toEqual(patchOf(clientConfig));
  });

  it.each<[string, KubeObject, string | undefined, object | undefined]>([
    ['once there is none to convert', by(own, unserved), undefined, { caBundle: null }],
    ['but that of another install', by({ ...own, name: 'other-webhook' }, unserved), undefined, undefined],
    ['but what is said of a URL', by(own, unserved), url, undefined],
    ['but while one is served otherwise', by(own), undefined, undefined],
    ['but while one is stored otherwise', by(own, unserved, ['v1beta1', 'v1']), undefined, undefined],
  ])('is let go of %s', (_, present, given, clientConfig) => {
    expect(holder.superfluous?.(present, { ca: 'ours', url: given })).toEqual(patchOf(clientConfig));
  });

  it.each([
    ['while it is told of an object that it was written in an older version', ['v1', 'v1beta1'], false],
    ['once all that is told is told in the present one', ['v1', 'v1'], true],
    ['where nothing is told of who wrote', [], true],
  ])('is free %s', async (_, versions, isFree) => {
    const managedFields = versions.map((version) => ({
      manager: version,
      operation: 'Apply' as const,
      apiVersion: `cache.example.com/${version}`,
    }));
    const items = [undefined, managedFields].map((fields, index) => ({
      metadata: {
        name: `${index}`,
        uid: `${index}`,
        resourceVersion: '1',
        ...(fields ? { managedFields: fields } : {}),
      },
    }));
    const list = async () => ({ items, resourceVersion: '1' });
    const cluster = { list } as unknown as Cluster;
    expect(await holder.isFree?.(cluster, new AbortController().signal)).toBe(isFree);
  });
});
