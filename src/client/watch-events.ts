import type { KubeObject } from '../kube/manifest.js';
import { ApiError, type Status, TransportError } from './api-error.js';
import type { WatchEvent } from './cluster.js';
import { jsonLines } from './json-lines.js';
import { type Asked, responseError } from './response-error.js';

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists */
const initialEventsEnd = 'k8s.io/initial-events-end';

/** The events of a watch's body. An ERROR event is thrown by its class; a broken stream is a `TransportError`. */
export async function* watchEvents(
  body: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown },
  asked: Asked,
): AsyncGenerator<WatchEvent> {
  try {
    for await (const line of jsonLines(body)) {
      const { type, object } = line as { type?: unknown; object?: unknown };
      switch (type) {
        case 'ADDED':
        case 'MODIFIED':
        case 'DELETED':
          yield { type, object: object as KubeObject };
          break;
        case 'BOOKMARK': {
          const { resourceVersion, annotations } = (object as KubeObject).metadata;
          yield { type, resourceVersion, initialEventsEnd: annotations?.[initialEventsEnd] === 'true' };
          break;
        }
        case 'ERROR': {
          const status = object as Status;
          throw responseError(asked, status.code ?? 500, status, undefined);
        }
        default:
          throw new TransportError(`${asked.subject} watch failed: the server sent an event of type "${String(type)}"`);
      }
    }
  } catch (cause) {
    if (cause instanceof ApiError || (cause as Error).name === 'AbortError') throw cause;
    throw new TransportError(`${asked.subject} watch failed: ${(cause as Error).message}`, { cause });
  } finally {
    // Whoever stops listening must not keep the socket.
    body.destroy();
  }
}
