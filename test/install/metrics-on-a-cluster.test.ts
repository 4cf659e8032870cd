import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { systemClock } from '../../src/kube/clock.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { MetricsAccess } from '../../src/runtime/telemetry/metrics/access.js';
import { Metrics } from '../../src/runtime/telemetry/metrics/metrics.js';
import { serveMetrics } from '../../src/runtime/telemetry/metrics/serve-metrics.js';
import { ServingCertificate } from '../../src/tls/serving-certificate.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { untilReadsMetrics } from './observed.js';
import { scrape } from './scrape.js';

const dist = join(import.meta.dirname, '../../dist');
const namespace = 'memcached-operator-system';

/** Who reads metrics is decided by the roles that are rendered, judged by the account that is rendered. */
onEveryCluster('metrics behind the rendered roles', {}, (plane) => {
  const stop = new AbortController();
  const reviewers: HttpCluster[] = [];

  /** Metrics as the controller serves them, judged by whoever `kubeconfig` is. */
  async function served(kubeconfig: string) {
    const metrics = new Metrics({ clock: systemClock, apiServer: 'api' });
    const reviewer = connect(await kubeConfig({ path: kubeconfig }), { observe: metrics.observe });
    reviewers.push(reviewer);
    const certificate = await ServingCertificate.open({
      clock: systemClock,
      subject: 'kilter metrics',
      names: ['localhost', '127.0.0.1'],
    });
    const access = new MetricsAccess({ reviewer, clock: systemClock, log: silentLog });
    const address = '127.0.0.1:0';
    const listening = await serveMetrics(
      { address, metrics, log: silentLog, secure: { access, certificate } },
      stop.signal,
    );
    return { url: `https://${listening.address}/metrics`, ca: certificate.pair.cert, reviewer };
  }

  let operator: Awaited<ReturnType<typeof served>>;
  beforeAll(async () => {
    await plane().kubectl(['apply', '--server-side', '-k', dist]);
    operator = await served(await plane().serviceAccountKubeconfig(namespace, 'memcached-operator'));
    // As whoever runs Prometheus does.
    await plane().kubectl(['create', 'namespace', 'monitoring']);
    await plane().kubectl(['create', 'serviceaccount', 'prometheus', '-n', 'monitoring']);
    await plane().kubectl(
      ['create', 'clusterrolebinding', 'prometheus-reads-metrics']
        .concat('--clusterrole=memcached-operator-metrics-reader')
        .concat('--serviceaccount=monitoring:prometheus'),
    );
    await untilReadsMetrics(plane(), 'system:serviceaccount:monitoring:prometheus');
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all(reviewers.map((reviewer) => reviewer.close()));
  });

  const tokenOf = (account: string) => plane().serviceAccountToken('monitoring', account);

  it('are given to the account that has the role, over TLS that a client can verify', async () => {
    const { code, text, type } = await scrape(operator.url, await tokenOf('prometheus'), operator.ca);
    expect({ code, type }).toEqual({ code: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(text).toMatch(/^kilter_build_info\{/m);
    // The two reviews of this very scrape.
    expect(text).toMatch(/^rest_client_requests_total\{code="201",method="POST",host="api"\} 2$/m);
  });

  it('are kept from another account, which is told so', async () => {
    const { code, text } = await scrape(operator.url, await tokenOf('stranger'), operator.ca);
    expect({ code, text }).toEqual({
      code: 403,
      text: '"system:serviceaccount:monitoring:stranger" may not get /metrics',
    });
  });

  it.each([
    ['no token', undefined],
    ['a token that nobody has', 'not-a-token'],
    ['a token that somebody made up', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'],
  ])('are kept from whoever has %s', async (_, token) => {
    const { code, challenge } = await scrape(operator.url, token, operator.ca);
    expect({ code, challenge }).toEqual({ code: 401, challenge: 'Bearer' });
  });

  describe('are kept from everybody', () => {
    it('when the controller may not ask who they are', async () => {
      const powerless = await served(await plane().serviceAccountKubeconfig('monitoring', 'powerless'));
      const { code, text } = await scrape(powerless.url, await tokenOf('prometheus'), powerless.ca);
      expect({ code, text }).toEqual({ code: 500, text: 'Authentication failed' });
    });

    it('when the API server does not answer', async () => {
      const alone = await served(await plane().serviceAccountKubeconfig(namespace, 'memcached-operator'));
      await alone.reviewer.close();
      const { code, text } = await scrape(alone.url, await tokenOf('prometheus'), alone.ca);
      expect({ code, text }).toEqual({ code: 500, text: 'Authentication failed' });
    });
  });
});
