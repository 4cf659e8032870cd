import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { type Asked, ask, withServed } from '../http/served.js';
import { untilSeen } from '../until-seen.js';

const pods = '/api/v1/namespaces/default/pods';
const node = {
  metadata: {
    name: 'here',
    labels: { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', 'kubernetes.io/hostname': 'h' },
  },
};
const spec = { containers: [{ name: 'main', image: 'x' }] };
const target = { kind: 'Node', name: 'here' };

onRealCluster('putting Pods on Nodes, beside the real API server', {}, (plane) => {
  const served = withServed();
  let agent: Agent;
  const both = (method: string, path: string, body?: object) => {
    const question = body === undefined ? {} : { body };
    return Promise.all([
      ask(agent, plane().url, plane().adminToken, method, path, question),
      served().ask(method, path, question),
    ]);
  };
  const agreed = async (method: string, path: string, body?: object) => {
    const [real, ours] = (await both(method, path, body)).map(said);
    expect(ours).toEqual(real);
    return ours;
  };
  beforeAll(async () => {
    agent = new Agent({ connect: { ca: plane().ca } });
    await both('POST', '/api/v1/nodes', node);
    await both('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    // The labels of a Node it hears of by a watch, and gives a Pod none meanwhile.
    const body = { metadata: { name: 'first' }, spec: { ...spec, nodeName: 'here' } };
    await untilSeen(async () =>
      JSON.stringify((await both('POST', `${pods}?dryRun=All`, body))[0].body).includes('"z"'),
    );
  });
  afterAll(() => agent.close());

  let count = 0;
  const onePod = async (more: { readonly labels?: object; readonly spec?: object } = {}) => {
    const name = `pod-${count++}`;
    const { code } = (await agreed('POST', pods, {
      metadata: { name, ...(more.labels && { labels: more.labels }) },
      spec: { ...spec, automountServiceAccountToken: false, ...more.spec },
    }))!;
    expect(code).toBe(201);
    return name;
  };

  it.each<[string, object, object]>([
    ['its Node', { target }, {}],
    ['a Node without a kind', { target: { name: 'here' } }, {}],
    ['a Node that is not there', { target: { kind: 'Node', name: 'nowhere' } }, {}],
    ['labels and annotations', { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, target }, {}],
    ['labels that others have set', { target }, { labels: { 'topology.kubernetes.io/zone': 'mine', app: 'web' } }],
    ['a uid that it has not', { metadata: { uid: '11111111-2222-4333-8444-555555555555' }, target }, {}],
    ['a version that it has not', { metadata: { resourceVersion: '1' }, target }, {}],
    ['another name', { metadata: { name: 'other' }, target }, {}],
    ['no target', {}, {}],
    ['no name', { target: { kind: 'Node' } }, {}],
    ['another kind', { target: { kind: 'Service', name: 'here' } }, {}],
    ['neither', { target: { kind: 'Service' } }, {}],
    ['gates', { target }, { spec: { schedulingGates: [{ name: 'example.com/gate' }] } }],
    ['a Node already', { target }, { spec: { nodeName: 'there' } }],
  ])('binds, or refuses, a Pod with %s', async (_, { metadata, ...binding }: { metadata?: object }, pod) => {
    const name = await onePod(pod);
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, ...metadata }, ...binding };
    await agreed('POST', `${pods}/${name}/binding?dryRun=All`, body);
    await agreed('POST', `${pods}/${name}/binding`, body);
    await agreed('GET', `${pods}/${name}`);
    await agreed('POST', `${pods}/${name}/binding`, body);
  });

  it('tells a Pod that begins on its Node where that is', async () => {
    const name = await onePod({ spec: { nodeName: 'here' }, labels: { 'topology.kubernetes.io/zone': 'mine' } });
    const seen = await agreed('GET', `${pods}/${name}`);
    expect(seen).toMatchObject({ body: { metadata: { labels: { 'topology.kubernetes.io/zone': 'z' } } } });
  });

  it('refuses what is on its way out, and what is not there', async () => {
    const name = await onePod();
    const finalizers = [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/held'] }];
    const contentType = 'application/json-patch+json';
    await ask(agent, plane().url, plane().adminToken, 'PATCH', `${pods}/${name}`, { body: finalizers, contentType });
    await served().ask('PATCH', `${pods}/${name}`, { body: finalizers, contentType });
    await both('DELETE', `${pods}/${name}`);
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    await agreed('POST', `${pods}/${name}/binding`, body);
    await agreed('POST', `${pods}/absent/binding`, { ...body, metadata: { name: 'absent' } });
  });
});

/** Without what no two servers have in common. */
function said({ code, body }: Asked) {
  const text = JSON.stringify(body)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"<version>"')
    .replace(/ResourceVersion in object meta: \d+/g, 'ResourceVersion in object meta: <version>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>');
  return { code, body: JSON.parse(text) as Asked['body'] };
}
