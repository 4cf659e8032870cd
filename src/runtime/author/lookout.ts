import type { Session } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../kube/clock.js';
import type { Log } from '../telemetry/log.js';
import { ToldSeldom } from '../telemetry/told-seldom.js';
import { placeOfCaller } from './authors-error.js';
import { ownerOfThis } from './stray-owners.js';

/** Sees it when this thread stands still while code of an author is under way that no limit of time ends. */
export interface Lookout {
  /** Looks out until what is returned is called. */
  begin(): () => void;
}

interface Beside {
  /** Counted up while this thread gets round: what it shares with the one beside it. */
  readonly beats: Int32Array;
  readonly everyMilliseconds: number;
  /** After so many looks at the same beat it stands still. */
  readonly mostMisses: number;
  /** What is then to be computed in the midst of it. */
  readonly expression: string;
}

const everyMilliseconds = 250;
/** Well below what ends a Lease, and what a probe waits for. */
const standstillMilliseconds = 1000;

/** Where the debugger finds what it is to call. */
const standstill = Symbol.for('kilter.dev/standstill');

/**
 * A thread that looks whether this one gets round. Where it does not for a second, V8's debugger stops it, whatever it computes, and
 * asks it whose code that is: a line in the log says so. Then it goes on. What waits for the system, such as `execSync`,
 * cannot be stopped, and is told when it ends.
 *
 * **Guarantees.** Ends nothing. Tells each standstill once. The thread is begun with the first code that is under way, and
 * sleeps while none is. A process that was stopped stands still for nothing.
 */
export function lookout(clock: Clock, log: Log): Lookout {
  if (!process.features.inspector) return { begin: () => () => {} };
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let underWay = 0;
  let thread: Worker | undefined;
  let rest = () => {};
  const beat = (): void => {
    Atomics.add(beats, 0, 1);
    rest = clock.after(everyMilliseconds, beat);
  };
  return {
    begin() {
      thread ??= threadBeside(beats, clock, log);
      if (underWay++ === 0) {
        beat();
        thread.postMessage('begin');
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        if (--underWay > 0) return;
        rest();
        thread?.postMessage('end');
      };
    },
  };
}

function threadBeside(beats: Int32Array, clock: Clock, log: Log): Worker {
  const slow = new ToldSeldom(clock);
  const tell = (): void => {
    const owner = ownerOfThis();
    if (!owner) return;
    const { rejected: _, ...told } = owner;
    slow.warn(log, 'Waits for the code of an author', told, { place: placeOfCaller(tell) });
  };
  (globalThis as Record<symbol, unknown>)[standstill] = tell;
  const workerData: Beside = {
    beats,
    everyMilliseconds,
    mostMisses: standstillMilliseconds / everyMilliseconds,
    expression: `globalThis[Symbol.for(${JSON.stringify(standstill.description)})]()`,
  };
  const program = `(${beside.toString()})(require('node:worker_threads'), require('node:inspector').Session)`;
  // It has no use for what this process was started with, and for little memory.
  const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 };
  const worker = new Worker(program, { eval: true, workerData, env: {}, execArgv: [], resourceLimits });
  worker.on('error', ({ message }) => log.debug('Failed to look out for code that stands still', { error: message }));
  worker.unref();
  return worker;
}

/** What the thread beside does. Its text is handed over, so that it uses nothing of this module. */
function beside({ parentPort, workerData }: typeof import('node:worker_threads'), Debugger: typeof Session): void {
  const { beats, everyMilliseconds, mostMisses, expression } = workerData as Beside;
  const ask = (): void => {
    const session = new Debugger();
    session.connectToMainThread();
    session.once('Debugger.paused', ({ params }) => {
      const callFrameId = params.callFrames[0]?.callFrameId ?? '';
      // It goes on when nobody is connected any more.
      session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression }, () => session.disconnect());
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  };
  let seen = 0;
  let misses = 0;
  const look = (): void => {
    const beat = Atomics.load(beats, 0);
    misses = beat === seen ? misses + 1 : 0;
    seen = beat;
    if (misses === mostMisses) ask();
  };
  let looking: NodeJS.Timeout | undefined;
  parentPort?.on('message', (word) => {
    clearInterval(looking);
    misses = 0;
    if (word === 'begin') looking = setInterval(look, everyMilliseconds);
  });
}
