import { beforeEach, describe, expect, it } from '@jest/globals';
import { TransportError } from '../../../../src/client/api-error.js';
import type { ApiResource } from '../../../../src/kube/api-resource.js';
import type { KubeObject, Manifest } from '../../../../src/kube/manifest.js';
import { silentLog } from '../../../../src/runtime/telemetry/log.js';
import { MetricsAccess } from '../../../../src/runtime/telemetry/metrics/access.js';
import { LineLog, type LogLine } from '../../../../src/testing/line-log.js';
import { settled, VirtualClock } from '../../../../src/testing/virtual-clock.js';

const user = { username: 'prometheus', uid: 'u', groups: ['g'], extra: { pod: ['p'] } };

/** An API server that judges as it is told, and remembers what it was asked. */
class Reviewer {
  readonly asked: Manifest[] = [];
  token: unknown = { status: { authenticated: true, user } };
  access: unknown = { status: { allowed: true } };
  gate: Promise<void> = Promise.resolve();

  async create({ kind }: ApiResource, manifest: Manifest): Promise<KubeObject> {
    this.asked.push(manifest);
    await this.gate;
    const answer = kind === 'TokenReview' ? this.token : this.access;
    if (answer instanceof Error) throw answer;
    return answer as KubeObject;
  }
}

let clock: VirtualClock;
let reviewer: Reviewer;
let access: MetricsAccess;
const judge = (token = 'Bearer good') => access.judge(token, 'get', '/metrics');

beforeEach(() => {
  clock = new VirtualClock();
  reviewer = new Reviewer();
  access = new MetricsAccess({ reviewer, clock, log: silentLog });
});

