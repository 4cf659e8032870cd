import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { ControllerProcess } from './installed-controller.js';
import { packageRoot } from './package-root.js';

/** No connection is open then, and nobody has anything to wait for but time. */
describe('the controller, while its API server is away,', () => {
  const folder = join(packageRoot, 'build', `away-${randomBytes(4).toString('hex')}`);
  const processes: ControllerProcess[] = [];
  const servers: Server[] = [];
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    await promisify(execFile)('npm', ['run', 'bundle', '--', `--outdir=${folder}`], { cwd: packageRoot });
  });
  afterEach(async () => {
    for (const each of processes.splice(0)) await each.kill();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const serving = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** Where nobody listens. */
  const nowhere = async (): Promise<string> => `http://127.0.0.1:${(await freePorts(1))[0]}`;
  const start = (url: string, ...flags: readonly string[]): ControllerProcess => startTo('pipe', url, ...flags);
  const startTo = (log: 'pipe' | number, url: string, ...flags: readonly string[]): ControllerProcess => {
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'away',
        contexts: [{ name: 'away', context: { cluster: 'away', user: 'away' } }],
        clusters: [{ name: 'away', cluster: { server: url } }],
        users: [{ name: 'away', user: { token: 'some' } }],
      }),
    );
    const args = [`--kubeconfig=${kubeconfig}`, '--health-probe-bind-address=0', '--metrics-bind-address=0', ...flags];
    const child = spawn(process.execPath, [join(folder, 'controller.mjs'), ...args], {
      env: { POD_NAME: 'one', POD_NAMESPACE: 'default' },
      stdio: ['ignore', log, 'pipe'],
    });
    const started = new ControllerProcess(child);
    processes.push(started);
    return started;
  };
  const failures = (controller: ControllerProcess) =>
    controller.said('Failed to watch').length + controller.said('Failed to watch again').length;
  const unavailable: RequestListener = (_, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('no backend');
  };

  it.each([
    ['refuses connections', nowhere, []],
    ['refuses connections, and there is a Lease to be had', nowhere, ['--leader-elect']],
    ['answers 503', () => serving(unavailable), []],
  ])('asks again and again when it %s, and ends in good order when it is told to', async (_, server, flags) => {
    const controller = start(await server(), '--operators=memcached', '--log-level=debug', ...flags);
    // More than each of its watches once: it has waited, and asked again.
    await eventually(() => expect(failures(controller)).toBeGreaterThan(8), 60);
    expect(controller.isRunning).toBe(true);
    // Of each kind, and not of each try.
    expect(controller.said('Failed to watch')).toHaveLength(4);
    controller.signal('SIGTERM');
    expect(await controller.exited).toEqual({ code: 0, signal: null });
  });

  it('ends with 1, in good order, when nobody reads its log any more', async () => {
    // Each try has a line of its own by this alone: who says nothing does not hear that nobody listens.
    const controller = start(await nowhere(), '--operators=memcached', '--log-level=debug');
    await eventually(() => expect(failures(controller)).toBeGreaterThan(0), 30);
    controller.hangUp();
    // After ten seconds it would end by force.
    await eventually(() => expect(controller.isRunning).toBe(false), 9);
    expect(await controller.exited).toEqual({ code: 1, signal: null });
    expect(controller.said('Failed to write the log, and stops')).toEqual([
      expect.objectContaining({ error: 'write EPIPE' }),
    ]);
  });

  (existsSync('/dev/full') ? it : it.skip)(
    'ends with 1, and says why on standard error, when the disk of its log is full',
    async () => {
      const full = openSync('/dev/full', 'w');
      const controller = startTo(full, await nowhere(), '--operators=memcached');
      closeSync(full);
      expect(await controller.exited).toEqual({ code: 1, signal: null });
      expect(controller.said('Failed to write the log, and stops')).toEqual([
        expect.objectContaining({ level: 'error', error: expect.stringMatching(/^ENOSPC/) }),
      ]);
    },
  );

  /** A list that is complete, and empty. */
  const empty: RequestListener = (_, response) => {
    const metadata = { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata } })}\n`);
  };

  it.each([
    ['starts', '', unavailable],
    ['asks for the Lease', '/leases/', empty],
  ])('ends in good order when it is told to while it %s', async (_, path, list) => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const url = await serving((request, response) => {
      if (request.url?.includes(path)) asked();
      (request.url?.includes('watch=') ? list : unavailable)(request, response);
    });
    const controller = start(url, '--leader-elect');
    await isAsked;
    controller.signal('SIGTERM');
    expect(await controller.exited).toEqual({ code: 0, signal: null });
    expect(controller.output).not.toContain('Failed to start');
  });

  it('ends in good order when it is told to while a plugin asks a person, and the plugin with it', async () => {
    const [kubeconfig, asked] = [join(folder, 'asking'), join(folder, 'asked')];
    const ask = `fs.writeFileSync('${asked}', String(process.pid)); setInterval(() => {}, 1000)`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', ask] };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'asking',
        contexts: [{ name: 'asking', context: { cluster: 'asking', user: 'asking' } }],
        clusters: [{ name: 'asking', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'asking', user: { exec } }],
      }),
    );
    const controller = start(await nowhere(), `--kubeconfig=${kubeconfig}`);
    const plugin = await eventually(() => {
      const pid = Number(readFileSync(asked, 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    });
    controller.signal('SIGTERM');
    expect(await controller.exited).toEqual({ code: 0, signal: null });
    expect(controller.output).not.toContain('Failed to start');
    await eventually(() => expect(() => process.kill(plugin, 0)).toThrow('ESRCH'));
  });
});
