import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import type { Manifest } from '../../src/kube/manifest.js';
import { operatorDeployment, readDist, serviceAccountOf } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { packageRoot } from '../cluster/package-root.js';

const page = readFileSync(join(packageRoot, 'docs/operations.md'), 'utf8');
const [, example = ''] = /```yaml\n(apiVersion: flowcontrol[\s\S]*?)```/.exec(page) ?? [];
const name = (parse(example) as Manifest).metadata.name;

const rendered = readDist();
const account = serviceAccountOf(operatorDeployment(rendered));
const role = rendered.find(({ manifest: { kind, metadata } }) => kind === 'Role' && metadata.name === name)!;
const { rules } = role.manifest as Manifest & {
  rules: readonly { readonly apiGroups: readonly string[]; readonly verbs: readonly string[] }[];
};
const verbs = rules.filter(({ apiGroups }) => apiGroups.includes('coordination.k8s.io')).flatMap((rule) => rule.verbs);

const all = `/apis/coordination.k8s.io/v1/namespaces/${account.namespace}/leases`;
const one = `${all}/memcached-operator`;
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'memcached-operator', namespace: account.namespace },
};
const calls: Readonly<Record<string, readonly [method: 'GET' | 'POST' | 'PUT', path: string]>> = {
  create: ['POST', all],
  get: ['GET', one],
  update: ['PUT', one],
  watch: ['GET', `${all}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dmemcached-operator`],
};

onRealCluster('the FlowSchema that the page about operations shows', {}, (plane) => {
  let server: Agent;
  let token: string;
  let uid: string;

  beforeAll(async () => {
    server = new Agent({ connect: { ca: plane().ca } });
    await plane().kubectl(['create', 'namespace', account.namespace]);
    token = await plane().serviceAccountToken(account.namespace, account.name);
    await plane().kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], { stdin: example });
    uid = (await plane().kubectl(['get', 'flowschema', name, '-o', 'jsonpath={.metadata.uid}'])).stdout;
  });
  afterAll(() => server?.destroy());

  /** The FlowSchema that the API server counted a call of the operator's account to, by its uid. */
  async function countedTo(method: 'GET' | 'POST' | 'PUT', path: string): Promise<unknown> {
    const { headers, body } = await request(`${plane().url}${path}`, {
      method,
      dispatcher: server,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: method === 'GET' ? null : JSON.stringify(lease),
    });
    await body.dump();
    return headers['x-kubernetes-pf-flowschema-uid'];
  }

  it.each(verbs)('is that of a Lease, as the operator may %s it', async (verb) => {
    const [method, path] = calls[verb]!;
    // A FlowSchema counts from when the API server has heard of it.
    await eventually(async () => expect(await countedTo(method, path)).toBe(uid));
  });

  it('is not that of anything else', async () => {
    expect(await countedTo('GET', all.replace('leases', 'leasecandidates'))).not.toBe(uid);
    expect(await countedTo('GET', one.replace(account.namespace, 'default'))).not.toBe(uid);
  });
});
