import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventsEvent } from '../../../imports/k8s.js';
import { FlightTicket, flightticket } from '../../../src/operators/flightticket.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';
import { BookingService } from '../../booking/booking-service.js';
import { conditionOf, flight, settings, spec } from '../a-flight.js';

describe('a custom resource whose wish a service refuses', () => {
  let cluster: TestCluster;
  let service: BookingService;
  let controller: TestController;
  /** True: it has nothing left, whoever asks. */
  let isSoldOut: boolean;
  let asked: string[];

  beforeEach(async () => {
    isSoldOut = false;
    asked = [];
    service = new BookingService();
    cluster = await startCluster();
    controller = await cluster.run(flightticket, {
      settings,
      fetch: async (input, init) => {
        const method = init?.method ?? '';
        asked.push(method);
        return isSoldOut && method !== 'GET' ? new Response('sold out', { status: 422 }) : service.fetch(input, init);
      },
    });
  });
  afterEach(() => cluster.stop());

  const ticket = () => cluster.get(FlightTicket, 'trip');
  const refuse = async () => {
    await cluster.apply(flight());
    await cluster.settled();
    // No such airport.
    await cluster.patch(FlightTicket, 'trip', { spec: { to: 'XXX' } });
    await cluster.settled();
    expect(await conditionOf(cluster, 'Stalled')).toMatchObject({ status: 'True', reason: 'ExternalFailed' });
  };

  it('says what becomes of what it has, and stays stalled', async () => {
    await refuse();
    expect((await ticket()).status).toMatchObject({ bookingId: 'B1', state: 'booked' });
    const before = await conditionOf(cluster, 'Stalled');
    service.cancel('B1');
    await cluster.advance(40);
    expect((await ticket()).status).toMatchObject({ bookingId: '', state: '' });
    expect(await conditionOf(cluster, 'Stalled')).toEqual(before);
  });

  it('is polled as often as its operator says, and neither written to nor told of again', async () => {
    await refuse();
    const events = (await cluster.list(EventsEvent)).length;
    const lines = () => controller.log.filter(({ level }) => level === 'error' || level === 'warn').length;
    const [writes, told] = [cluster.writes().length, lines()];
    asked = [];
    await cluster.advance(3600);
    const looks = asked.filter((method) => method === 'GET').length;
    expect(looks).toBeGreaterThanOrEqual(3600 / 30 - 1);
    expect(looks).toBeLessThanOrEqual(3600 / 30 + 1);
    expect(cluster.writes(writes)).toEqual([]);
    expect([(await cluster.list(EventsEvent)).length, lines()]).toEqual([events, told]);
  });

  it('gets what it wants once that is not refused any more', async () => {
    isSoldOut = true;
    await cluster.apply(flight());
    await cluster.settled();
    expect(await conditionOf(cluster, 'Stalled')).toMatchObject({ status: 'True' });
    isSoldOut = false;
    await cluster.advance(31);
    expect(service.booked).toMatchObject([{ id: 'B1', ...spec }]);
    expect(await conditionOf(cluster)).toMatchObject({ status: 'True' });
    expect(await conditionOf(cluster, 'Stalled')).toBeUndefined();
  });
});
