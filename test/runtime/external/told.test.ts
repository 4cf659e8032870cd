import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ExternalCall, operator, TerminalError } from '../../../src/index.js';
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

  it('is tried again to be removed, also where it says that somebody has to change something first', async () => {
    let tries = 0;
    const remove = () => {
      tries += 1;
      return Promise.reject(new TerminalError('the booking is paid'));
    };
    const booking = { pollSeconds: 3600, observe: async () => 'B1', ensure: async () => 'B1', remove };
    await cluster.run(operator(Booked, { owns: [], compose() {}, external: { booking } }));
    await cluster.apply(trip);
    await cluster.settled();

    await cluster.delete(Booked, trip.metadata.name);
    await cluster.advance(300);
    expect(tries).toBeGreaterThan(5);
    const { status } = await cluster.get(Booked, trip.metadata.name);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(['Ready', 'Reconciling']);
  });

  it('is told by a sentence of what for a setting is that is missing', async () => {
    const settings = { BOOKING_URL: 'Base URL of the booking service.' };
    const booking = {
      pollSeconds: 3600,
      observe: async () => 'B1',
      ensure: async () => 'B1',
      remove: async (_: unknown, call: ExternalCall) => void call.setting('BOOKING_URL'),
    };
    await cluster.run(operator(Booked, { owns: [], compose() {}, external: { booking }, settings }));
    await cluster.apply(trip);
    await cluster.settled();

    await cluster.delete(Booked, trip.metadata.name);
    await cluster.advance(60);
    const { status } = await cluster.get(Booked, trip.metadata.name);
    expect(status?.conditions?.[0]?.message).toContain(
      'set the environment variable BOOKING_URL of the controller: Base URL of the booking service; its deletion waits',
    );
  });
});
