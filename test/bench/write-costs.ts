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
  /** What has to be there before, which does not count. */
  readonly before?: (api: Api, cr: Cr) => Promise<Cr>;
  /** `object` is what `before` returned, or else the custom resource. */
  readonly ask: (api: Api, cr: Cr, object: Cr) => Promise<unknown>;
}

interface Cr {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

const { children, status: statusText } = bareWrites(benchNamespace);
const { status } = JSON.parse(statusText) as { readonly status: object };
const bodyOf = (kind: string, cr: Cr) =>
  filled(children.find(({ body }) => body.includes(`"kind":"${kind}"`))!.body, cr.metadata);
const apply = 'application/apply-patch+yaml';
const mergePatch = 'application/merge-patch+json';
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

/** Of a child that was created by POST, one field is not as it was: another manager changed it. */
function corrections(): Way[] {
  const what = 'put back a field of a Deployment';
  const pathOf = ({ metadata }: Cr) => `${deploymentsPath}/${metadata.name}`;
  const before = async (api: Api, cr: Cr): Promise<Cr> => {
    const body = bodyOf('Deployment', cr);
    const made = (await api.ask('POST', `${deploymentsPath}?fieldManager=memcached`, { body })) as Cr;
    const change = { body: { spec: { replicas: 7 } }, contentType: mergePatch };
    return (await api.ask('PATCH', `${pathOf(made)}?fieldManager=somebody`, change)) as Cr;
  };
  const desired = (cr: Cr) => JSON.parse(bodyOf('Deployment', cr)) as { readonly spec: { readonly replicas: number } };
  const reapply = (query: string) => (api: Api, cr: Cr, child: Cr) =>
    api.ask('PATCH', `${pathOf(child)}?fieldManager=memcached&force=true&${query}`, {
      body: desired(cr),
      contentType: apply,
    });
  return [
    { what, how: 'apply, fields strict', before, ask: reapply('fieldValidation=Strict') },
    { what, how: 'apply, fields ignored', before, ask: reapply('fieldValidation=Ignore') },
    {
      what,
      how: 'merge patch',
      before,
      ask: (api, cr, child) =>
        api.ask('PATCH', `${pathOf(child)}?fieldManager=memcached`, {
          body: { spec: { replicas: desired(cr).spec.replicas } },
          contentType: mergePatch,
        }),
    },
    {
      what,
      how: 'PUT',
      before,
      ask: (api, cr, child) => {
        const { spec } = child as Cr & { readonly spec: object };
        const body = { ...child, spec: { ...spec, replicas: desired(cr).spec.replicas } };
        return api.ask('PUT', `${pathOf(child)}?fieldManager=memcached`, { body });
      },
    },
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
        contentType: mergePatch,
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
  const creating = [...creations('Deployment', deploymentsPath), ...creations('Service', servicesPath)];
  const ways = [...creating, ...statusWays, ...corrections()];
  const costs = ways.map((): number[] => []);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, { before, ask }] of ways.entries()) {
        const objects: [Cr, Cr][] = [];
        await inParallel(count, 64, async (each) => {
          const cr = (await createCustomResource({ bench, track: kilterTrack }, `w${each}`)) as Cr;
          objects.push([cr, before ? await before(api, cr) : cr]);
        });
        const spent = bench.cpu().api;
        await inParallel(count, 16, (each) => ask(api, ...objects[each]!));
        costs[index]!.push((bench.cpu().api - spent) / count);
        await bench.clear();
      }
    }
  } finally {
    await api.close();
  }
  return ways.map(({ what, how }, index) => ({ what, how, apiMilliseconds: costs[index]! }));
}
