import type { WriteRequest } from '../api-server.js';
import { StatusError } from '../status-error.js';

/** A write that is under way, with what there has been to warn of so far. */
export interface Writing extends WriteRequest {
  readonly warnings: string[];
  /** It is a server-side apply, of which who owns what is never dropped. */
  readonly isApply?: boolean;
}

/** Runs a write. Also who is refused is told what there was to warn of before. */
export function warned<Result>(request: WriteRequest, write: (writing: Writing) => Result): Result {
  const warnings: string[] = [];
  try {
    return write({ ...request, warnings });
  } catch (error) {
    if (error instanceof StatusError && warnings.length > 0) error.warnings = warnings;
    throw error;
  }
}
