import { createServer } from '../../http-server.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Informer } from '../informer/informer.js';
import { type Listening, listen, patience } from './listen.js';
import type { LoopWatch } from './loop-watch.js';

/** After this long without a sign of life even a patient watch would have been made anew several times. */
const deadMilliseconds = 5 * 60_000;
/** After 90 s of silence a watch is made anew, and tells something within a minute; when it does not, what we know is old. */
const staleMilliseconds = 3 * 60_000;
/** A loop that is held up for so long cannot keep its Lease, or answers nobody in time. */
const stuckMilliseconds = 10_000;
const busyMilliseconds = 2000;

/** What probes look at. */
export interface ProbesOptions {
  /** Undefined while the process starts. */
  readonly informers: () => readonly Informer[] | undefined;
  readonly loop: Pick<LoopWatch, 'worstMilliseconds'>;
  /** Whether this process converts objects of a kind. Default: of none. */
  readonly converts?: (resource: ApiResource) => boolean;
}

/** One thing that is looked at: its name, and what is wrong, or nothing. */
interface Check {
  readonly name: string;
  readonly problem: string | undefined;
}

/**
 * Alive while every watch shows life and the event loop gets round: a controller that is silently deaf or stuck has to be
 * restarted. A loop that is stuck at this moment answers no probe, which fails it, too.
 */
function livenessChecks({ informers, loop }: ProbesOptions): readonly Check[] {
  return [
    { name: 'watches', problem: silent(informers() ?? [], deadMilliseconds) },
    { name: 'event-loop', problem: blocked(loop, stuckMilliseconds) },
  ];
}

/**
 * Ready once every store has been filled, while what is in them is news: a watch that is refused keeps nobody up to date. A
 * standby is ready: it could lead at once.
 *
 * Nor does a namespace count in which something is refused, while there are others: it may be deleted, and the rights with it.
 *
 * Kinds that this process converts do not count. The API server may need a conversion to show them, and asks nobody for one who
 * is not ready: each would wait for the other.
 */
function readinessChecks({ informers, loop, converts = () => false }: ProbesOptions): readonly Check[] {
  const all = inReach(informers()?.filter(({ resource }) => !converts(resource)));
  const empty = all?.filter(({ isSynced, isServed }) => isServed && !isSynced) ?? [];
  return [
    {
      name: 'stores',
      problem: !all ? 'starting' : empty.length > 0 ? `waiting for ${pluralsOf(empty)}` : undefined,
    },
    { name: 'watches', problem: stale(all ?? []) },
    { name: 'event-loop', problem: blocked(loop, busyMilliseconds) },
  ];
}

/** Without the namespaces in which something is refused; all of them where none is left. */
function inReach(informers: readonly Informer[] | undefined): readonly Informer[] | undefined {
  const refused = new Set(informers?.filter(({ isRefused }) => isRefused).map(({ namespace }) => namespace));
  const left = informers?.filter(({ namespace }) => namespace === undefined || !refused.has(namespace));
  return left?.some(({ namespace }) => namespace !== undefined) ? left : informers;
}

function silent(informers: readonly Informer[], milliseconds: number): string | undefined {
  const deaf = informers.filter(({ isServed, silentMilliseconds }) => isServed && silentMilliseconds > milliseconds);
  return deaf.length === 0 ? undefined : `no sign of life on ${pluralsOf(deaf)}`;
}

function stale(informers: readonly Informer[]): string | undefined {
  const old = informers.filter((each) => each.isServed && each.staleMilliseconds > staleMilliseconds);
  return old.length === 0 ? undefined : `nothing is heard of ${pluralsOf(old)}`;
}

function blocked({ worstMilliseconds }: ProbesOptions['loop'], milliseconds: number): string | undefined {
  if (worstMilliseconds < milliseconds) return undefined;
  return `the event loop was blocked for ${(worstMilliseconds / 1000).toFixed(1)} s`;
}

function pluralsOf(informers: readonly Informer[]): string {
  return [...new Set(informers.map(({ resource }) => resource.plural))].join(', ');
}

/** What a probe says. */
export interface Health {
  readonly code: 200 | 404 | 503;
  readonly text: string;
}

const probes = { '/healthz': livenessChecks, '/readyz': readinessChecks } as const;

/**
 * The answer to a probe, as API servers give it: `ok` or what is wrong; with `?verbose` every check on a line of its own,
 * with `?exclude=name` without that check, and below `/readyz/name` that check alone.
 *
 * https://kubernetes.io/docs/reference/using-api/health-checks/
 */
export function healthOf(url: string, options: ProbesOptions): Health {
  const [pathname = '', query = ''] = url.split('?', 2);
  const searchParams = new URLSearchParams(query);
  const [, probe = '', only] = /^(\/[^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (!Object.hasOwn(probes, probe)) return { code: 404, text: 'not found' };
  const excluded = searchParams.getAll('exclude');
  const all = probes[probe as keyof typeof probes](options);
  const checks = all.filter(({ name }) => (only === undefined || name === only) && !excluded.includes(name));
  if (only !== undefined && checks.length === 0) return { code: 404, text: `there is no check "${only}"` };

  const failed = checks.filter(({ problem }) => problem !== undefined);
  const code = failed.length === 0 ? 200 : 503;
  if (!searchParams.has('verbose')) {
    return { code, text: code === 200 ? 'ok' : failed.map(({ problem }) => problem).join('; ') };
  }
  const lines = checks.map(({ name, problem }) =>
    problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`,
  );
  return { code, text: [...lines, `${probe.slice(1)} check ${code === 200 ? 'passed' : 'failed'}`, ''].join('\n') };
}

/** Serves `/healthz` and `/readyz` at an address such as `:8081` until `signal` aborts; nothing at `0`. */
export async function serveProbes(
  address: string,
  options: ProbesOptions,
  signal: AbortSignal,
): Promise<Listening | undefined> {
  if (address === '0') return undefined;
  const server = createServer(patience, (request, response) => {
    const { code, text } = healthOf(request.url ?? '/', options);
    response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  });
  return listen(server, 'probes', address, signal);
}
