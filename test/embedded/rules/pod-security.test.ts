import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { type Asked, ask, type Question, withServed } from '../http/served.js';
import { untilSeen } from '../until-seen.js';

const main = { name: 'main', image: 'x' };
const secure = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};
const good = { containers: [{ ...main, securityContext: secure }] };
/** A container with this, beside one that is good. */
const container = (fields: object, securityContext: object = {}) => ({
  containers: [
    { ...main, securityContext: { ...secure, ...securityContext }, ...fields },
    { ...main, name: 'aside', securityContext: secure },
  ],
});
const security = (securityContext: object) => container({}, securityContext);
const ofPod = (securityContext: object) => ({ ...good, securityContext });
const volumes = (...sources: object[]) => ({
  ...good,
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const windows = { os: { name: 'windows' }, containers: [main] };

const pods: readonly (readonly [title: string, spec: object, annotations?: object])[] = [
  ['nothing bad', good],
  ['nothing said', { containers: [main] }],
  [
    'two containers and one to begin with',
    { containers: [main, { ...main, name: 'b' }], initContainers: [{ ...main, name: 'i' }] },
  ],
  ['the network of the host', { ...good, hostNetwork: true, hostPID: true }],
  ['the memory of the host', { ...good, hostIPC: true }],
  ['a path of the host', volumes({ hostPath: { path: '/' } })],
  [
    'two paths and other sources',
    volumes(
      { hostPath: { path: '/' } },
      { hostPath: { path: '/etc' } },
      { emptyDir: {} },
      { nfs: { server: 'a', path: '/' } },
    ),
  ],
  [
    'sources that are allowed',
    volumes({ configMap: { name: 'a' } }, { secret: { secretName: 'a' } }, { projected: { sources: [] } }),
  ],
  [
    'ports of the host',
    container({
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 9, hostPort: 9 },
      ],
    }),
  ],
  [
    'a host in a probe',
    container({
      livenessProbe: { httpGet: { port: 80, host: 'b.c' } },
      readinessProbe: { tcpSocket: { port: 80, host: '1.2.3.4' } },
    }),
  ],
  ['a host in a handler', container({ lifecycle: { preStop: { httpGet: { port: 80, host: 'b.c' } } } })],
  ['privileged', security({ privileged: true, allowPrivilegeEscalation: true })],
  ['a bare proc', { ...security({ procMount: 'Unmasked' }), hostUsers: false }],
  ['capabilities beyond the usual', security({ capabilities: { add: ['SYS_TIME', 'NET_ADMIN', 'KILL'] } })],
  ['the capability that may be added', security({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })],
  ['labels of SELinux', ofPod({ seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } })],
  ['labels of SELinux for a container', security({ seLinuxOptions: { type: 'container_engine_t' } })],
  ['no seccomp', ofPod({ seccompProfile: { type: 'Unconfined' } })],
  ['no seccomp for a container', security({ seccompProfile: { type: 'Unconfined' } })],
  [
    'seccomp for the Pod',
    {
      containers: [{ ...main, securityContext: { ...secure, seccompProfile: undefined } }],
      securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a' } },
    },
  ],
  ['no AppArmor', ofPod({ appArmorProfile: { type: 'Unconfined' } })],
  ['no AppArmor for a container', security({ appArmorProfile: { type: 'Unconfined' } })],
  ['no AppArmor in an annotation', good, { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' }],
  [
    'settings of the kernel',
    ofPod({
      sysctls: [
        { name: 'kernel.msgmax', value: '1' },
        { name: 'net.ipv4.tcp_rmem', value: '1' },
      ],
    }),
  ],
  ['settings of the kernel from 1.29 on', ofPod({ sysctls: [{ name: 'net.ipv4.tcp_fin_timeout', value: '1' }] })],
  ['root', security({ runAsUser: 0, runAsNonRoot: false })],
  ['root for the Pod', { ...ofPod({ runAsUser: 0 }) }],
  ['root of its own users', { ...security({ runAsUser: 0, runAsNonRoot: false }), hostUsers: false }],
  [
    'not root for the Pod',
    {
      containers: [{ ...main, securityContext: { ...secure, runAsNonRoot: undefined } }],
      securityContext: { runAsNonRoot: true },
    },
  ],
  ['Windows', windows],
  [
    'a process of the host on Windows',
    { ...windows, hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } },
  ],
];
const standards = [
  ['baseline', 'latest'],
  ['restricted', 'latest'],
  ['restricted', 'v1.24'],
  ['restricted', 'v1.18'],
  ['baseline', 'v1.28'],
  ['privileged', 'latest'],
] as const;

