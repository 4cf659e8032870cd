import { afterEach, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';
import { conditionIn } from '../condition-in.js';

const Note = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ config: s.preserved({ optional: true }), text: s.string({ default: 'a' }) }),
});
const note = operator(Note, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'text', { data: { text: spec.text, ...(spec.text === 'no key' ? { ' ': '' } : {}) } });
  },
});
/** More than stay at hand when a controller rests. */
const others = Array.from({ length: 300 }, (_, index) => `n${index}`);
/** More than fit on the stack of whoever goes down level by level, and fewer than an API server takes. */
const levels = 9000;
/** As many as an API server compares within a moment. */
const fewer = 3000;

onRealCluster('S-21: what is nested thousands of levels deep', {}, (plane) => {
  const stage = new Stage(plane, [Note.crd()]);
  const textOf = async (name: string) => (await stage.get(ConfigMap, `${name}-text`)).data?.['text'];

  /** As text, for which no stack is needed. */
  const send = async (method: 'POST' | 'PATCH', path: string, body: string) => {
    const dispatcher = new Agent({ connect: { ca: plane().ca } });
    const type = method === 'POST' ? 'application/json' : 'application/merge-patch+json';
    const headers = { authorization: `Bearer ${plane().adminToken}`, 'content-type': type };
    const answer = await request(`${plane().url}${path}`, { method, dispatcher, headers, body });
    await answer.body.dump();
    await dispatcher.close();
    return answer.statusCode;
  };
  const nested = (key: string, within: string, deep = levels) =>
    `${`{"${key}":`.repeat(deep)}${within}${'}'.repeat(deep)}`;
  afterEach(() => stage.stop());

  it('is composed, and takes nothing from others', async () => {
    await Promise.all(others.map((name) => stage.wish(Note, name, {})));
    const deep = `{"apiVersion":"web.example.com/v1","kind":"Note","metadata":{"name":"deep"},"spec":{"config":${nested('a', '1')}}}`;
    expect(await send('POST', '/apis/web.example.com/v1/namespaces/default/notes', deep)).toBe(201);
    await stage.start([note]);
    await eventually(async () => {
      for (const name of ['deep', others[0]!, others.at(-1)!]) expect(await textOf(name)).toBe('a');
    });
    // What rests is packed, and read again.
    await stage.quiet();
    await stage.wish(Note, others[0]!, { text: 'b' });
    await eventually(async () => expect(await textOf(others[0]!)).toBe('b'));
    await stage.admin.delete(Note, { name: 'deep', namespace: 'default' });
    await stage.quiet();
    await stage.wish(Note, others[1]!, { text: 'c' });
    await eventually(async () => expect(await textOf(others[1]!)).toBe('c'));
  });

  it('says what the API server refuses of its children', async () => {
    await stage.start([note]);
    const bad = `{"apiVersion":"web.example.com/v1","kind":"Note","metadata":{"name":"bad"},"spec":{"text":"no key","config":${nested('a', '1', 6000)}}}`;
    expect(await send('POST', '/apis/web.example.com/v1/namespaces/default/notes', bad)).toBe(201);
    const refused = { status: 'False', reason: 'ApplyFailed', message: expect.stringContaining('data[ ]') as unknown };
    await eventually(async () => expect(conditionIn(await stage.get(Note, 'bad'))).toMatchObject(refused));
  });

  const writers = (apiVersion: string) =>
    ['"somebody","operation":"Update"', '"note","operation":"Apply"', '"note","operation":"Update"']
      .map(
        (by) =>
          `{"manager":${by},"apiVersion":"${apiVersion}","fieldsType":"FieldsV1","fieldsV1":${nested('f:a', '{}', fewer)}}`,
      )
      .join();

  it('is no way to keep a child from being put right, as what somebody says of who wrote it', async () => {
    await stage.start([note]);
    await stage.wish(Note, 'said', {});
    await stage.quiet();
    const said = `{"metadata":{"managedFields":[${writers('v1')}]},"data":{"text":"b"}}`;
    expect(await send('PATCH', '/api/v1/namespaces/default/configmaps/said-text', said)).toBe(200);
    await eventually(async () => expect(await textOf('said')).toBe('a'));
    await stage.wish(Note, 'said', { text: 'c' });
    await eventually(async () => expect(await textOf('said')).toBe('c'));
  });
});