describe('access to metrics', () => {
  it('asks the API server whose the token is, and whether they may read this path', async () => {
    expect(await judge()).toEqual({ code: 200 });
    expect(reviewer.asked.map(({ kind, metadata, spec }) => [kind, metadata.name, spec])).toEqual([
      ['TokenReview', '', { token: 'good' }],
      [
        'SubjectAccessReview',
        '',
        {
          user: 'prometheus',
          uid: 'u',
          groups: ['g'],
          extra: { pod: ['p'] },
          nonResourceAttributes: { path: '/metrics', verb: 'get' },
        },
      ],
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['an empty word', ''],
    ['a password', 'Basic YTpi'],
    ['a scheme without a token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
  ])('is refused without asking anybody to who shows %s', async (_, shown) => {
    expect((await access.judge(shown, 'get', '/metrics')).code).toBe(401);
    expect(reviewer.asked).toEqual([]);
  });

  it.each<[string, unknown, unknown, number]>([
    ['a token that is nobody’s', { status: { authenticated: false, error: 'invalid' } }, undefined, 401],
    ['a token that is nobody’s, whomever it names', { status: { authenticated: false, user } }, undefined, 401],
    ['a token of somebody without a name', { status: { authenticated: true, user: {} } }, undefined, 401],
    ['a status that says nothing', { status: {} }, undefined, 401],
    ['no right', undefined, { status: { allowed: false } }, 403],
    ['a right that is denied', undefined, { status: { allowed: true, denied: true } }, 403],
    ['a word in place of a right', undefined, { status: { allowed: 'true' } }, 403],
    ['an answer that is no review', {}, undefined, 500],
    ['an answer that is nothing', undefined, { status: null }, 500],
    ['no answer to the first question', new TransportError('down'), undefined, 500],
    ['no answer to the second question', undefined, new TransportError('down'), 500],
  ])('is closed upon %s', async (_, token, right, code) => {
    if (token !== undefined) reviewer.token = token;
    if (right !== undefined) reviewer.access = right;
    expect((await judge()).code).toBe(code);
  });

  it.each<[string, (it: Reviewer) => void, number, number]>([
    ['a right', () => {}, 60, 2],
    ['a refusal', (it) => (it.access = { status: { allowed: false } }), 10, 2],
    ['a wrong token', (it) => (it.token = { status: { authenticated: false } }), 10, 1],
  ])('remembers %s for a while, and then asks again', async (_, set, seconds, questions) => {
    set(reviewer);
    const first = await judge();
    await clock.advance(seconds * 1000 - 1);
    expect(await judge()).toEqual(first);
    expect(reviewer.asked).toHaveLength(questions);
    await clock.advance(1);
    await judge();
    expect(reviewer.asked).toHaveLength(2 * questions);
  });

  it('remembers no failure', async () => {
    reviewer.token = new TransportError('down');
    expect((await judge()).code).toBe(500);
    reviewer.token = { status: { authenticated: true, user } };
    expect((await judge()).code).toBe(200);
  });

  it('remembers each token for itself', async () => {
    await judge('Bearer good');
    reviewer.token = { status: { authenticated: false } };
    expect((await judge('Bearer other')).code).toBe(401);
    expect((await judge('bearer good')).code).toBe(200);
  });

  it('forgets the oldest of very many, whoever tries tokens, and not the latest', async () => {
    for (let index = 0; index < 2000; index++) await judge(`Bearer ${index}`);
    const before = reviewer.asked.length;
    await judge('Bearer 1999');
    expect(reviewer.asked).toHaveLength(before);
    await judge('Bearer 0');
    expect(reviewer.asked.length).toBeGreaterThan(before);
  });

  it('keeps for whom it let in what it knows, whoever tries tokens', async () => {
    await judge();
    reviewer.token = { status: { authenticated: false } };
    for (let index = 0; index < 2000; index++) await judge(`Bearer ${index}`);
    const before = reviewer.asked.length;
    expect((await judge()).code).toBe(200);
    expect(reviewer.asked).toHaveLength(before);
  });

  it('asks about whom it let in before, however many try tokens, and lets in nobody any more who may not', async () => {
    await judge();
    await clock.advance(60_000);
    let open = () => {};
    reviewer.gate = new Promise((resolve) => {
      open = resolve;
    });
    const others = Array.from({ length: 100 }, (_, index) => judge(`Bearer ${index}`));
    const again = judge();
    const withOthers = [...others, again];
    reviewer.access = { status: { allowed: false } };
    open();
    const codes = (await Promise.all(withOthers)).map(({ code }) => code);
    expect(codes.slice(14, 18)).toEqual([403, 403, 429, 429]);
    expect(codes.at(-1)).toBe(403);
    await clock.advance(9_999);
    reviewer.access = { status: { allowed: true } };
    expect((await judge()).code).toBe(403);
    await clock.advance(1);
    expect((await judge()).code).toBe(200);
  });

  it('asks once for those who come at once with one token', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => judge()));
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set([200]));
    expect(reviewer.asked).toHaveLength(2);
  });

  it('bothers the API server with no more than a few questions at once, whoever tries tokens', async () => {
    let open = () => {};
    reviewer.gate = new Promise((resolve) => {
      open = resolve;
    });
    const all = Array.from({ length: 100 }, (_, index) => judge(`Bearer ${index}`));
    await settled();
    expect(reviewer.asked).toHaveLength(16);
    open();
    const codes = (await Promise.all(all)).map(({ code }) => code);
    expect([codes.filter((code) => code === 200).length, codes.filter((code) => code === 429).length]).toEqual([
      16, 84,
    ]);
    expect((await judge('Bearer 99')).code).toBe(200);
  });

  it.each([
    ['whose a token is', 'token'],
    ['what somebody may', 'access'],
  ] as const)(
    'tells once that nobody can say %s, however often it is asked, and once that it is said again',
    async (_, what) => {
      const lines: LogLine[] = [];
      access = new MetricsAccess({ reviewer, clock, log: new LineLog(lines, clock) });
      const answer = reviewer[what];
      reviewer[what] = new TransportError('down');
      // A day of two that scrape, of which one has a token that is nobody's by now.
      for (let scrapes = 0; scrapes < 2880; scrapes++) {
        await judge();
        if (what === 'access') {
          const before = reviewer.token;
          reviewer.token = { status: { authenticated: false } };
          await judge('Bearer old');
          reviewer.token = before;
        }
        await clock.advance(30_000);
      }
      reviewer[what] = answer;
      expect(await judge()).toEqual({ code: 200 });
      const told = lines.filter(({ level }) => level !== 'debug');
      expect(told.map(({ message }) => message)).toEqual([
        'Failed to review a request for metrics',
        'Reviewed a request for metrics again',
      ]);
    },
  );

  it('logs why nobody could judge, and never the token', async () => {
    const lines: LogLine[] = [];
    access = new MetricsAccess({ reviewer, clock, log: new LineLog(lines, clock) });
    reviewer.access = new TransportError('SubjectAccessReview create failed: connection refused');
    await judge('Bearer very-secret');
    expect(lines.map(({ level, message, data }) => [level, message, data])).toEqual([
      [
        'error',
        'Failed to review a request for metrics',
        { step: 'Authorization failed', error: 'SubjectAccessReview create failed: connection refused' },
      ],
    ]);
  });
});
