import type { Call, CallMatch } from './call.js';
import type { Connections, CutOff, Hang } from './unwell-server.js';

/** What becomes of a call. */
export type Fate =
  | { readonly type: 'refuse'; readonly code: number; readonly retryAfterSeconds?: number }
  /** The server does not know the kind. */
  | { readonly type: 'unserve' }
  /** It meets an API server that is cut off from etcd. */
  | { readonly type: 'cut-off'; readonly code: number; readonly afterSeconds: number }
  /** It meets an API server that hangs until then; `isLate`: though its sender gave up by then, it is carried out. */
  | { readonly type: 'hang'; readonly over: Promise<unknown>; readonly isLate: boolean }
  /** Never reaches the server, or is carried out and its answer is lost. The caller cannot tell which. */
  | { readonly type: 'lose'; readonly when: 'before' | 'after' }
  | { readonly type: 'delay'; readonly seconds: number }
  /** The controller dies just before the call is sent, or just after the server committed or refused it. */
  | { readonly type: 'crash'; readonly when: 'before' | 'after' };

/** The error with which the server answers. */
export interface Refusal {
  /** The HTTP status: 409, 410, 429, 500, 503, … */
  readonly code: number;
  /** The header `Retry-After`. Default: none. */
  readonly retryAfterSeconds?: number;
  /** How many calls are answered so. Default: one. */
  readonly times?: number;
}

/** On its way to the server, on its way back, or an event of a watch. */
export type Leg = 'there' | 'back' | 'event';

/** Hears of each call before it is sent, with what is to become of it. */
export type CallObserver = (call: Call, fate: Fate | undefined) => void;

/**
 * What goes wrong between one controller and the API server. A planned fault happens to the next calls that match it, one unless
 * `times` says more, and is then used up; of several that match, the one that was planned first.
 */
export interface Faults {
  /** The server answers with an error. */
  refuse(match: CallMatch, refusal: Refusal): void;

  /** The answer is lost on its way back: the call was carried out, and the caller does not know. */
  loseAnswer(match: CallMatch, times?: number): void;

  /** The request is lost on its way: the call was not carried out, and the caller does not know. */
  loseCall(match: CallMatch, times?: number): void;

  /** The call takes `seconds` longer. */
  delay(match: CallMatch, seconds: number, times?: number): void;

  /** The controller dies just before such a call is sent. */
  crashBefore(match: CallMatch): void;

  /** The controller dies just after the server has committed such a call, or has refused it. */
  crashAfter(match: CallMatch): void;

  /** Keeps events of a kind back until the returned function is called. */
  holdWatch(kind: string | { readonly kind: string }): () => void;

  /** Until the returned function is called, no call gets through, and open watches are silent. */
  partition(): () => void;

  /** Breaks the watches of a kind that are open now; their connection is reset. */
  breakWatch(kind: string | { readonly kind: string }): void;

  /** The watches of a kind that are open now say nothing any more, as on a connection that is half open. */
  silenceWatch(kind: string | { readonly kind: string }): void;

  /** From now until the returned function is called, lists of a kind, but not by one name, show the past as it is at this moment. */
  goBack(kind: string | { readonly kind: string }): () => void;

  /** Until the returned function is called the server does not know a kind: each call is answered 404, and its watches end. */
  unserve(kind: string | { readonly kind: string }): () => void;

  /**
   * From now until the returned function is called, there is a second API server behind the balancer, which is cut off from etcd: a watch that
   * leads to it shows nothing new, and each minute a bookmark of the version that it had got to; calls fail there. What was kept back comes in
   * when it ends.
   */
  cutOffServer(how?: CutOff): () => void;

  /**
   * The same with one that hears of everything so many seconds late: its watches are late, lists wait for what they are to show, and one that
   * is streamed fails where that takes more than three seconds.
   */
  lagServer(seconds: number, connections?: Connections): () => void;

  /**
   * The same with one that hangs, as one whose process is stopped: a call that leads to it has no answer, an open watch says nothing, and one
   * that begins does not. When it ends all of that goes on, and so does by default what nobody waits for any more.
   */
  hangServer(how?: Hang): () => void;

  /**
   * From now until the returned function is called, everything takes the milliseconds on its way that `latency` says; of several
   * that overlap the last. What is on its way arrives, even when its sender is dead by then.
   */
  slowDown(latency: (call: Call, leg: Leg) => number): () => void;

  /** Calls `observer` with every call from now on, until the returned function is called. */
  observe(observer: CallObserver): () => void;

  /**
   * From now on all is well: what was planned befalls nobody, and what is held is let go. A watch that was silenced stays silent: who
   * reads it has to find out, as of any that is half open.
   */
  clear(): void;

  /** Faults that were planned and befell nobody yet: a test that planned them in vain tests nothing. */
  readonly pending: readonly string[];
}
