import { type Api, apiOf, inParallel } from './api.js';
import { bareWrites, filled } from './bare-writes.js';
import { type BenchPlane, benchNamespace, deploymentsPath, kilterTrack, servicesPath } from './bench-plane.js';
import { createCustomResource } from './workloads.js';

/** What one way to ask for a write costs the API server, in milliseconds of its CPU, round by round. */
export interface WriteCost {
  readonly what: string;
  readonly how: string;
  readonly apiMilliseconds: readonly number[];
}

interface Way {
  readonly what: string;
  readonly how: string;
  readonly ask: (api: Api, cr: Cr) => Promise<unknown>;
}

interface Cr {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

const { children, status: statusText } = bareWrites(benchNamespace);
const { status } = JSON.parse(statusText) as { readonly status: object };
const bodyOf = (kind: string, cr: Cr) =>
  filled(children.find(({ body }) => body.includes(`"kind":"${kind}"`))!.body, cr.metadata);
const apply = 'application/apply-patch+yaml';
const statusOf = ({ metadata }: Cr) => `${kilterTrack.path}/${metadata.name}/status`;
const { apiVersion } = kilterTrack;

function creations(kind: string, path: string): Way[] {
  const what = `create a ${kind}`;
  const post = (query: string) => (api: Api, cr: Cr) => api.ask('POST', `${path}?${query}`, { body: bodyOf(kind, cr) });
  const patch = (query: string) => (api: Api, cr: Cr) => {
    const { name } = (JSON.parse(bodyOf(kind, cr)) as Cr).metadata;
    return api.ask('PATCH', `${path}/${name}?force=true&${query}`, { body: bodyOf(kind, cr), contentType: apply });
  };
  return [
    { what, how: 'POST, fields strict', ask: post('fieldManager=memcached&fieldValidation=Strict') },
    { what, how: 'POST, fields ignored', ask: post('fieldManager=memcached&fieldValidation=Ignore') },
    { what, how: 'apply, fields strict', ask: patch('fieldManager=memcached&fieldValidation=Strict') },
    { what, how: 'apply, fields ignored', ask: patch('fieldManager=memcached&fieldValidation=Ignore') },
  ];
}

const applied = ({ metadata }: Cr) => ({ apiVersion, kind: 'Memcached', metadata: { name: metadata.name }, status });
const what = 'write a first status';
const statusWays: readonly Way[] = [
  {
    what,
    how: 'apply, fields strict',
    ask: (api, cr) =>
      api.ask('PATCH', `${statusOf(cr)}?fieldManager=memcached&force=true&fieldValidation=Strict`, {
        body: applied(cr),
        contentType: apply,
      }),
  },
  {
    what,
    how: 'apply, fields ignored',
    ask: (api, cr) =>
      api.ask('PATCH', `${statusOf(cr)}?fieldManager=memcached&force=true&fieldValidation=Ignore`, {
        body: applied(cr),
        contentType: apply,
      }),
  },
  {
    what,
    how: 'merge patch',
    ask: (api, cr) =>
      api.ask('PATCH', `${statusOf(cr)}?fieldManager=memcached`, {
        body: { status },
        contentType: 'application/merge-patch+json',
      }),
  },
  {
    what,
    how: 'JSON patch',
    ask: (api, cr) =>
      api.ask('PATCH', `${statusOf(cr)}?fieldManager=memcached`, {
        body: [{ op: 'add', path: '/status', value: status }],
        contentType: 'application/json-patch+json',
      }),
  },
  {
    what,
    how: 'PUT',
    ask: (api, cr) => {
      const { managedFields: _, ...metadata } = cr.metadata as Cr['metadata'] & { readonly managedFields: unknown };
      return api.ask('PUT', `${statusOf(cr)}?fieldManager=memcached`, { body: { ...cr, metadata, status } });
    },
  },
];

/** Measures each way `count` times a round, all ways of a round after each other, on objects that are new. */
export async function writeCosts(bench: BenchPlane, count: number, rounds: number): Promise<WriteCost[]> {
  const api = apiOf(bench.plane.url, bench.plane.ca, bench.plane.adminToken, 16);
  const ways = [...creations('Deployment', deploymentsPath), ...creations('Service', servicesPath), ...statusWays];
  const costs = ways.map((): number[] => []);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, { ask }] of ways.entries()) {
        const crs: Cr[] = [];
        await inParallel(count, 64, async (each) => {
          crs.push((await createCustomResource({ bench, track: kilterTrack }, `w${each}`)) as Cr);
        });
        const before = bench.cpu().api;
        await inParallel(count, 16, (each) => ask(api, crs[each]!));
        costs[index]!.push((bench.cpu().api - before) / count);
        await bench.clear();
      }
    }
  } finally {
    await api.close();
  }
  return ways.map(({ what, how }, index) => ({ what, how, apiMilliseconds: costs[index]! }));
}
