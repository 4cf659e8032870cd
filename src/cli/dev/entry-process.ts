/**
 * The program that runs an author's operators under `kilter dev`: loads a bundle, says what it needs, and runs the
 * controller once it is told to. Ends with the process that started it, whatever becomes of that.
 */
import { pathToFileURL } from 'node:url';
import { connect } from '../../client/http-cluster.js';
import type { Operator } from '../../compose/operator.js';
import { othersTurn, systemClock } from '../../kube/clock.js';
import { usualTimings } from '../../kube/lease-timings.js';
import { lookout } from '../../runtime/author/lookout.js';
import { tellStrays } from '../../runtime/author/stray-owners.js';
import { authorMillisecondsOf, timeLimit } from '../../runtime/author/time-limit.js';
import { Breather } from '../../runtime/process/breather.js';
import { forMany } from '../../runtime/process/for-many.js';
import { runController } from '../../runtime/run-controller.js';
import { createLog } from '../../runtime/telemetry/log.js';
import { installOf } from './install-of.js';
import type { Connection, FromController, ToController } from './messages.js';
import { operatorsIn } from './operators-in.js';
import { refusalOf } from './refusal.js';

/** Writes under way get this long to finish. */
const graceMilliseconds = 5000;

const [, , bundle = '', entry = ''] = process.argv;
const stop = new AbortController();
forMany(stop.signal);
// Whoever started it is told by the terminal too, and says when it is time.
process.on('SIGINT', () => {});
process.on('SIGTERM', end);
process.on('disconnect', () => process.exit(0));

tellStrays(endBadly);
let isRunning = false;
const operators = await load();
if (operators) {
  process.on('message', (message: ToController) => {
    if (message.type === 'stop') end();
    else run(operators, message.connection).catch(endBadly);
  });
  stop.signal.addEventListener('abort', () => systemClock.after(graceMilliseconds, () => process.exit(0)));
}

async function load(): Promise<readonly Operator[] | undefined> {
  try {
    const exports = (await import(pathToFileURL(bundle).href)) as Readonly<Record<string, unknown>>;
    const found = operatorsIn(exports, entry);
    const names = found.map(({ name, resource }) => `${name} (${resource.kind})`);
    tell({ type: 'loaded', operators: names, install: installOf(found) });
    return found;
  } catch (error) {
    tell({ type: 'refused', ...refusalOf(error) }, () => process.exit(1));
    return undefined;
  }
}

async function run(operators: readonly Operator[], { server, ca, token }: Connection): Promise<void> {
  isRunning = true;
  const tls = { ca };
  const cluster = connect({
    server,
    namespace: 'default',
    tls: () => Promise.resolve(tls),
    authorization: () => Promise.resolve(`Bearer ${token}`),
  });
  const log = createLog({ level: 'info', format: 'text', write: (line) => process.stdout.write(line) });
  const controller = runController(
    {
      operators,
      limit: timeLimit(authorMillisecondsOf(usualTimings)),
      breather: new Breather({ clock: systemClock, othersTurn }),
      cluster,
      clock: systemClock,
      random: Math.random,
      log,
      lookout: lookout(systemClock, log),
      instance: `dev-${process.pid}`,
      settings: process.env,
    },
    stop.signal,
  );
  controller.synced().then(
    () => tell({ type: 'running' }),
    () => {},
  );
  await controller.stopped;
  await cluster.close();
  process.exit(0);
}

function tell(message: FromController, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

/** A controller that never ran has no writes under way to wait for. */
function end(): void {
  if (isRunning) stop.abort(new Error('stopped'));
  else process.exit(0);
}

function endBadly(error: unknown): never {
  process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  process.exit(1);
}
