import type { Debugger, Session } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../kube/clock.js';
import type { Log } from '../telemetry/log.js';
import { ToldSeldom } from '../telemetry/told-seldom.js';
import { placeOfCaller } from './authors-error.js';
import { stillness } from './stillness.js';
import { ownerOfThis } from './stray-owners.js';

/** Sees it when this thread stands still while code of an author is under way that no limit of time ends. */
export interface Lookout {
  /** Code is about to begin. */
  begin(): LookedOutFor;
}

export interface LookedOutFor {
  /** Resolves once it is looked out for: before that, it would stand still unseen. Never rejects. */
  readonly isSeen: Promise<void>;
  /** It has ended. */
  end(): void;
}

interface Beside {
  /** Counted up while this thread gets round: what it shares with the one beside it. */
  readonly beats: Int32Array;
  readonly everyMilliseconds: number;
  readonly standstillMilliseconds: number;
  /** What is then to be called in the midst of it, with the beat at which it stands. */
  readonly callee: string;
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
 * **Guarantees.** Ends nothing. Tells each standstill once, and names nobody for one that was over before it could ask. The thread is
 * begun with the first code that is under way, and sleeps while none is. A process that was stopped stands still for nothing.
 */
export function lookout(clock: Clock, log: Log): Lookout {
  if (!process.features.inspector) return { begin: () => ({ isSeen: Promise.resolve(), end() {} }) };
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let underWay = 0;
  let thread: ThreadBeside | undefined;
  let rest = () => {};
  const beat = (): void => void Atomics.add(beats, 0, 1);
  const goOn = (): void => {
    beat();
    rest = clock.after(everyMilliseconds, goOn);
  };
  return {
    begin() {
      thread ??= threadBeside(beats, clock, log);
      const { worker, isThere } = thread;
      // What stands still from now on is another's, also where no timer has had a turn in between.
      beat();
      if (underWay++ === 0) {
        goOn();
        worker.postMessage('begin');
      }
      let isOver = false;
      return {
        isSeen: isThere,
        end() {
          if (isOver) return;
          isOver = true;
          beat();
          if (--underWay > 0) return;
          rest();
          worker.postMessage('end');
        },
      };
    },
  };
}

interface ThreadBeside {
  readonly worker: Worker;
  /** It runs, or never will. */
  readonly isThere: Promise<void>;
}

function threadBeside(beats: Int32Array, clock: Clock, log: Log): ThreadBeside {
  const slow = new ToldSeldom(clock);
  const tell = (beat: number): void => {
    // Where it got round before it could be stopped, what runs now is another's.
    if (Atomics.load(beats, 0) !== beat) return;
    const owner = ownerOfThis();
    if (!owner) return;
    const { rejected: _, ...told } = owner;
    slow.warn(log, 'Waits for the code of an author', told, { place: placeOfCaller(tell) });
  };
  (globalThis as Record<symbol, unknown>)[standstill] = tell;
  const workerData: Beside = {
    beats,
    everyMilliseconds,
    standstillMilliseconds,
    callee: `globalThis[Symbol.for(${JSON.stringify(standstill.description)})]`,
  };
  const given = ["require('node:worker_threads')", "require('node:inspector').Session", stillness.toString()];
  const program = `(${beside.toString()})(${given.join(', ')})`;
  // It has no use for what this process was started with, and for little memory.
  const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 };
  const worker = new Worker(program, { eval: true, workerData, env: {}, execArgv: [], resourceLimits });
  worker.on('error', ({ message }) => log.debug('Failed to look out for code that stands still', { error: message }));
  worker.unref();
  const isThere = new Promise<void>((resolve) => {
    for (const event of ['message', 'error', 'exit']) worker.once(event, () => resolve());
  });
  return { worker, isThere };
}

/** What the thread beside does. Its text is handed over, so that it uses nothing of this module. */
function beside(
  { parentPort, workerData }: typeof import('node:worker_threads'),
  Inspector: typeof Session,
  still: typeof stillness,
): void {
  const { beats, everyMilliseconds, standstillMilliseconds, callee } = workerData as Beside;
  /** In the innermost of its calls that it can be called in: of Node's own some know no global object, and others have another. */
  const call = (session: Session, expression: string, [within, ...outer]: readonly Debugger.CallFrame[]): void => {
    const callFrameId = within?.callFrameId ?? '';
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression }, (error, answer) => {
      if (outer.length > 0 && (error || answer.exceptionDetails)) call(session, expression, outer);
      // It goes on when nobody is connected any more.
      else session.disconnect();
    });
  };
  const ask = (beat: number): void => {
    const session = new Inspector();
    session.connectToMainThread();
    session.once('Debugger.paused', ({ params }) => call(session, `${callee}(${beat})`, params.callFrames));
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  };
  const main = still(standstillMilliseconds, everyMilliseconds);
  const look = (): void => {
    const beat = Atomics.load(beats, 0);
    if (main.look(beat, performance.now())) ask(beat);
  };
  let looking: NodeJS.Timeout | undefined;
  parentPort?.on('message', (word) => {
    clearInterval(looking);
    main.begin(Atomics.load(beats, 0), performance.now());
    if (word === 'begin') looking = setInterval(look, everyMilliseconds);
  });
  parentPort?.postMessage('there');
}
