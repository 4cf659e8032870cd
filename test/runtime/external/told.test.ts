import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operator, TerminalError } from '../../../src/index.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { Booked, trip } from '../a-booked-kind.js';

describe('what is outside the cluster', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  it('is told with the hint of what is thrown when it cannot be removed, and with the place of a mistake', async () => {
    const refuse = () => Promise.reject(new TerminalError('the booking is paid', { hint: 'cancel it by hand' }));
    const booking = {
      pollSeconds: 3600,
      observe: async () => 'B1',
      ensure: async (cr: unknown) => (cr as { spec: { seat?: { row: string } } }).spec.seat!.row,
      remove: refuse,
    };
    await cluster.run(operator(Booked, { owns: [], compose() {}, external: { booking } }));
    await cluster.apply(trip);
    await cluster.settled();
    const said = async () => (await cluster.get(Booked, trip.metadata.name)).status?.conditions?.[0]?.message;
    expect(await said()).toMatch(/booking cannot be .*\(reading 'row'\); it was thrown at told\.test\.ts:\d+:\d+$/);

    await cluster.delete(Booked, trip.metadata.name);
    await cluster.advance(60);
    expect(await said()).toMatch(/: the booking is paid; cancel it by hand; its deletion waits for that; to give/);
  });
});
