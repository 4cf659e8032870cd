import { qualifiedName } from '../../../schema/name-formats.js';
import type { Problems } from '../problems.js';

const totalSize = 256 * 1024;

/** What is wrong with annotations, at the path of the whole map. Keys are judged without regard to case. */
export function annotationProblems(
  found: Problems,
  path: string,
  annotations: Readonly<Record<string, string | undefined>> | undefined,
): void {
  let size = 0;
  for (const key in annotations) {
    for (const message of qualifiedName(key.toLowerCase())) found.invalid(path, key, message);
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  }
  if (size > totalSize) found.tooLong(path, totalSize);
}