const label = (name: string) => `pod-security.kubernetes.io/${name}`;
const namespace = (name: string, labels: object) => ({ metadata: { name, labels } });

onRealCluster('Pod Security, beside the real API server', {}, (plane) => {
  const served = withServed();
  let agent: Agent;
  beforeAll(() => {
    agent = new Agent({ connect: { ca: plane().ca } });
  });
  afterAll(() => agent.close());

  const both = async (method: string, path: string, question: Question = {}) => {
    const [real, ours] = await Promise.all([
      ask(agent, plane().url, plane().adminToken, method, path, question),
      served().ask(method, path, question),
    ]);
    return [said(real), said(ours)] as const;
  };
  const agreed = async (method: string, path: string, body?: object, contentType?: string) => {
    const [real, ours] = await both(method, path, { ...(body && { body }), ...(contentType && { contentType }) });
    expect(ours).toEqual(real);
    return ours;
  };
  const inNamespace = async (name: string, labels: object) => {
    await agreed('POST', '/api/v1/namespaces', namespace(name, labels));
    const account = { metadata: { name: 'default' } };
    await both('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { body: account });
  };

  describe.each(standards)('%s as of %s', (level, version) => {
    const name = `ps-${level}-${version.replace('.', '-')}`;
    beforeAll(() => inNamespace(name, { [label('enforce')]: level, [label('enforce-version')]: version }));

    it.each(pods)('judges a Pod: %s', async (_, spec, annotations = {}) => {
      const body = { metadata: { name: 'judged', annotations }, spec };
      const { code } = await agreed('POST', `/api/v1/namespaces/${name}/pods?dryRun=All`, body);
      if (level === 'privileged') expect(code).toBe(201);
    });

    it.each(pods)('advises on a Deployment: %s', async (_, spec, annotations = {}) => {
      const labels = { a: 'b' };
      const template = { metadata: { labels, annotations }, spec };
      const body = { metadata: { name: 'judged' }, spec: { selector: { matchLabels: labels }, template } };
      await agreed('POST', `/apis/apps/v1/namespaces/${name}/deployments?dryRun=All`, body);
    });
  });

  it('advises on all that makes Pods', async () => {
    await inNamespace('ps-makers', { [label('warn')]: 'baseline' });
    const labels = { a: 'b' };
    const bad = { metadata: { labels }, spec: { containers: [main], hostPID: true, restartPolicy: 'Always' } };
    const once = { ...bad, spec: { ...bad.spec, restartPolicy: 'Never' } };
    const selected = { selector: { matchLabels: labels }, template: bad };
    const makers: readonly (readonly [path: string, body: object])[] = [
      ['/api/v1/namespaces/ps-makers/pods', { spec: bad.spec }],
      ['/api/v1/namespaces/ps-makers/podtemplates', { template: bad }],
      ['/api/v1/namespaces/ps-makers/replicationcontrollers', { spec: { selector: labels, template: bad } }],
      ['/apis/apps/v1/namespaces/ps-makers/replicasets', { spec: selected }],
      ['/apis/apps/v1/namespaces/ps-makers/statefulsets', { spec: { ...selected, serviceName: 's' } }],
      ['/apis/apps/v1/namespaces/ps-makers/daemonsets', { spec: selected }],
      ['/apis/batch/v1/namespaces/ps-makers/jobs', { spec: { template: once } }],
      [
        '/apis/batch/v1/namespaces/ps-makers/cronjobs',
        { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } } },
      ],
    ];
    for (const [path, body] of makers) {
      const { warnings } = await agreed('POST', `${path}?dryRun=All`, { metadata: { name: 'maker' }, ...body });
      expect(warnings).toContainEqual(expect.stringContaining('would violate PodSecurity "baseline:latest"'));
    }
  });

  it.each([
    ['a level that there is not', { enforce: 'strict' }],
    ['a version that there is not', { 'enforce-version': 'v2.0', 'audit-version': '1.30' }],
    ['each of them wrong', { enforce: '', audit: 'x', warn: 'y', 'warn-version': 'v1.01' }],
    ['levels that differ', { enforce: 'baseline', warn: 'restricted', audit: 'privileged' }],
  ])('judges the labels of a namespace: %s', async (_, labels) => {
    const entries = Object.entries(labels).map(([name, value]) => [label(name), value]);
    await agreed('POST', '/api/v1/namespaces?dryRun=All', namespace('ps-labels', Object.fromEntries(entries)));
  });

  it('tells who asks for more which Pods have less', async () => {
    const path = '/api/v1/namespaces/ps-grown';
    await inNamespace('ps-grown', {});
    for (const [index, spec] of [
      { containers: [main] },
      { containers: [main] },
      { ...good, hostPID: true },
    ].entries()) {
      await both('POST', `${path}/pods`, { body: { metadata: { name: `pod-${index}` }, spec } });
    }
    const [merge, json] = ['application/merge-patch+json', 'application/json-patch+json'];
    const change = (labels: object) => agreed('PATCH', path, { metadata: { labels } }, merge);
    const patched = (name: string, pointer: string, value: unknown) =>
      agreed('PATCH', `${path}/pods/${name}`, [{ op: 'add', path: pointer, value }], json);
    const image = '/spec/containers/0/image';
    // The real server knows Pods, and the labels to judge them by, as its own watches tell.
    const asked = { body: { metadata: { labels: { [label('enforce')]: 'baseline' } } }, contentType: merge };
    await untilSeen(async () => {
      return String((await both('PATCH', `${path}?dryRun=All`, asked))[0].warnings).includes('pod-2');
    });
    const other = { body: [{ op: 'add', path: image, value: 'y' }], contentType: json };
    const judged = (code: number) =>
      untilSeen(async () => (await both('PATCH', `${path}/pods/pod-0?dryRun=All`, other))[0].code === code);
    expect((await change({ [label('enforce')]: 'baseline' })).warnings).toHaveLength(2);
    expect((await change({ [label('enforce')]: 'restricted' })).warnings).toHaveLength(3);
    await judged(403);
    expect((await change({ [label('enforce')]: 'baseline' })).warnings).toEqual([]);
    expect((await change({ [label('enforce')]: 'nope' })).code).toBe(422);
    await judged(200);
    // Nobody is refused for what is there already, but for what changes.
    expect((await patched('pod-2', '/metadata/labels', { a: 'b' })).code).toBe(200);
    expect((await patched('pod-2', image, 'y')).code).toBe(403);
    expect((await patched('pod-0', image, 'y')).code).toBe(200);
  });
});

function said({ code, body, headers }: Asked) {
  const { reason, message, details } = body;
  return { code, warnings: warningsIn(headers['warning']), ...(code < 300 ? {} : { reason, message, details }) };
}

/** The texts of `299 - "..."`, of which there may be several in one header. */
function warningsIn(header: string | string[] | undefined): readonly string[] {
  const text = header === undefined ? '' : [header].flat().join(', ');
  return [...text.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => JSON.parse(quoted!) as string);
}
