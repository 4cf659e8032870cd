import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { type ApiError, GoneError, RetryAfterError, TransportError } from '../../src/client/api-error.js';
import type { WatchEvent, WatchOptions } from '../../src/client/cluster.js';
import { object, scriptedCluster } from './scripted-cluster.js';
import { hangUp, status, stream } from './scripted-server.js';

const line = (type: string, body: unknown) => `${JSON.stringify({ type, object: body })}\n`;
/** A refusal whose body breaks off. */
const cutShort = (response: ServerResponse) => {
  response.writeHead(410, { 'content-length': '1000' }).write('{"kind":"Sta');
  setImmediate(() => response.socket?.destroy());
};

const scripted = scriptedCluster();

/** What a watch told before it ended, and the error that it ended with. */
async function watched(
  options: WatchOptions = {},
): Promise<{ readonly seen: WatchEvent[]; readonly error?: ApiError }> {
  const seen: WatchEvent[] = [];
  try {
    for await (const event of scripted.cluster.watch(ConfigMap, { resourceVersion: '1', ...options })) seen.push(event);
    return { seen };
  } catch (error) {
    return { seen, error: error as ApiError };
  }
}
const names = (seen: readonly WatchEvent[]) =>
  seen.map((event) => (event.type === 'BOOKMARK' ? '' : event.object.metadata.name));

describe('a watch', () => {
  it('ends in good order when the server closes it', async () => {
    scripted.server.answers(stream([line('ADDED', object('a'))]));
    expect(await watched()).toEqual({ seen: [{ type: 'ADDED', object: object('a') }] });
  });

  it('of a kind that can only be listed says that nobody will hear of it', async () => {
    const message = 'the server does not allow this method on the requested resource';
    scripted.server.answers(status(405, { message, reason: 'MethodNotAllowed' }));
    expect((await watched()).error).toMatchObject({ hint: expect.stringContaining('has no watch of it') as unknown });
  });

  it('that is forbidden tells what the server says, and what to allow', async () => {
    const message =
      'configmaps is forbidden: User "u" cannot watch resource "configmaps" in API group "" at the cluster scope';
    scripted.server.answers(status(403, { message }));
    expect((await watched()).error).toMatchObject({
      message: `configmaps watch failed: ${message}`,
      hint: 'allow "watch" on configmaps in the Role or ClusterRole of this account',
    });
  });

  it.each([
    ['a reset in the middle of a line', stream([line('ADDED', object('a')), '{"type":"ADD'], 'reset')],
    ['an end in the middle of a line', stream([line('ADDED', object('a')), '{"type":"ADDED","object":{'])],
    ['a garbled line', stream([line('ADDED', object('a')), '{"type":"ADDED",,,}\n', line('ADDED', object('b'))])],
    ['an event of no known type', stream([line('ADDED', object('a')), line('SURPRISE', object('b'))])],
  ])('breaks at %s, and skips nothing', async (_, answer) => {
    scripted.server.answers(answer);
    const { seen, error } = await watched();
    expect(names(seen)).toEqual(['a']);
    expect(error).toBeInstanceOf(TransportError);
    expect(error?.message).toMatch(/^configmaps watch failed: /);
  });

  it('keeps a character whole whose bytes come apart, and a line that holds U+2028', async () => {
    const bytes = Buffer.from(line('ADDED', object('a', { key: '🦭\u2028' })).replace('\\u2028', '\u2028'));
    const cut = bytes.indexOf(Buffer.from('🦭')) + 2;
    scripted.server.answers(stream([bytes.subarray(0, cut), bytes.subarray(cut)]));
    expect(await watched()).toEqual({ seen: [{ type: 'ADDED', object: object('a', { key: '🦭\u2028' }) }] });
  });

  it('reads an event of a megabyte and a half', async () => {
    const large = object('a', { key: 'x'.repeat(1_500_000) });
    scripted.server.answers(stream([line('ADDED', large)]));
    let parts = 0;
    expect((await watched({ partly: () => void parts++ })).seen).toEqual([{ type: 'ADDED', object: large }]);
    expect(parts).toBeGreaterThan(0);
  });

  it.each([
    ['410 in the stream', stream([line('ERROR', { code: 410, reason: 'Expired', message: 'too old' })]), GoneError],
    ['410 at the door', status(410, { reason: 'Expired' }), GoneError],
    ['429 at the door', status(429, {}, { 'retry-after': '3' }), RetryAfterError],
    ['500 in the stream', stream([line('ERROR', { code: 500, message: 'oh' })]), TransportError],
    ['500 at the door', status(500), TransportError],
    ['410 at the door, of which the account is cut short', cutShort, GoneError],
    ['a connection that goes away', hangUp, TransportError],
  ])('makes of %s an error of its class', async (_, answer, errorClass) => {
    scripted.server.answers(answer);
    expect((await watched()).error).toBeInstanceOf(errorClass);
  });

  it('ends with the reason of whoever gives it up', async () => {
    scripted.server.answers(stream([line('ADDED', object('a'))], 'never'));
    const [stop, why] = [new AbortController(), new Error('never mind')];
    const events = scripted.cluster.watch(ConfigMap, { resourceVersion: '1', signal: stop.signal });
    await events.next();
    const next = events.next();
    stop.abort(why);
    expect(await next.catch((error) => error)).toBe(why);
  });

  it('lets go of its connection when nobody listens any more', async () => {
    let closed: Promise<unknown> | undefined;
    scripted.server.answers((response) => {
      closed = once(response, 'close');
      response.write(line('ADDED', object('a')));
    });
    for await (const _ of scripted.cluster.watch(ConfigMap, { resourceVersion: '1' })) break;
    await closed;
  });
});
