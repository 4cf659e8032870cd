import {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  executionAsyncResource,
} from 'node:async_hooks';
import { nodeMajor } from '../process/engine-version.js';

/** A function of an author, and the object that it runs for. */
export interface AuthorsFunction {
  readonly function: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly rejected: Rejected;
}

/** One that is asynchronous: much may happen before it ends. */
export interface LastingFunction extends AuthorsFunction {
  /** The name of the operator. */
  readonly controller: string;
}

/** Hears of what an author's code left behind, which nobody awaits and nobody catches: a promise, or a callback. */
export type Rejected = (reason: unknown, how: 'was rejected' | 'threw') => void;

const owners = new WeakMap<object, Rejected>();
let ownerNow: () => Rejected | undefined = () => undefined;
/** Something was left behind. From then on each `await` of the process costs three times as much, and before that none does. */
let isFollowing = false;
/** Of a microtask that throws is told when it is over. */
let ownerBefore: Rejected | undefined;
const hook = createHook({
  init(_, __, ___, resource) {
    const rejected = ownerNow() ?? owners.get(executionAsyncResource());
    if (!rejected) return;
    owners.set(resource, rejected);
    isFollowing = true;
  },
  after,
});

/** Of what goes on in the background. Entered for nothing else: from the first time on, each `await` costs three times as much. */
const background = new AsyncLocalStorage<LastingFunction>();
/** Before Node 24 a microtask that threw has left the background when it is told. The hook adds a tenth to that cost. */
const isLeftBeforeTold = nodeMajor() < 24;
const backgroundHook = createHook({ after });

function after(): void {
  ownerBefore = background.getStore()?.rejected ?? owners.get(executionAsyncResource());
}

/**
 * Runs an author's code, and remembers of each promise and each callback that it begins whose it is: whose turn it is then, by
 * `owner`. So it does of those that they begin in turn. Nobody awaits these: compose and status are synchronous. One that fails
 * would end the process, or be a riddle in its log.
 *
 * A limit of time belongs within `body`: code that it ends leaves no `finally` behind it.
 */
export function owning<T>(owner: () => Rejected | undefined, body: () => T): T {
  ownerNow = owner;
  hook.enable();
  try {
    return body();
  } finally {
    ownerNow = () => undefined;
    if (!isFollowing) hook.disable();
  }
}

/** Runs an author's code that is asynchronous, and remembers whose is all that follows from it. */
export function owningAll<T>(what: LastingFunction, body: () => Promise<T>): Promise<T> {
  if (isLeftBeforeTold) backgroundHook.enable();
  return background.run(what, body);
}

/** Whose function that is asynchronous has led to what runs at this moment, if anybody's. */
export function ownerOfThis(): LastingFunction | undefined {
  return background.getStore();
}

/**
 * From now on a rejection that nobody handles, and an error that nobody catches, is told to the one whose it is; `fatal`
 * hears of one that is nobody's, which is a mistake of ours.
 */
export function tellStrays(fatal: Rejected): void {
  const ours = new AsyncResource('kilter');
  // What is begun to tell of it is not its author's.
  const tell = (owner: Rejected | undefined, ...told: Parameters<Rejected>) =>
    ours.runInAsyncScope(() => (owner ?? fatal)(...told));
  process.on('unhandledRejection', (reason, promise) => {
    tell(background.getStore()?.rejected ?? owners.get(promise), reason, 'was rejected');
  });
  process.on('uncaughtException', (error) => {
    const owner = executionAsyncId() === 0 ? ownerBefore : owners.get(executionAsyncResource());
    tell(background.getStore()?.rejected ?? owner, error, 'threw');
  });
}
