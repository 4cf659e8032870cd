import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Note = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string(), isWrong: s.boolean({ default: false }) }),
  status: s.object({ begins: s.string({ optional: true }) }),
});

/** Its author cuts text wherever that ends. */
const note = operator(Note, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    if (spec.isWrong) throw new Error(`cannot write ${spec.text.slice(0, 3)}`);
    new ConfigMap(scope, 'text', { data: { text: spec.text } });
  },
  status: (_, __, { spec }) => ({ begins: spec.text.slice(0, 3) }),
});

describe('half of a character', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const readyOf = async (spec: object) => {
    cluster = await startCluster();
    await cluster.run(note);
    await cluster.apply({ apiVersion: Note.apiVersion, kind: Note.kind, metadata: { name: 'a' }, spec });
    await cluster.settled();
    return conditionIn(await cluster.get(Note, 'a'));
  };

  it('in what somebody throws is told as another one', async () => {
    expect(await readyOf({ text: 'ab😀', isWrong: true })).toMatchObject({
      status: 'False',
      message: expect.stringContaining('threw: cannot write ab\ufffd;'),
    });
  });

  it('in a status is refused in words', async () => {
    expect(await readyOf({ text: 'ab😀' })).toMatchObject({
      status: 'False',
      message: expect.stringMatching(/begins is no text: it has half of a character.*Array\.from/),
    });
  });
});
