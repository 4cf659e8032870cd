import { beforeAll, expect, it } from '@jest/globals';
import { EventsEvent } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const group = 'vaults.example.com';
const version = 'v1';
const kind = 'Database';
const plain = { password: s.string(), pin: s.int32({ optional: true }) };
const Database = customResource({ group, version, kind, spec: s.object(plain) });
/** As the cluster has it: its rules are others than this program knows. */
const Stricter = customResource({
  group,
  version,
  kind,
  spec: s.object({ password: s.string({ pattern: '^[a-z]+$' }), pin: s.string({ optional: true }) }),
});
const Vault = customResource({ group, version, kind: 'Vault', spec: s.object(plain) });
const vault = operator(Vault, {
  owns: [Database],
  drift: {
    sensitive: [
      { kind: Database, field: 'spec.password' },
      { kind: Database, field: 'spec.pin' },
    ],
  },
  compose(scope, { spec }) {
    new Database(scope, 'database', { spec });
  },
});

onEveryCluster('a child with sensitive fields that is refused', {}, (plane) => {
  const stage = new Stage(plane, [Stricter.crd(), Vault.crd()]);
  beforeAll(() => stage.start([vault]), 60_000);
  const told = async (name: string) => {
    const about = (items: readonly object[]) => JSON.stringify(items.filter((item) => isAbout(item, name)));
    const events = await stage.admin.list(EventsEvent, { namespace: 'default' });
    return {
      events: about(events.items),
      lines: about(stage.lines),
      status: JSON.stringify(await stage.conditions(Vault, name)),
    };
  };
  const isAbout = (item: object, name: string) => JSON.stringify(item).includes(`"${name}"`);

  const [word, number] = ['Hunter2Canary', 48_151_623];
  it.each([
    ['made', { password: word }, /^Database\/default\/\S+ create failed: spec\.password \(FieldValueInvalid\)$/],
    ['changed', { password: word }, /^Database\/default\/\S+ apply failed: spec\.password \(FieldValueInvalid\)$/],
    ['mistyped', { password: 'fine', pin: number }, /^Database\/default\/\S+ apply failed: /],
  ])('shows no value of them in status, Events and log when it is %s', async (name, spec, message) => {
    if (name !== 'made') {
      await stage.wish(Vault, name, { password: 'fine' });
      await stage.settled(Vault, name);
    }
    await stage.wish(Vault, name, spec);
    await eventually(async () =>
      expect(await stage.condition(Vault, name)).toMatchObject({
        reason: 'ApplyFailed',
        message: expect.stringMatching(message) as unknown,
      }),
    );
    await eventually(async () => expect((await told(name)).events).toContain('ApplyFailed'));
    await stage.quiet();
    const { events, lines, status } = await told(name);
    expect(status).toContain('Stalled');
    expect(lines).toContain(' failed: ');
    for (const text of [events, lines, status]) {
      expect(text).not.toContain(word);
      expect(text).not.toContain(String(number));
    }
  });
});
