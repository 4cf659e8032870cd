import type { Judged } from './judged.js';

const named = (fields: object) => ({ metadata: { name: 'conf' }, ...fields });
const base64 = (text: string) => Buffer.from(text).toString('base64');

export const configMaps: Judged = {
  kind: 'ConfigMap',
  bodies: [
    ['nothing', named({})],
    ['data of both kinds', named({ data: { a: 'b' }, binaryData: { c: base64('d') } })],
    ['a bad key', named({ data: { 'a b': '' } })],
    ['a key of dots', named({ data: { '..': '' } })],
    ['a key of one dot', named({ data: { '.': '' } })],
    ['a key that begins with dots', named({ data: { '..a': '' } })],
    ['a long key', named({ data: { ['a'.repeat(254)]: '' } })],
    ['an empty key', named({ data: { '': '' } })],
    ['a key in both', named({ data: { a: '' }, binaryData: { a: '' } })],
    ['a bad binary key', named({ binaryData: { 'a/b': '' } })],
    ['too much', named({ data: { a: 'x'.repeat(1_048_577) } })],
    ['as much as may be', named({ data: { a: 'x'.repeat(1_000_000) }, binaryData: { b: base64('x'.repeat(48_576)) } })],
    ['too much in bytes', named({ data: { a: 'ä'.repeat(524_289) } })],
    ['a name with capitals', { metadata: { name: 'Conf' } }],
    ['a long name', { metadata: { name: 'a'.repeat(254) } }],
  ],
  changes: [
    ['of what is immutable', named({ data: { a: 'b' }, immutable: true }), { data: { a: 'c' } }],
    ['of binary data of what is immutable', named({ immutable: true }), { binaryData: { a: base64('b') } }],
    ['to mutable again', named({ data: { a: 'b' }, immutable: true }), { immutable: false }],
    [
      'of labels of what is immutable',
      named({ data: { a: 'b' }, immutable: true }),
      { metadata: { labels: { a: 'b' } } },
    ],
    ['to immutable', named({ data: { a: 'b' } }), { immutable: true, data: { a: 'c' } }],
    ['to a bad key', named({ data: { a: 'b' } }), { data: { 'a b': 'c' } }],
  ],
};

const docker = (content: string) =>
  named({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64(content) } });

