import type { Clock, Random } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { timestamp } from '../kube/timestamp.js';
import type { Caller } from './api-server.js';
import type { Draft } from './draft.js';
import type { Kinds } from './kinds/kinds.js';
import type { ServedKind, World } from './kinds/served-kind.js';
import type { ObjectStore } from './object-store.js';
import type { Reviewers } from './reviewer.js';

/** What somebody wants to do: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#review-your-request-attributes */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** What the verbs work on. */
export interface Engine {
  readonly store: ObjectStore;
  readonly kinds: Kinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly world: World;
  /** Who is asked about custom resources. */
  readonly reviewers: Reviewers;
  /** Throws a `StatusError` (403) when the caller may not. */
  authorize(caller: Caller, attributes: Attributes): void;
  /**
   * Throws a `StatusError` when `object` may not be written whatever its kind says of it: because it would give somebody
   * what the caller has not (403), or would be kept without effect (501).
   */
  guard(kind: ServedKind, caller: Caller, object: Draft, old: KubeObject | undefined): void;
}

/** RFC 3339 in UTC to the second, as the server writes times. */
export function timeOf({ clock }: Pick<Engine, 'clock'>): string {
  const second = Math.floor(clock.now() / 1000);
  // A write asks several times, and many writes come in a second.
  if (second !== latest.second) latest = { second, text: timestamp(second * 1000) };
  return latest.text;
}

let latest = { second: 0, text: '1970-01-01T00:00:00Z' };

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const part = () => {
    const value = Math.floor(random() * 0x10000);
    return `${hexOfByte[value >> 8]}${hexOfByte[value & 0xff]}`;
  };
  const [first, second, third, fourth, fifth] = [part() + part(), part(), part(), part(), part() + part() + part()];
  const variant = '89ab'[Math.floor(random() * 4)];
  return `${first}-${second}-4${third.slice(1)}-${variant}${fourth.slice(1)}-${fifth}`;
}

const hexOfByte = Array.from({ length: 0x100 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** What the server appends to a generateName. The whole stays within 63 characters. */
export function generatedName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: 5 }, () => suffixLetters[Math.floor(random() * suffixLetters.length)]).join('');
  return `${prefix.slice(0, 63 - suffix.length)}${suffix}`;
}
