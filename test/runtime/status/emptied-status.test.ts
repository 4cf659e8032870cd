import { beforeAll, expect, it } from '@jest/globals';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Census = customResource({
  group: 'census.example.com',
  version: 'v1',
  kind: 'Census',
  spec: s.object({ found: s.array(s.string()) }),
  status: s.object({
    ages: s.map(s.string()),
    names: s.set(s.string()),
    people: s.listMap(s.object({ name: s.string() }), { keys: ['name'] }),
    all: s.object({ ages: s.map(s.string()) }),
  }),
});

const census = operator(Census, {
  owns: [],
  compose() {},
  status(_, __, { spec: { found } }) {
    const ages = Object.fromEntries(found.map((name) => [name, 'young']));
    return { ages, names: found, people: found.map((name) => ({ name })), all: { ages } };
  },
});

onEveryCluster('a status of which maps and lists are empty by now', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Census.crd()]);
  beforeAll(() => stage.start([census]), 60_000);

  it('says so, and is not said again', async () => {
    const finds = async (...found: string[]) => {
      await stage.wish(Census, 'town', { found });
      const ages = Object.fromEntries(found.map((name) => [name, 'young']));
      await eventually(async () =>
        expect((await stage.get(Census, 'town')).status).toMatchObject({
          observedGeneration: (await stage.get(Census, 'town')).metadata.generation,
          ages,
          names: found,
          people: found.map((name) => ({ name })),
          all: { ages },
        }),
      );
      const { ages: shown, all } = (await stage.get(Census, 'town')).status as unknown as Record<string, object>;
      expect([shown, all]).toEqual([ages, { ages }]);
      await stage.settled(Census, 'town');
    };
    await finds('ann', 'bob');
    await finds();
    await finds('bob');
    await finds();

    await stage.quiet();
    const target = { namespace: 'default', name: 'town' };
    const body = { metadata: { labels: { look: 'again' } } };
    const writes = await stage.writesDuring(async () => {
      await stage.admin.patch(Census, target, { type: 'merge', body }, { fieldManager: 'somebody' });
      await stage.quiet();
    });
    expect(writes.filter(({ objectRef }) => objectRef?.subresource === 'status')).toEqual([]);
  });
});
