import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/kube/manifest.js';
import { conversionHolder } from '../../src/webhooks/conversion-holder.js';

const own = { namespace: 'cache-system', name: 'cache-webhook' };
const holder = conversionHolder({ plural: 'caches', group: 'cache.example.com' }, own);
const definition = (conversion: object) => ({ spec: { conversion } }) as unknown as KubeObject;
const by = (service: object) => definition({ strategy: 'Webhook', webhook: { clientConfig: { service } } });
const caBundle = Buffer.from('ours').toString('base64');

describe('a definition whose objects are converted', () => {
  it.each<[string, KubeObject, string | undefined, object | undefined]>([
    ['by us is told our authority', by(own), undefined, { caBundle }],
    ['by another install is left to that', by({ ...own, namespace: 'other-system' }), undefined, undefined],
    ['by another of the namespace is left to that', by({ ...own, name: 'other-webhook' }), undefined, undefined],
    ['by nobody is left so', definition({ strategy: 'None' }), undefined, undefined],
    [
      'at the URL that we are given is told so, whoever did it before',
      by({ ...own, namespace: 'other-system' }),
      'https://127.0.0.1:9443',
      { caBundle, url: 'https://127.0.0.1:9443/convert', service: null },
    ],
  ])('%s', (_, present, url, clientConfig) => {
    expect(holder.missing(present, { ca: 'ours', url })).toEqual(
      clientConfig && { type: 'merge', body: { spec: { conversion: { webhook: { clientConfig } } } } },
    );
  });
});