export const secrets: Judged = {
  kind: 'Secret',
  bodies: [
    ['nothing', named({})],
    ['text over data', named({ data: { a: base64('1'), b: base64('2') }, stringData: { a: 'ä' } })],
    ['a bad key', named({ stringData: { 'a b': '' } })],
    ['too much', named({ stringData: { a: 'x'.repeat(1_048_577) } })],
    ['a certificate', named({ type: 'kubernetes.io/tls', stringData: { 'tls.crt': '', 'tls.key': '' } })],
    ['half a certificate', named({ type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a' } })],
    ['no certificate', named({ type: 'kubernetes.io/tls' })],
    ['a password', named({ type: 'kubernetes.io/basic-auth', stringData: { password: 'a' } })],
    ['no password', named({ type: 'kubernetes.io/basic-auth' })],
    ['a key', named({ type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': 'a' } })],
    ['an empty key', named({ type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } })],
    ['a token of nobody', named({ type: 'kubernetes.io/service-account-token' })],
    [
      'a token',
      {
        metadata: { name: 'conf', annotations: { 'kubernetes.io/service-account.name': 'default' } },
        type: 'kubernetes.io/service-account-token',
      },
    ],
    ['no configuration of docker', named({ type: 'kubernetes.io/dockercfg' })],
    ['a configuration of docker', docker('{"auths":{"a":[1,2.5e3,true,null,"\\u00e4"]}}')],
    ['one that is null', docker('null')],
    ['one that is empty', docker('')],
    ['one that is a list', docker('[1]')],
    ['one that is a text', docker('"a"')],
    ['one that is a number', docker(' 12')],
    ['one that is a truth', docker('true')],
    ['one that is a word', docker('word')],
    ['one that ends too early', docker('{"a":')],
    ['one that goes on', docker('{} x')],
    ['one with a bad key', docker('{a: 1}')],
    ['one without a colon', docker('{"a" 1}')],
    ['one without a comma', docker('{"a": 1 "b": 2}')],
    ['one with a comma too many', docker('{"a": 1,}')],
    ['one with a bad list', docker('{"a": [1 2]}')],
    ['one with a bad literal', docker('{"a": nul}')],
    ['one with a bad number', docker('{"a": 1.x}')],
    ['one with a zero before', docker('{"a": 01}')],
    ['one with a bad escape', docker('{"a": "\\x"}')],
    ['one with a bad code', docker('{"a": "\\u12g4"}')],
    ['one with a line break', docker('{"a": "\n"}')],
    ['one with a quote of the wrong kind', docker("{'a': 1}")],
  ],
  changes: [
    ['of the type', named({}), { type: 'other' }],
    ['without a type', named({ type: 'other' }), { type: null }],
    ['of what is immutable', named({ data: { a: base64('b') }, immutable: true }), { data: { a: base64('c') } }],
    ['to mutable again', named({ immutable: true }), { immutable: null }],
    ['of text', named({ data: { a: base64('b') } }), { stringData: { a: 'c', d: 'e' } }],
  ],
};

export const serviceAccounts: Judged = {
  kind: 'ServiceAccount',
  bodies: [
    ['nothing', named({})],
    ['secrets with more than a name', named({ secrets: [{ name: 'a', namespace: 'b', kind: 'Secret' }, {}] })],
    ['secrets of images', named({ imagePullSecrets: [{ name: 'a' }], automountServiceAccountToken: false })],
    ['a bad name', { metadata: { name: 'a_b' } }],
  ],
  changes: [['of secrets', named({}), { secrets: [{ name: 'a', uid: 'b' }] }]],
};

export const namespaces: Judged = {
  kind: 'Namespace',
  bodies: [
    ['nothing', { metadata: { name: 'team' } }],
    ['a label of another name', { metadata: { name: 'team', labels: { 'kubernetes.io/metadata.name': 'x', a: 'b' } } }],
    ['a finalizer of its own', { metadata: { name: 'team' }, spec: { finalizers: ['example.com/a'] } }],
    ['a bad finalizer', { metadata: { name: 'team' }, spec: { finalizers: ['a b', 'other'] } }],
    ['a status', { metadata: { name: 'team' }, status: { phase: 'Terminating' } }],
    ['a name with dots', { metadata: { name: 'a.b' } }],
    ['a long name', { metadata: { name: 'a'.repeat(64) } }],
  ],
};

export const nodes: Judged = {
  kind: 'Node',
  bodies: [
    ['nothing', { metadata: { name: 'node' } }],
    ['what it has', { metadata: { name: 'node' }, status: { capacity: { cpu: '4', memory: '16Gi', pods: '110' } } }],
    ['less than nothing', { metadata: { name: 'node' }, status: { capacity: { cpu: '-1' } } }],
    ['half a pod', { metadata: { name: 'node' }, status: { capacity: { pods: '1500m' } } }],
    ['taints', { metadata: { name: 'node' }, spec: { taints: [{ key: 'a/b', value: 'c', effect: 'NoExecute' }] } }],
    [
      'bad taints',
      { metadata: { name: 'node' }, spec: { taints: [{ key: 'a b', value: 'c d', effect: 'Never' }, { key: 'a' }] } },
    ],
    [
      'a taint twice',
      {
        metadata: { name: 'node' },
        spec: {
          taints: [
            { key: 'a', effect: 'NoExecute' },
            { key: 'a', value: 'b', effect: 'NoExecute' },
          ],
        },
      },
    ],
    ['a range', { metadata: { name: 'node' }, spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } }],
    [
      'ranges of one family',
      { metadata: { name: 'node' }, spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] } },
    ],
    ['a bad range', { metadata: { name: 'node' }, spec: { podCIDR: 'x', podCIDRs: ['x'] } }],
  ],
  changes: [
    [
      'of the range',
      { metadata: { name: 'node' }, spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
      { spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] } },
    ],
    ['of the machine', { metadata: { name: 'node' }, spec: { providerID: 'a' } }, { spec: { providerID: 'b' } }],
    ['to be left alone', { metadata: { name: 'node' } }, { spec: { unschedulable: true } }],
  ],
  statuses: [
    [
      'an address twice',
      { metadata: { name: 'node' } },
      {
        status: {
          addresses: [
            { type: 'Hostname', address: 'a' },
            { type: 'Hostname', address: 'a' },
          ],
        },
      },
    ],
    [
      'ready',
      { metadata: { name: 'node' } },
      { status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
  ],
};
