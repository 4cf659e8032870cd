import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, type ExternalCall, type ExternalOf, operator, s } from '../../../src/index.js';
import type { Seat } from '../seats.js';

export const Trip = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Trip',
  spec: s.object({ value: s.string() }),
  status: s.object({ seat: s.string({ optional: true }), printed: s.string({ optional: true }) }),
});

const seat: ExternalOf<typeof Trip, Seat> = {
  pollSeconds: 45,
  observe: (_, call) => ask(call, 'GET'),
  async ensure({ metadata, spec }, observed, call) {
    const wanted: Seat = { value: spec.value, generation: metadata.generation ?? 0 };
    if (observed?.value === wanted.value) return observed;
    await ask(call, 'PUT', wanted);
    return wanted;
  },
  async remove(_, call) {
    await ask(call, 'DELETE');
  },
};

/** A seat in a service outside the cluster, and a child that tells of it. */
export const trip = operator(Trip, {
  owns: [ConfigMap],
  external: { seat },
  compose(scope, { metadata, spec }) {
    const data = { generation: String(metadata.generation ?? 0), value: spec.value };
    return { ticket: new ConfigMap(scope, 'ticket', { data }) };
  },
  status: ({ ticket }, _, __, states) => ({ seat: states.seat?.value, printed: ticket?.data?.['value'] }),
});

async function ask(call: ExternalCall, method: string, body?: Seat): Promise<Seat | undefined> {
  const { key, signal, fetch } = call;
  const init = { method, signal, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(`http://seats.example.com/${key}`, init);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the seat service answered ${response.status}`);
  return response.status === 204 ? undefined : ((await response.json()) as Seat);
}
