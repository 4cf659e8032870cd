import type { IncomingMessage } from 'node:http';
import { tooLarge } from '../status-error.js';

/** 3 MiB, the server's limit. */
const bodyLimit = 3 * 1024 * 1024;
const beyond = `limit is ${bodyLimit}`;

/** The caller went away before its request was whole: there is nobody to answer. */
export class GoneCallerError extends Error {
  override readonly name = 'GoneCallerError';
}

/**
 * The whole body. Throws a `StatusError` (413) for one over the limit, of which nothing more is kept, and
 * `GoneCallerError` for one that never became whole.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) {
      reject(tooLarge(beyond));
      return;
    }
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= bodyLimit) parts.push(part);
      else {
        parts.length = 0;
        reject(tooLarge(beyond));
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => reject(new GoneCallerError('the connection broke')));
    request.on('close', () => {
      if (!request.readableEnded) reject(new GoneCallerError('the caller went away'));
    });
  });
}
