import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ForbiddenError, RetryAfterError, TransportError, UnauthorizedError } from '../../src/client/api-error.js';
import type { Cluster } from '../../src/client/cluster.js';
import { customResource, s } from '../../src/index.js';
import { Breather } from '../../src/runtime/process/breather.js';
import { silentTelemetry } from '../../src/runtime/telemetry/telemetry.js';
import { startCluster } from '../../src/testing/index.js';
import { LineLog, type LogLine } from '../../src/testing/line-log.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { type ServingPair, selfSigned } from '../../src/tls/self-signed.js';
import type { AdmissionReview } from '../../src/webhooks/admission-review.js';
import { runWebhooks, type WebhooksOptions } from '../../src/webhooks/run-webhooks.js';
import { eventually } from '../cluster/eventually.js';
import { pair } from './served-reviews.js';

describe('webhooks', () => {
  let folder: string;
  let clock: VirtualClock;
  let stop: AbortController;
  let lines: LogLine[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-webhooks-'));
    clock = new VirtualClock();
    stop = new AbortController();
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (cluster: Cluster, more: Partial<WebhooksOptions> = {}) => {
    const options = {
      kinds: [],
      cluster,
      clock,
      random: () => 0,
      log: new LineLog(lines, clock),
      telemetry: silentTelemetry,
      namespace: 'default',
      name: 'cache-webhook',
      address: '127.0.0.1:0',
      limit: (_: unknown, body: () => unknown) => body(),
      breather: new Breather({ clock }),
      ...more,
    };
    return runWebhooks(options as WebhooksOptions, stop.signal);
  };
  const write = ({ cert, key }: ServingPair) => {
    writeFileSync(join(folder, 'tls.crt'), cert);
    writeFileSync(join(folder, 'tls.key'), key);
  };
  const said = (wanted: string) => lines.filter(({ message }) => message === wanted);
  const end = async (ended: Promise<void>) => {
    stop.abort(new Error('the test is over'));
    await clock.advance(10_000);
    await ended;
  };

  it('keep whole numbers that JavaScript does not have in what mutate changes beside them, and moves', async () => {
    const Ledger = customResource({
      group: 'numbers.example.com',
      version: 'v1',
      kind: 'Ledger',
      spec: s.object({ rows: s.preserved(), first: s.preserved({ optional: true }) }),
      admission: {
        mutate: ({ spec }) => {
          const rows = spec.rows as readonly number[];
          return { rows: [...rows, 7], first: rows[0] };
        },
      },
    });
    write(pair);
    const { ended } = await run({} as Cluster, { certificateFolder: folder, kinds: [Ledger] });
    const object = '{"metadata":{"name":"a"},"spec":{"rows":[9007199254740993,9223372036854775807]}}';
    const body = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","object":${object}}}`;
    const url = `https://${said('Serving webhooks')[0]?.data['address']}/mutate/ledgers.numbers.example.com`;
    const answer = await new Promise<string>((resolve, reject) => {
      const asked = request(url, { method: 'POST', ca: pair.cert, agent: false }, (response) =>
        resolve(text(response)),
      );
      asked.once('error', reject).end(body);
    });
    const { response } = JSON.parse(answer) as AdmissionReview;
    expect(Buffer.from(response?.patch ?? '', 'base64').toString()).toBe(
      '[{"op":"add","path":"/spec/rows","value":[9007199254740993,9223372036854775807,7]},' +
        '{"op":"add","path":"/spec/first","value":9007199254740993}]',
    );
    await end(ended);
  });

  it('show the certificate that is in its folder by now', async () => {
    write(pair);
    const { ended } = await run({} as Cluster, { certificateFolder: folder });
    const [host, port] = String(said('Serving webhooks')[0]?.data['address']).split(':');
    const shown = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
          resolve(String(socket.getPeerX509Certificate()?.subject));
          socket.destroy();
        }).once('error', reject);
      });
    expect(await shown()).toBe('CN=webhooks');

    write(selfSigned({ subject: 'renewed', names: ['127.0.0.1'], now: Date.now(), validMilliseconds: 3_600_000 }));
    await clock.advance(10_000);
    // The files are read by the system's clock.
    await eventually(async () => expect(await shown()).toBe('CN=renewed'));

    writeFileSync(join(folder, 'tls.key'), 'nonsense');
    await clock.advance(10_000);
    await eventually(() => expect(said('Failed to reload the certificate of webhooks')).toHaveLength(1));
    expect(await shown()).toBe('CN=renewed');
    await end(ended);
  });

  it('wait for an API server that has no time for them, as long as it says', async () => {
    const cluster = await startCluster();
    const server = cluster.server.cluster();
    const busyUntil = clock.monotonic() + 8000;
    const get: Cluster['get'] = (...call) =>
      clock.monotonic() < busyUntil
        ? Promise.reject(new RetryAfterError('the server is busy', 8))
        : server.get(...call);
    const busy = new Proxy(server, {
      get: (target, name: keyof Cluster) => (name === 'get' ? get : target[name].bind(target)),
    });
    const running = run(busy);
    await clock.advance(7900);
    expect(said('Serving webhooks')).toEqual([]);
    expect(said('Failed to ask for the certificate of webhooks')).toHaveLength(1);
    await clock.advance(200);
    await end((await running).ended);
    await cluster.stop();
    expect(said('Serving webhooks')).toHaveLength(1);
  });

  it('are not begun where the API server refuses them their certificate', async () => {
    const refused = new ForbiddenError('Secret/default/cache-webhook get failed: forbidden');
    let failure: unknown;
    run({ get: () => Promise.reject(refused) } as unknown as Cluster).catch((error: unknown) => {
      failure = error;
    });
    await clock.advance(0);
    expect(failure).toBe(refused);
  });

  it.each([
    ['is away', new TransportError('connection refused')],
    ['does not know them', new UnauthorizedError('Unauthorized')],
  ])(
    'tell once that the API server %s from which they have their certificate, however long that is',
    async (_, error) => {
      const cluster = await startCluster();
      let isAway = true;
      const away = new Proxy(cluster.server.cluster(), {
        get: (target, name: keyof Cluster) =>
          isAway && name === 'get' ? () => Promise.reject(error) : target[name].bind(target),
      });
      const running = run(away);
      await clock.advance(24 * 60 * 60 * 1000);
      expect(said('Serving webhooks')).toEqual([]);
      expect(said('Failed to ask for the certificate of webhooks')).toHaveLength(1);
      isAway = false;
      await clock.advance(60_000);
      await end((await running).ended);
      await cluster.stop();
      expect(said('Serving webhooks')).toHaveLength(1);
    },
  );
});
