import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { decodeObject } from '../../../../src/embedded/http/protobuf/decode-message.js';
import type { Json, KubeObject } from '../../../../src/kube/manifest.js';
import { onRealCluster } from '../../../cluster/on-real-cluster.js';

const container = {
  name: 'a',
  image: 'x',
  args: ['', 'b'],
  env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: false } } }],
  ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }],
  resources: { limits: { cpu: '1500m', memory: '1Gi' }, requests: { cpu: '10m' } },
  livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 3 },
  readinessProbe: { tcpSocket: { port: 80 } },
  securityContext: { runAsUser: 0, runAsNonRoot: false, capabilities: { drop: ['ALL'] } },
};
const volumes = [
  { name: 'e', emptyDir: { sizeLimit: '1Mi' } },
  {
    name: 'p',
    projected: { defaultMode: 420, sources: [{ secret: { name: 's', items: [{ key: 'k', path: 'p', mode: 256 }] } }] },
  },
];
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [container], volumes, securityContext: { supplementalGroups: [1, 2 ** 31 - 1] } },
};
const named = {
  metadata: { name: 'x', labels: { 'a/b': '' }, annotations: { note: 'é😀' }, finalizers: ['a.b/c'] },
};

const objects: readonly (readonly [path: string, object: object])[] = [
  [
    '/api/v1/namespaces/default/configmaps',
    { ...named, data: { a: '', b: 'c' }, binaryData: { x: '/w==' }, immutable: false },
  ],
  ['/api/v1/namespaces/default/secrets', { ...named, data: { a: 'Yg==', empty: '' }, type: 'a/b' }],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    {
      ...named,
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: 'b' } },
        template,
        strategy: { rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } },
      },
    },
  ],
  [
    '/api/v1/namespaces/default/services',
    {
      ...named,
      spec: {
        ports: [
          { name: 'm', port: 80, targetPort: 'web' },
          { name: 'n', port: 81, targetPort: 8080 },
        ],
        selector: { a: 'b' },
      },
    },
  ],
  [
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    { ...named, spec: { holderIdentity: 'h', renewTime: '2030-01-02T03:04:05.678901Z', leaseTransitions: 3 } },
  ],
  [
    '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    {
      ...named,
      spec: { minAvailable: '50%', selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } },
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    { ...named, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  ],
  [
    '/apis/apps/v1/namespaces/default/controllerrevisions',
    { ...named, revision: 9007199254740991, data: { any: [1, { thing: null }] } },
  ],
  [
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    {
      ...named,
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'b' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
      },
    },
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      metadata: { name: 'ducks.pond.example' },
      spec: {
        group: 'pond.example',
        scope: 'Cluster',
        names: { plural: 'ducks', kind: 'Duck' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  a: { type: 'array', items: { type: 'string' }, default: ['x'] },
                  m: { type: 'object', additionalProperties: { type: 'number', minimum: 0.5 } },
                },
              },
            },
          },
        ],
      },
    },
  ],
];

onRealCluster('protobuf of the real server', {}, (plane) => {
  let dispatcher: Agent;
  beforeAll(() => {
    dispatcher = new Agent({ connect: { ca: plane().ca } });
  });
  afterAll(() => dispatcher.close());

  const ask = async (method: 'GET' | 'POST', path: string, accept: string, body?: object) => {
    const headers = { authorization: `Bearer ${plane().adminToken}`, accept, 'content-type': 'application/json' };
    const answer = await request(plane().url + path, {
      method,
      dispatcher,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    return Buffer.from(await answer.body.arrayBuffer());
  };

  it.each(objects)('is read as what JSON says: %s', async (path, object) => {
    const made = JSON.parse((await ask('POST', path, 'application/json', object)).toString());
    expect(made).not.toHaveProperty('message');
    const { metadata } = made;
    const one = `${path}/${metadata.name}`;
    const asJson = async () => JSON.parse((await ask('GET', one, 'application/json')).toString()) as KubeObject;
    let [json, read] = [await asJson(), undefined as Json | undefined];
    // The server goes on to write the status of a definition.
    for (let version = ''; version !== json.metadata.resourceVersion; json = await asJson()) {
      version = json.metadata.resourceVersion;
      read = decodeObject(await ask('GET', one, 'application/vnd.kubernetes.protobuf'));
    }
    expect(withoutEmpty(read ?? null)).toEqual(withoutEmpty(json as unknown as Json));
  });
});

describe('bytes that are no object', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'expected prefix [107 56 115 0]'],
    ['text', Buffer.from('{"kind":"Pod"}'), 'expected prefix [107 56 115 0]'],
    ['the prefix alone', Buffer.from('k8s\0'), 'no message is known of kind ""'],
    ['an end too early', Buffer.from('k8s\0\n\x7f'), 'unexpected EOF'],
    ['a number without end', Buffer.from([...Buffer.from('k8s\0'), ...Array(11).fill(0xff)]), 'integer overflow'],
    ['groups', Buffer.from([...Buffer.from('k8s\0'), 0x0b]), 'illegal wireType 3'],
    ['a tag of 0', Buffer.from('k8s\0\0\0'), 'illegal tag 0'],
  ])('such as %s are refused', (_, bytes, message) => {
    expect(() => decodeObject(bytes)).toThrow(message);
  });

  it('of any kind, cut off or with a bit turned, are refused or read, and nothing else', () => {
    const whole = Buffer.concat([
      Buffer.from('k8s\0'),
      field(1, field(1, 'v1'), field(2, 'ConfigMap')),
      field(2, field(1, field(1, 'name')), field(2, field(1, 'key'), field(2, 'value'))),
    ]);
    expect(decodeObject(whole)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'name' },
      data: { key: 'value' },
    });
    for (let at = 4; at < whole.length; at++) {
      for (const bytes of [whole.subarray(0, at), ...Array.from({ length: 8 }, (_, bit) => turned(whole, at, bit))]) {
        try {
          decodeObject(bytes);
        } catch (error) {
          expect((error as Error).name).toBe('WireError');
        }
      }
    }
  });
});

function field(number: number, ...content: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}

function turned(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

/** Go's JSON has empty structs and zeros that protobuf, as it is read here, does not, and the other way round. */
function withoutEmpty(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item as Json) ?? null);
  if (typeof value !== 'object' || value === null)
    return value === 0 || value === false || value === '' ? undefined : (value ?? undefined);
  const entries = Object.entries(value).flatMap(([key, child]) => {
    const kept = withoutEmpty(child);
    return kept === undefined || kept === null ? [] : [[key, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
