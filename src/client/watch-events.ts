import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { property } from '../kube/plain-map.js';
import { TransportError } from './api-error.js';
import { brokenCall, statusIn, statusOf } from './calls.js';
import type { WatchEvent, WatchOptions } from './cluster.js';
import { jsonLines } from './json-lines.js';
import { type Asked, responseError, secondsOf } from './response-error.js';
import type { HttpStream } from './transport.js';

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists */
const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * The events of what a server answers to a watch. A refusal and an ERROR event are thrown by their class, and a broken stream
 * is a `TransportError`, unless `signal` has aborted: then its reason is thrown.
 */
export async function* watchEvents(
  { code, retryAfter, body }: HttpStream,
  asked: Asked,
  { signal, partly, clock }: Pick<WatchOptions, 'signal' | 'partly'> & { readonly clock: Clock },
): AsyncGenerator<WatchEvent> {
  try {
    if (code >= 300) {
      // Of an account that is cut short the code is left.
      const text = await body.text().catch(() => '');
      throw responseError(asked, code, statusOf(text), secondsOf(retryAfter, clock.now()));
    }
    for await (const line of jsonLines(body, partly)) {
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
          const code = property(object, 'code');
          throw responseError(asked, typeof code === 'number' ? code : 500, statusIn(object), undefined);
        }
        default:
          throw new TransportError(`${asked.subject} watch failed: the server sent an event of type "${String(type)}"`);
      }
    }
  } catch (cause) {
    throw signal?.aborted ? signal.reason : brokenCall(asked, cause);
  } finally {
    // Whoever stops listening must not keep the socket.
    body.destroy();
  }
}
