import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Event } from '../api-server.js';

/** Each event as one line of JSON. */
export type Encode = (event: Event) => string;

/**
 * Sends events as they come until they end, `abort` is called for a caller that has gone, or the caller goes.
 *
 * A caller that reads more slowly than things change is waited for, so that no more than one event and the buffers of
 * the connection are held for it here; what waits meanwhile is bounded by whoever makes the events, and ends them.
 */
export async function streamEvents(
  response: ServerResponse,
  events: AsyncIterable<Event>,
  encode: Encode,
  abort: () => void,
): Promise<void> {
  response.on('close', abort);
  response.statusCode = 200;
  response.setHeader('Cache-Control', 'no-cache, private');
  response.setHeader('Content-Type', 'application/json');
  // The caller shall know at once that its watch stands, events or not.
  response.flushHeaders();
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    response.uncork();
  };
  for await (const event of events) {
    if (response.destroyed) break;
    if (!isCorked) {
      isCorked = true;
      // What comes in one burst goes out in one piece.
      response.cork();
      process.nextTick(uncork);
    }
    if (!response.write(encode(event))) await drained(response);
  }
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    if (!response.destroyed) await once(response, 'drain', { signal: gone.signal });
  } catch {
    // Gone; the next look at the response tells.
  } finally {
    response.off('close', leave);
  }
}

const texts = new WeakMap<object, string>();

/** The line of an event whose object is sent as it is. Many watchers see one object; it is written once. */
export function plainLine({ type, object }: Event): string {
  let text = texts.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    texts.set(object, text);
  }
  return lineOf(type, text);
}

export function lineOf(type: string, text: string): string {
  return `{"type":${JSON.stringify(type)},"object":${text}}\n`;
}
