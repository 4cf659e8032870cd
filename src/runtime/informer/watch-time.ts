import type { Random } from '../../kube/clock.js';

const usualSeconds = 300;
/** A shorter watch has no bookmark before its end. */
const leastSeconds = 5;
/** Slowly, since each watch that is too long is cut. */
const growth = 1.02;

/**
 * For how long watches are asked for.
 *
 * What is between us and the API server may cut a stream on which nothing comes for a while, as HAProxy does after the time
 * that it is given. A quiet kind has nothing but bookmarks, one each minute. But there is another two seconds before a watch
 * ends in its time: https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go
 * So what is cut before it said anything is asked for in shorter pieces.
 */
export class WatchTime {
  #seconds = usualSeconds;

  constructor(private readonly random: Random) {}

  /** Spread, so that the watches of a restarted controller do not all end in the same second for ever. */
  spread(seconds = usualSeconds): number {
    return Math.round(seconds * (1 + this.random()));
  }

  /** In seconds. */
  next(): number {
    return this.spread(this.#seconds);
  }

  /** True while watches are shorter than usual. */
  get isShort(): boolean {
    return this.#seconds < usualSeconds;
  }

  /** One that had said nothing was cut after so long. */
  cut(milliseconds: number): void {
    this.#seconds = Math.min(this.#seconds, Math.max(leastSeconds, milliseconds / 3000));
  }

  /** One ended in its time. Where nothing was said on it there is nothing to be gained by short ones. */
  ended({ isQuiet }: { readonly isQuiet: boolean }): void {
    this.#seconds = Math.min(usualSeconds, this.#seconds * (isQuiet ? 2 : growth));
  }
}
