import type { KubeObject } from './manifest.js';

/** What is said of an object that is on its way out: `is being deleted, held by example.com/backup`. */
export function beingDeleted({ metadata: { finalizers = [] } }: KubeObject): string {
  return `is being deleted${finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`}`;
}
