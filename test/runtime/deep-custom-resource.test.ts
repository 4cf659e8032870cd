import { expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

const Note = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ config: s.preserved({ optional: true }), text: s.string({ default: 'a' }) }),
});
const note = operator(Note, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'text', { data: { text: spec.text } });
  },
});
/** More than stay at hand when a controller rests. */
const others = Array.from({ length: 300 }, (_, index) => `n${index}`);
/** More than fit on the stack of whoever goes down level by level, and fewer than an API server takes. */
const levels = 9000;

onRealCluster('S-21: a custom resource nested thousands of levels deep', {}, (plane) => {
  const stage = new Stage(plane, [Note.crd()]);
  const textOf = async (name: string) => (await stage.get(ConfigMap, `${name}-text`)).data?.['text'];

  it('is composed, and takes nothing from others', async () => {
    await Promise.all(others.map((name) => stage.wish(Note, name, {})));
    const config = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const dispatcher = new Agent({ connect: { ca: plane().ca } });
    const { statusCode, body } = await request(`${plane().url}/apis/web.example.com/v1/namespaces/default/notes`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${plane().adminToken}`, 'content-type': 'application/json' },
      body: `{"apiVersion":"web.example.com/v1","kind":"Note","metadata":{"name":"deep"},"spec":{"config":${config}}}`,
    });
    await body.dump();
    await dispatcher.close();
    expect(statusCode).toBe(201);
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
});
