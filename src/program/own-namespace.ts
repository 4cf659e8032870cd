import { readFileSync } from 'node:fs';

/** Where the account of this Pod is; undefined outside of a cluster. */
export function ownNamespace(): string | undefined {
  try {
    return readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/namespace', 'utf8').trim();
  } catch {
    return undefined;
  }
}
