import type { KubeObject } from '../kube/manifest.js';
import type { Caller } from './api-server.js';

/** A write of a custom resource about which somebody is asked before it is done. */
export interface AskedWrite {
  readonly now: KubeObject;
  /** What it was. Absent: it is created. */
  readonly before?: KubeObject;
  readonly caller: Caller;
  readonly isDryRun: boolean;
}

/**
 * Who is asked, in this process, about the custom resources of one definition, where a real server asks webhooks and holds
 * writes against policies. What is absent is not asked.
 */
export interface Reviewer {
  /** In which `mutate` and `validate` see objects, whatever version is written. */
  readonly apiVersion: string;
  /** An object of any version in another. What it throws is told to whoever asked for the object. */
  convert(object: KubeObject, apiVersion: string): KubeObject;
  /** The object as it is to be stored; the very one when nothing is to be changed. Throws a `StatusError`. */
  mutate?(write: AskedWrite): KubeObject;
  /** Throws a `StatusError` for what may not be stored. */
  validate?(write: AskedWrite): void;
}

/** By the name under which the store keeps the objects of a definition. */
export type Reviewers = ReadonlyMap<string, Reviewer>;

/** `object` in a version. What stands in the way is thrown as what `failed` makes of the server's words for it. */
export function convertedBy(
  reviewer: Reviewer,
  object: KubeObject,
  apiVersion: string,
  failed: (words: string) => Error,
): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  try {
    return reviewer.convert(object, apiVersion);
  } catch (error) {
    const about = `${object.apiVersion}, Kind=${object.kind}`;
    throw failed(`conversion webhook for ${about} failed: ${(error as Error).message}`);
  }
}
