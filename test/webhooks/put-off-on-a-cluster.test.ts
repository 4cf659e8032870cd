import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { systemClock } from '../../src/kube/clock.js';
import { admissionConfigurations } from '../../src/kube/webhook.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { silentTelemetry } from '../../src/runtime/telemetry/telemetry.js';
import { selfSigned } from '../../src/tls/self-signed.js';
import type { AdmissionReview } from '../../src/webhooks/admission-review.js';
import { WebhookServer } from '../../src/webhooks/webhook-server.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { configMaps } from '../install/an-operator.js';

const fieldManager = 'a-person';
const aMap = (name: string, text = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { text },
});

onRealCluster('a review that there was no room for', {}, (plane) => {
  let admin: HttpCluster;
  const stop = new AbortController();
  /** Of answers, in their order. */
  const codes: number[] = [];
  let decide = () => {};
  let isHeld = false;

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    const validMilliseconds = 3_600_000;
    const pair = selfSigned({ subject: 'webhooks', names: ['127.0.0.1'], now: Date.now(), validMilliseconds });
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const answer = async (body: unknown) => {
      const { request, ...review } = body as AdmissionReview;
      if (request?.object?.metadata.name === 'large') {
        isHeld = true;
        await decided;
      }
      return { ...review, response: { uid: request?.uid, allowed: true } };
    };
    const telemetry = {
      ...silentTelemetry,
      webhook: () => ({ reviewing: () => ({ ended: (code: number) => codes.push(code) }) }),
    };
    const reviews = { '/': { largest: Number.POSITIVE_INFINITY, answer } };
    const about = { pair, telemetry, log: silentLog, clock: systemClock, address: '127.0.0.1:0', room: 2 ** 20 };
    const server = await WebhookServer.start({ ...about, reviews, tracing: undefined }, stop.signal);
    const caBundle = Buffer.from(pair.cert).toString('base64');
    const webhook = {
      name: 'all.kilter.dev',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: `https://${server.address}/`, caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      sideEffects: 'None',
      timeoutSeconds: 30,
    };
    const { apiVersion, kind } = admissionConfigurations.validate;
    const configuration = { apiVersion, kind, metadata: { name: 'all' }, webhooks: [webhook] };
    await admin.create(admissionConfigurations.validate, configuration, { fieldManager });
    // It is asked some time after it was named.
    let tries = 0;
    await eventually(async () => {
      await admin.create(configMaps, aMap(`probe-${tries++}`), { fieldManager });
      expect(codes.length).toBeGreaterThan(0);
    });
  });
  afterAll(async () => {
    decide();
    stop.abort(new Error('the test is over'));
    await admin?.close();
  });

  it('is asked for again by the API server, whose caller hears nothing of it', async () => {
    const large = admin.create(configMaps, aMap('large', 'x'.repeat(150_000)), { fieldManager });
    await eventually(() => expect(isHeld).toBe(true));
    codes.splice(0);
    const put = admin.create(configMaps, aMap('put-off', 'x'.repeat(150_000)), { fieldManager });
    await eventually(() => expect(codes).toContain(503));
    decide();
    expect((await Promise.all([large, put])).map(({ metadata }) => metadata.name)).toEqual(['large', 'put-off']);
    expect(codes.filter((code) => code !== 503)).toEqual([200, 200]);
  });
});
