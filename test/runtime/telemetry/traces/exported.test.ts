import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment } from '../../../../imports/k8s.js';
import { connect, type HttpCluster } from '../../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../../src/client/kube-config.js';
import { type LocalCluster, startLocalCluster } from '../../../../src/embedded/local-cluster.js';
import { definitionKind } from '../../../../src/kube/definition-kind.js';
import { FlightTicket } from '../../../../src/operators/flightticket.js';
import { Memcached } from '../../../../src/operators/memcached.js';
import { BookingService, serveBookings } from '../../../booking/booking-service.js';
import { bundledProgram } from '../../../bundled-program.js';
import { eventually } from '../../../cluster/eventually.js';
import { packageRoot } from '../../../cluster/package-root.js';
import { readManifests } from '../../../install/read-manifests.js';
import { RunningProgram } from '../../../running-program.js';
import { type CollectedSpan, Collector, valuesOf } from './collector.js';

const person = { fieldManager: 'a-person' };
const namespace = 'default';

describe('the traces of a controller', () => {
  let folder: string;
  let program: string;
  let cluster: LocalCluster;
  let admin: HttpCluster;
  let kubeconfig: string;
  let bookings: Awaited<ReturnType<typeof serveBookings>>;
  let collector: Collector;
  let controller: RunningProgram | undefined;

  beforeAll(async () => {
    // Within the package, since what the bundle loads late is not in it.
    folder = mkdtempSync(join(packageRoot, 'build/traces-'));
    program = await bundledProgram('src/controller.ts', folder);
    cluster = await startLocalCluster();
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, cluster.kubeconfig());
    admin = connect(await kubeConfig({ path: kubeconfig }));
    const definitions = readManifests(join(packageRoot, 'dist')).filter(({ kind }) => kind === definitionKind.kind);
    for (const definition of definitions) await admin.create(definitionKind, definition, person);
    bookings = await serveBookings(new BookingService());
  });
  afterAll(async () => {
    await admin?.close();
    await cluster?.close();
    await bookings?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    collector = new Collector();
    await collector.start();
  });
  afterEach(async () => {
    await controller?.kill();
    await collector.close();
  });

  const start = async (env: Readonly<Record<string, string>>): Promise<RunningProgram> => {
    const nowhere = ['--health-probe-bind-address=0', '--metrics-bind-address=0'];
    const words = ['--kubeconfig', kubeconfig, '--operators=memcached,flightticket', '--log-level=debug', ...nowhere];
    const about = { BOOKING_URL: bookings.url, POD_NAME: 'pod-1', POD_NAMESPACE: 'home' };
    controller = new RunningProgram(process.execPath, [program, ...words], { cwd: folder, env: { ...about, ...env } });
    await controller.shows(/Stores are filled.*\n(?:.*\n)*.*Stores are filled/);
    return controller;
  };
  const stop = (running: RunningProgram): Promise<number> => {
    running.signal('SIGTERM', running.pid);
    return running.exited;
  };
  const create = async (kind: typeof Memcached | typeof FlightTicket, name: string, spec: object) => {
    const manifest = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace }, spec };
    await admin.create(kind, manifest, person);
    await eventually(async () => expect((await admin.get(kind, { namespace, name })).status).toMatchObject({}));
  };

  it('tell of each round what it computed, what it asked and how it ended, and are complete after SIGTERM', async () => {
    const running = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await create(Memcached, 'cache', { size: 2 });
    await eventually(async () => admin.get(Deployment, { namespace, name: 'cache-server' }));
    await create(FlightTicket, 'trip', { from: 'Frankfurt', to: 'Lisbon', number: 2 });
    expect(await stop(running)).toBe(0);

    const [first] = collector.requests;
    expect(first).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer hunter2' } });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'kilter',
      'service.instance.id': 'pod-1',
      'k8s.pod.name': 'pod-1',
      'k8s.namespace.name': 'home',
      'deployment.environment.name': 'test',
    });

    const roundsOf = (kind: string) => collector.spans.filter(({ name }) => name === `reconcile ${kind}`);
    const partsOf = ({ spanId }: CollectedSpan) => collector.spans.filter((each) => each.parentSpanId === spanId);
    const making = roundsOf('Memcached').find((round) =>
      partsOf(round).some(({ name }) => name === 'create Deployment'),
    )!;
    expect(valuesOf(making)).toMatchObject({
      'kilter.operator': 'memcached',
      'kilter.name': 'cache',
      'k8s.namespace.name': namespace,
      'kilter.reasons': ['Memcached added'],
      'kilter.outcome': 'done',
    });
    expect(making.parentSpanId ?? '').toBe('');
    const parts = partsOf(making);
    expect(parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'reads',
        'compose',
        'create Deployment',
        'create Service',
        'status',
        'status apply Memcached',
      ]),
    );
    const write = parts.find(({ name }) => name === 'create Deployment')!;
    expect(valuesOf(write)).toEqual({
      'server.address': '127.0.0.1',
      'server.port': cluster.identity.port,
      'http.request.method': 'POST',
      'url.path': `/apis/apps/v1/namespaces/${namespace}/deployments`,
      'http.response.status_code': 201,
      'kilter.object': `Deployment/${namespace}/cache-server`,
    });
    // The log and the trace lead to each other.
    const { 'kilter.reconcile_id': id } = valuesOf(making);
    const lines = running.output.split('\n').filter((line) => line.includes(`"reconcileID":"${id}"`));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ trace_id: making.traceId, span_id: making.spanId });

    // Outside it is known where to was asked, and not what for.
    const booking = roundsOf('FlightTicket')
      .flatMap(partsOf)
      .find(({ name }) => name === 'external booking')!;
    const asked = partsOf(booking).map((span) => valuesOf(span));
    expect(asked.length).toBeGreaterThan(0);
    for (const each of asked) {
      expect(each).toMatchObject({ 'server.address': '127.0.0.1', 'server.port': bookings.port });
      expect(Object.keys(each)).not.toContain('url.path');
    }
    const sent = collector.requests.map(({ body }) => body.toString()).join('');
    for (const secret of ['hunter2', 'Frankfurt', '/bookings']) expect(sent + running.output).not.toContain(secret);
  });

  it('are protobuf unless asked for otherwise, and only as many as the sampler lets through', async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces/here` });
    await create(Memcached, 'binary', { size: 1 });
    expect(await stop(running)).toBe(0);
    const [{ path, headers, body } = {} as never] = collector.requests;
    expect(path).toBe('/traces/here');
    expect(headers['content-type']).toBe('application/x-protobuf');
    expect(body.includes('reconcile Memcached')).toBe(true);

    collector.requests.splice(0);
    const quiet = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'always_off' });
    await create(Memcached, 'unseen', { size: 1 });
    expect(await stop(quiet)).toBe(0);
    expect(collector.requests).toEqual([]);
  });

  it('cost nobody anything when they cannot be exported', async () => {
    collector.code = 400;
    const running = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    await create(Memcached, 'untold', { size: 1 });
    await running.shows('Failed to export traces');
    await create(Memcached, 'untold-too', { size: 1 });
    collector.code = 200;
    await create(Memcached, 'told', { size: 1 });
    await running.shows('Exported traces again');
    expect(await stop(running)).toBe(0);
    expect(running.output.split('Failed to export traces')).toHaveLength(2);
    expect(running.output).not.toContain('"level":"error"');
  });

  it('are left out with a word where the environment asks for what there is not', async () => {
    const running = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    expect(running.output).toContain('Ignored a setting, and exports no traces');
    await create(Memcached, 'without', { size: 1 });
    expect(await stop(running)).toBe(0);
    expect(collector.requests).toEqual([]);
  });
});
