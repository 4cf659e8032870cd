import { beforeAll, expect, it } from '@jest/globals';
import { CronJob, Deployment, NetworkPolicy } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Hatch = customResource({
  group: 'hatches.example.com',
  version: 'v1',
  kind: 'Hatch',
  spec: s.object({
    account: s.string({ optional: true }),
    isOpen: s.boolean({ default: false }),
    round: s.string({ default: 'first' }),
  }),
});

const hatch = operator(Hatch, {
  owns: [CronJob, Deployment, NetworkPolicy],
  compose(scope, { metadata: { name }, spec: { account, isOpen, round } }) {
    const labels = { app: name };
    const annotations = { round };
    const pods = {
      containers: [{ name: 'web', image: 'nginx:1' }],
      ...(account === undefined ? {} : { serviceAccountName: account }),
    };
    new Deployment(scope, 'server', {
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels, annotations }, spec: pods },
      },
    });
    new CronJob(scope, 'task', {
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: { metadata: { annotations }, spec: { template: { spec: { ...pods, restartPolicy: 'Never' } } } },
      },
    });
    new NetworkPolicy(scope, 'wall', {
      metadata: { annotations },
      spec: { podSelector: { matchLabels: labels }, ingress: [{}], ...(isOpen ? { egress: [{}] } : {}) },
    });
  },
});

onEveryCluster('what the server works out of a field of a child', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Hatch.crd()]);
  beforeAll(() => stage.start([hatch]), 60_000);

  /** By an edit of something else before, after which nobody has any more what the POST of a child had. */
  const become = async (name: string, before: object, after: object) => {
    for (const spec of [before, { ...before, round: 'second' }, { ...after, round: 'third' }]) {
      await stage.wish(Hatch, name, spec);
      expect(await stage.settled(Hatch, name)).toBeUndefined();
      await stage.quiet();
    }
  };
  const typesOf = async (name: string) => (await stage.get(NetworkPolicy, `${name}-wall`)).spec?.policyTypes;

  it('D-11: is no more of an account that Pods are to have no more', async () => {
    await become('left', { account: 'once' }, {});
    const { spec } = await stage.get(Deployment, 'left-server');
    expect(spec?.template.spec).not.toHaveProperty('serviceAccountName');
    expect(spec?.template.spec).not.toHaveProperty('serviceAccount');
    const { spec: task } = await stage.get(CronJob, 'left-task');
    expect(task?.jobTemplate.spec?.template.spec).not.toHaveProperty('serviceAccountName');
  });

  it('is of another account that Pods are to have', async () => {
    await become('moved', { account: 'once' }, { account: 'now' });
    const { spec } = await stage.get(Deployment, 'moved-server');
    expect(spec?.template.spec).toMatchObject({ serviceAccountName: 'now', serviceAccount: 'now' });
  });

  it('D-11: lets out again whom a policy that said where to is to leave alone', async () => {
    await become('opened', { isOpen: true }, {});
    expect(await typesOf('opened')).toEqual(['Ingress']);
  });

  it('holds back whom a policy is to let out to somewhere alone', async () => {
    await become('walled', {}, { isOpen: true });
    expect(await typesOf('walled')).toEqual(['Ingress', 'Egress']);
  });

  it('D-03: costs no write where something is only put back', async () => {
    await become('torn', { isOpen: true }, { isOpen: true });
    const writes = await stage.writesDuring(async () => {
      await stage.change(NetworkPolicy, 'torn-wall', { spec: { egress: null } }, 'kubectl-edit');
      await stage.quiet();
    });
    expect((await stage.get(NetworkPolicy, 'torn-wall')).spec?.egress).toEqual([{}]);
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'networkpolicies')).toHaveLength(1);
  });
});
