import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Event } from '../../imports/k8s.js';
import { customResource, type Operator, operator, s } from '../../src/index.js';
import { matches } from '../../src/testing/call.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Booked = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Booked',
  plural: 'bookeds',
  spec: s.object({ to: s.string() }),
});
const trip = { apiVersion: Booked.apiVersion, kind: Booked.kind, metadata: { name: 'trip' }, spec: { to: 'Bergen' } };

describe('a custom resource whose name had another, which went during a round for it', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  /** As by `kubectl replace --force`, after `seconds`. No round sees that the first one went. */
  async function replaced(operated: Operator, seconds: number): Promise<void> {
    cluster = await startCluster();
    const controller = await cluster.run(operated);
    await cluster.apply(trip);
    await cluster.advance(seconds);
    const status = { verb: 'apply', kind: Booked, subresource: 'status' } as const;
    let isSlow = true;
    controller.faults.slowDown((call, leg) => (isSlow && matches(status, call) && leg === 'there' ? 20_000 : 0));
    await cluster.patch(Booked, 'trip', { spec: { to: 'Oslo' } });
    await cluster.advance(1);
    await cluster.delete(Booked, 'trip');
    await cluster.advance(1);
    await cluster.apply(trip);
    await cluster.advance(1);
    isSlow = false;
    await cluster.advance(18);
  }

  it('is told of its own drift, though in the same words', async () => {
    const withText = operator(Booked, {
      owns: [ConfigMap],
      drift: { mode: 'report' },
      compose: (scope) => void new ConfigMap(scope, 'text', {}),
    });
    await replaced(withText, 30);
    const { uid } = (await cluster.get(Booked, 'trip')).metadata;
    const told = (await cluster.list(Event)).filter(({ reason }) => reason === 'DriftDetected');
    expect(told.map((event) => (event as unknown as { involvedObject: { uid: string } }).involvedObject.uid)).toContain(
      uid,
    );
  });

  it('waits after a failure outside the cluster as long as after a first one', async () => {
    let isUp = false;
    const booked = operator(Booked, {
      owns: [],
      drift: { mode: 'report' },
      external: {
        booking: {
          pollSeconds: 3600,
          async observe() {
            if (!isUp) throw new Error('nobody answers');
            return {};
          },
          ensure: async () => ({}),
          remove: async () => {},
        },
      },
      compose: () => {},
    });
    await replaced(booked, 600);
    isUp = true;
    await cluster.advance(5);
    const { status } = await cluster.get(Booked, 'trip');
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  });
});
