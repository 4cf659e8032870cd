import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { customResource, many, operator, s } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { runController } from '../../src/runtime/run-controller.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { conditionIn } from '../condition-in.js';

const Note = customResource({
  group: 'pure.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string(), changes: s.enum(['nothing', 'spec', 'an input', 'the list', 'a child']) }),
  status: s.object({ text: s.string({ optional: true }) }),
});

/** An author who changes what was only lent, which is everybody's. */
const note = operator(Note, {
  owns: [ConfigMap],
  reads: { inputs: many(ConfigMap, () => ({ labels: { role: 'input' } })) },
  compose(scope, { spec }, { inputs }) {
    if (spec.changes === 'spec') (spec as { text: string }).text = 'changed';
    if (spec.changes === 'an input')
      for (const { data = {} } of inputs) (data as Record<string, string>)['text'] = 'changed';
    if (spec.changes === 'the list') (inputs as unknown[]).fill(inputs[0]);
    const said = new ConfigMap(scope, 'said', { data: { text: spec.text, input: inputs[0]?.data?.['text'] ?? '' } });
    return { said };
  },
  status({ said }, _, { spec }) {
    if (spec.changes === 'a child' && said?.data) (said.data as Record<string, string>)['text'] = 'changed';
    return { text: said?.data?.['text'] };
  },
});

onEveryCluster("C-24: what an author's code is lent", {}, (plane) => {
  let admin: HttpCluster;
  let stop: AbortController;
  let stopped: Promise<void>;
  const namespace = 'default';
  const by = { fieldManager: 'test', force: true };
  const apply = (name: string, text: string, changes: string) =>
    admin.apply(
      Note,
      { apiVersion: Note.apiVersion, kind: 'Note', metadata: { namespace, name }, spec: { text, changes } } as never,
      by,
    );
  const ready = async (name: string) => conditionIn(await admin.get(Note, { namespace, name }));

  beforeEach(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    const definitions = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      namespaced: false,
    };
    await admin.apply(definitions, Note.crd(), by);
    const input = { namespace, name: 'input', labels: { role: 'input' } };
    await admin.apply(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: input, data: { text: 'read' } }, by);
    stop = new AbortController();
    ({ stopped } = runController(
      { operators: [note], cluster: admin, clock: systemClock, random: Math.random, log: silentLog },
      stop.signal,
    ));
  });
  afterEach(async () => {
    stop.abort(new Error('the test is over'));
    await stopped;
    await admin.close();
  });

  it.each(['spec', 'an input', 'the list', 'a child'])(
    'cannot be changed by it: who changes %s fails, and nobody else sees it',
    async (what) => {
      const name = what.replaceAll(' ', '-');
      await eventually(() => apply(name, 'as written', what));
      await eventually(async () => {
        expect(await ready(name)).toMatchObject({ status: 'False', message: expect.stringContaining('read only') });
      });
      await apply(`beside-${name}`, 'beside', 'nothing');
      await eventually(async () => expect(await ready(`beside-${name}`)).toMatchObject({ status: 'True' }));
      const said = await admin.get(ConfigMap, { namespace, name: `beside-${name}-said` });
      expect(said).toMatchObject({ data: { text: 'beside', input: 'read' } });
      // What is in the store is what was written, too: it is composed as soon as its code no longer changes anything.
      await apply(name, 'as written', 'nothing');
      await eventually(async () => expect(await ready(name)).toMatchObject({ status: 'True' }));
      expect(await admin.get(ConfigMap, { namespace, name: `${name}-said` })).toMatchObject({
        data: { text: 'as written', input: 'read' },
      });
    },
  );
});
