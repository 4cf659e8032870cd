import type { Clock } from '../../kube/clock.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Caller } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { ObjectStore } from '../object-store.js';
import type { Authorizer } from './authorizer.js';
import type { Tokens } from './tokens.js';

/** What the answers to questions are made of. */
export interface VirtualDesk {
  readonly authorizer: Authorizer;
  readonly tokens: Tokens;
  readonly store: ObjectStore;
  readonly clock: Clock;
}

/** A body that was decoded, and who sent it where. */
export interface Question {
  readonly object: Draft;
  readonly caller: Caller;
  readonly namespace?: string;
  /** Of the object whose subresource is asked. */
  readonly name?: string;
}

/** All fields of the object that is answered, but for its kind. */
export interface Answer {
  readonly metadata: object;
  readonly [field: string]: unknown;
}

/** A kind of which nothing is ever kept: to create one is to ask, and the answer is the object with its status. */
export interface VirtualKind extends ServedKind {
  /** Throws a `StatusError` for a question that makes no sense. */
  answer(question: Question, desk: VirtualDesk): Answer;
}

export type Review = Answer & Pick<KubeObject, 'apiVersion' | 'kind'>;
