import type { Condition } from '../../src/index.js';
import { FlightTicket } from '../../src/operators/flightticket.js';
import type { TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

export const settings = { BOOKING_URL: 'http://bookings' };
export const spec = { from: 'Frankfurt', to: 'Lisbon', number: 2 };

/** A FlightTicket `trip` with these annotations under its group. */
export const flight = (annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: FlightTicket.apiVersion,
  kind: FlightTicket.kind,
  metadata: {
    name: 'trip',
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`flights.com/${name}`, value])),
  },
  spec,
});

export async function conditionOf(cluster: TestCluster, type = 'Ready'): Promise<Condition | undefined> {
  return conditionIn(await cluster.get(FlightTicket, 'trip'), type);
}
