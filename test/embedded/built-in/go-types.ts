import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../cluster/package-root.js';

/** What the reflection over the Go types of the API says: see test/cluster/modules/kubernetes/go-types. */
export interface GoTypes {
  /** The type of each kind, by `apps/v1 Deployment`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, GoType>>;
}

export interface GoType {
  readonly name: string;
  readonly kind: string;
  readonly model?: string;
  readonly elem?: string;
  /** A list that is a message of its own in protobuf, with the items as field 1. */
  readonly message?: boolean;
  readonly fields?: readonly GoField[];
}

export interface GoField {
  readonly name: string;
  readonly type: string;
  readonly pointer?: boolean;
  readonly embedded?: readonly string[];
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The field numbers in protobuf: of the embedded structs that it comes from, and its own. */
  readonly number?: readonly number[];
}

/** Undefined where there is no Go to reflect with; in CI that is an error. */
export function readGoTypes(): GoTypes | undefined {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
  } catch (error) {
    if (process.env['CI']) throw error;
    return undefined;
  }
  const output = execFileSync('go', ['run', './go-types'], {
    cwd: join(packageRoot, 'test/cluster/modules/kubernetes'),
    // A workspace above this folder must not mix its modules into ours.
    env: { ...process.env, GOWORK: 'off' },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(output.toString('utf8')) as GoTypes;
}
