import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { admin, EmbeddedServer } from '../../../../src/embedded/embedded-server.js';
import type { Json } from '../../../../src/kube/manifest.js';
import { onRealCluster } from '../../../cluster/on-real-cluster.js';

const web = { name: 'web', image: 'nginx:1.27' };
const template = (spec: object, metadata: object = {}) => ({
  metadata: { labels: { app: 'web' }, ...metadata },
  spec: { containers: [web], ...spec },
});
const deployment = (spec: object, metadata: object = {}, name = 'web') => ({
  metadata: { name },
  spec: { selector: { matchLabels: { app: 'web' } }, template: template(spec, metadata) },
});
const container = (fields: object) => deployment({ containers: [{ ...web, ...fields }] });
const two = (a: object, b: object) =>
  deployment({
    containers: [
      { ...web, ports: [a] },
      { ...web, name: 'db', ports: [b] },
    ],
  });

onRealCluster('the advice on workloads, beside the real API server', {}, (plane) => {
  let agent: Agent;
  beforeAll(() => {
    agent = new Agent({ connect: { ca: plane().ca } });
  });
  afterAll(() => agent.close());

  it.each([
    ['nothing to say', deployment({})],
    ['a name with dots', deployment({}, {}, 'a.b')],
    ['an old label of nodes', deployment({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } })],
    [
      'old labels in affinity',
      deployment({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] }],
            },
          },
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] },
        },
      }),
    ],
    [
      'a spread over all',
      deployment({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
        ],
      }),
    ],
    ['a variable twice', container({ env: [{ name: 'A' }, { name: 'A', value: '$(A)b' }, { name: 'A', value: 'c' }] })],
    ['half a byte', container({ resources: { requests: { memory: '500m' }, limits: { memory: '1500m' } } })],
    ['one port twice', two({ containerPort: 80, name: 'http' }, { containerPort: 80, name: 'http' })],
    ['one port on the host too', two({ containerPort: 80 }, { containerPort: 80, hostPort: 80 })],
    ['an address without a port', container({ ports: [{ containerPort: 80, hostIP: '1.2.3.4' }] })],
    ['old volumes', deployment({ volumes: [{ name: 'a', cephfs: { monitors: ['a'] } }] })],
    ['a secret for images twice', deployment({ imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] })],
    ['an alias twice', deployment({ hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }] })],
    ['a negative grace period', deployment({ terminationGracePeriodSeconds: -1 })],
    ['an old annotation', deployment({}, { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } })],
  ])('is the same for %s', async (_, body) => {
    const server = new EmbeddedServer({ controllers: false, keepsUnenforced: true });
    const kind = server.kinds.resource('apps', 'v1', 'deployments')!;
    const ours = server.verbs.create(kind, 'default', body as Json, { caller: admin, dryRun: true });
    const answer = await request(`${plane().url}/apis/apps/v1/namespaces/default/deployments?dryRun=All`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${plane().adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.body.dump();
    expect(ours.warnings).toEqual(warningsIn(answer.headers['warning']));
  });
});

/** The texts of `299 - "..."`, of which there may be several in one header. */
function warningsIn(header: string | string[] | undefined): readonly string[] {
  const text = header === undefined ? '' : [header].flat().join(', ');
  return [...text.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => JSON.parse(quoted!) as string);
}
