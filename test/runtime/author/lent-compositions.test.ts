import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { timeLimit } from '../../../src/runtime/author/time-limit.js';
import { conditionIn } from '../../condition-in.js';
import { runOn } from '../a-run.js';

const List = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'List',
  spec: s.object({ text: s.string() }),
  status: s.object({ text: s.string() }),
});
const list = operator(List, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => ({ page: new ConfigMap(scope, 'page', { data: { text: spec.text } }) }),
  status({ page }) {
    const data = (page?.data ?? {}) as Record<string, string>;
    data['text'] = 'changed';
    return { text: data['text'] };
  },
});

it('what status changes of a child that is not there yet is not made so', async () => {
  const run = await runOn([list], undefined, { limit: timeLimit(5000) });
  const about = { apiVersion: List.apiVersion, kind: List.kind, metadata: { name: 'a' } };
  await run.cluster.apply({ ...about, spec: { text: 'said' } });
  await run.cluster.settled();
  expect((await run.cluster.get(ConfigMap, 'a-page')).data).toEqual({ text: 'said' });
  expect(conditionIn(await run.cluster.get(List, 'a'))).toMatchObject({
    reason: 'RenderFailed',
    message: expect.stringContaining('Cannot assign to read only property') as unknown,
  });
  await run.stop();
});
