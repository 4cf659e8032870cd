import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/kube/manifest.js';
import { admissionHolder } from '../../src/webhooks/admission-holder.js';
import { Vault } from '../resource/a-guarded-kind.js';

const holder = admissionHolder('validate', 'vaults-webhook', [Vault]);
const ours = 'validate.vaults.versions.kilter.dev';
const url = 'https://127.0.0.1:9443';
const caBundle = Buffer.from('ours').toString('base64');
const service = { namespace: 'vaults-system', name: 'vaults-webhook' };
const webhook = (name: string, clientConfig: object) => ({ name, clientConfig });
const patchOf = (clientConfig: object) => ({
  type: 'strategic',
  body: { webhooks: [{ name: ours, clientConfig }] },
});

describe('a configuration of webhooks', () => {
  it.each<[string, readonly object[] | undefined, string | undefined, object | undefined]>([
    ['is told our authority', [webhook(ours, { service })], undefined, patchOf({ caBundle })],
    ['is told the one that counts', [webhook(ours, { service, caBundle: 'b2xk' })], undefined, patchOf({ caBundle })],
    [
      'is told where each kind is reviewed, where we are given a URL',
      [webhook(ours, { service, caBundle })],
      url,
      patchOf({ caBundle, url: `${url}/validate/vaults.versions.kilter.dev`, service: null }),
    ],
    ['that says so already is left so', [webhook(ours, { service, caBundle })], undefined, undefined],
    [
      'of which some webhooks are of others is told of ours alone',
      [webhook('validate.boxes.example.com', { service }), webhook(ours, { service })],
      undefined,
      patchOf({ caBundle }),
    ],
    ['of others alone is left to them', [webhook('validate.boxes.example.com', { service })], undefined, undefined],
    ['that has none is left so', undefined, undefined, undefined],
  ])('%s', (_, webhooks, given, patch) => {
    const present = { metadata: { name: 'vaults-webhook' }, ...(webhooks ? { webhooks } : {}) };
    expect(holder.missing(present as unknown as KubeObject, { ca: 'ours', url: given })).toEqual(patch);
  });
});
