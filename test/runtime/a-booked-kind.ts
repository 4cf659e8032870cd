import { customResource, s } from '../../src/index.js';

/** A kind of which everything is outside the cluster. */
export const Booked = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Booked',
  plural: 'bookeds',
  spec: s.object({}),
});

export const trip = { apiVersion: Booked.apiVersion, kind: Booked.kind, metadata: { name: 'trip' }, spec: {} };
