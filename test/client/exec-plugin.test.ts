import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { ClusterConfig, Shown } from '../../src/client/cluster-config.js';
import { connect } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { OperatorError } from '../../src/kube/errors.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { eventually } from '../cluster/eventually.js';
import { json, ScriptedServer, status } from './scripted-server.js';

let folder: string;
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-plugin-'));
  clock = new VirtualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const runs = () => readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n').length;
const environment = { PATH: process.env['PATH'] };

function configOf(exec: object, server = 'https://one', more: object = {}) {
  const path = join(folder, 'config');
  const content = {
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'me' } }],
    clusters: [{ name: 'a', cluster: { server, 'insecure-skip-tls-verify': true, ...more } }],
    users: [{ name: 'me', user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', ...exec } } }],
  };
  writeFileSync(path, JSON.stringify(content));
  return kubeConfig({ path, environment, clock });
}

/** A plugin of these lines, of which `$run` says for which time it runs. */
function plugin(lines: string, more = {}) {
  writeFileSync(join(folder, 'plugin.sh'), `echo run >> runs\nrun=$(wc -l < runs | tr -d ' ')\n${lines}\n`);
  return { command: 'sh', args: ['-c', `cd ${folder} && . ./plugin.sh`], interactiveMode: 'Never', ...more };
}

/** One that prints the tokens `token-1`, `token-2` and so on. */
function tokens(expiry?: Date) {
  const until = expiry ? `,\\"expirationTimestamp\\":\\"${expiry.toISOString()}\\"` : '';
  return plugin(`echo "{\\"status\\":{\\"token\\":\\"token-$run\\"${until}}}"`);
}

async function shownBy(config: ClusterConfig): Promise<Shown> {
  return { authorization: await config.authorization(), tls: await config.tls() };
}

/** An answer that refuses what was shown once the function is called that is put among `refusals`. */
function refusedLater(refusals: (() => void)[]) {
  return (response: ServerResponse, request: IncomingMessage) =>
    void refusals.push(() => status(401)(response, request));
}

describe('a plugin', () => {
  it('is run when the kubeconfig is read, and once for all who ask', async () => {
    const config = await configOf(tokens());
    expect(runs()).toBe(1);
    await clock.advance(3_600_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => config.authorization()));
    expect(new Set(answers)).toEqual(new Set(['Bearer token-1']));
    expect(runs()).toBe(1);
  });

  it.each([
    ['without an expiry', undefined],
    ['long before it expires', new Date(Date.UTC(2030))],
  ])('is run anew for a token that was refused %s, and once for all whom it was refused', async (_, expiry) => {
    const config = await configOf(tokens(expiry));
    const refused = await shownBy(config);
    const answers = await Promise.all(Array.from({ length: 10 }, () => config.authorization({ refused })));
    expect(new Set(answers)).toEqual(new Set(['Bearer token-2']));
    expect([runs(), await config.authorization()]).toEqual([2, 'Bearer token-2']);
  });

  it('is run anew once for calls whom its token was refused one after another', async () => {
    const server = await ScriptedServer.start();
    const cluster = connect({ ...(await configOf(tokens())), server: server.url });
    const refusals: (() => void)[] = [];
    server.answers(...Array.from({ length: 6 }, () => refusedLater(refusals)));
    const place = { namespace: 'default', name: 'a' };
    const reading = Array.from({ length: 6 }, () => cluster.get(ConfigMap, place));
    await eventually(() => expect(refusals).toHaveLength(6));
    server.answers(...Array.from({ length: 6 }, () => json({ metadata: place })));
    for (const [count, refuse] of refusals.entries()) {
      refuse();
      await eventually(() => expect(server.requests).toHaveLength(7 + count));
    }
    await Promise.all(reading);
    expect(new Set(server.requests.slice(6).map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer token-2']),
    );
    await cluster.close();
    await server.stop();
  });

  it('is run anew as soon as its token expires', async () => {
    const config = await configOf(tokens(new Date(clock.now() + 5000)));
    await clock.advance(4999);
    expect(await config.authorization()).toBe('Bearer token-1');
    await clock.advance(1);
    expect(await config.authorization()).toBe('Bearer token-2');
    // That one had expired when it came.
    expect(await config.authorization()).toBe('Bearer token-2');
    await clock.advance(1000);
    expect(await config.authorization()).toBe('Bearer token-3');
  });

  it('lets a call through whose token the server refused', async () => {
    const server = await ScriptedServer.start();
    const cluster = connect({ ...(await configOf(tokens())), server: server.url });
    server.answers(status(401), json({ metadata: { name: 'a', namespace: 'default' } }));
    await cluster.get(ConfigMap, { namespace: 'default', name: 'a' });
    expect(server.requests.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
    await cluster.close();
    await server.stop();
  });

  it('that fails is run once for a call, which tells what to do about it', async () => {
    const expiry = new Date(clock.now() + 5000).toISOString();
    const once = `[ $run = 1 ] || exit 3; echo '{"status":{"token":"a","expirationTimestamp":"${expiry}"}}'`;
    const cluster = connect(await configOf(plugin(once)), { random: () => 0 });
    await clock.advance(5000);
    await expect(cluster.get(ConfigMap, { namespace: 'default', name: 'a' })).rejects.toMatchObject({
      message: 'ConfigMap/default/a get failed: credentials of user "me" failed: plugin "sh" ended with 3',
      hint: expect.stringContaining('by hand'),
    });
    expect(runs()).toBe(2);
    await expect(cluster.watch(ConfigMap, {})[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      hint: expect.stringContaining('by hand'),
    });
    await cluster.close();
  });

  it('whose path is relative is looked for from where the kubeconfig is', async () => {
    const script = join(folder, 'plugin');
    writeFileSync(script, '#!/bin/sh\necho \'{"status":{"token":"beside"}}\'\n', { mode: 0o755 });
    const config = await configOf({ command: './plugin', interactiveMode: 'Never' });
    expect(await config.authorization()).toBe('Bearer beside');
  });

  it('may give a certificate', async () => {
    const credential = { status: { clientCertificateData: 'CERT', clientKeyData: 'KEY' } };
    const config = await configOf(plugin(`echo '${JSON.stringify(credential)}'`));
    expect([await config.tls(), await config.authorization()]).toEqual([
      { cert: 'CERT', key: 'KEY', rejectUnauthorized: false },
      undefined,
    ]);
  });

  it('has the environment, what the kubeconfig adds, and what it is asked for', async () => {
    const env = [{ name: 'PROFILE', value: 'prod' }];
    await configOf(plugin('env > seen; echo \'{"status":{"token":"a"}}\'', { env }));
    const seen = readFileSync(join(folder, 'seen'), 'utf8');
    expect(seen).toContain(`PATH=${environment.PATH}`);
    expect(seen).toContain('PROFILE=prod');
    expect(JSON.parse(/^KUBERNETES_EXEC_INFO=(.*)$/m.exec(seen)?.[1] ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  it.each([
    [undefined, true],
    ['IfAvailable', true],
    ['Always', true],
    ['Never', false],
  ])('of interactiveMode %s knows of the terminal where there is one: %s', async (interactiveMode, interactive) => {
    const terminal = Object.getOwnPropertyDescriptor(process.stdin, 'isTTY');
    Object.defineProperty(process.stdin, 'isTTY', { value: true, configurable: true });
    try {
      const printing = 'printf %s "$KUBERNETES_EXEC_INFO" > seen; echo \'{"status":{"token":"a"}}\'';
      await configOf(plugin(printing, { interactiveMode }));
      const { spec } = JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'));
      expect(spec).toEqual({ interactive });
    } finally {
      if (terminal) Object.defineProperty(process.stdin, 'isTTY', terminal);
      else Reflect.deleteProperty(process.stdin, 'isTTY');
    }
  });

  it.each([
    ['names a file alone', {}],
    ['also has an empty certificate, as some tools write it', { 'certificate-authority-data': '' }],
    [
      'holds the certificate itself',
      {
        'certificate-authority': undefined,
        'certificate-authority-data': Buffer.from('CA').toString('base64'),
      },
    ],
  ])('is told of the cluster where it asks for that, which %s', async (_, more) => {
    writeFileSync(join(folder, 'ca.pem'), 'CA');
    const cluster = {
      'certificate-authority': 'ca.pem',
      'tls-server-name': 'two',
      'proxy-url': 'http://proxy:3128',
      'disable-compression': true,
      ...more,
      extensions: [
        { name: 'other', extension: 1 },
        { name: 'client.authentication.k8s.io/exec', extension: { shoot: 'a' } },
      ],
    };
    const printing = 'printf %s "$KUBERNETES_EXEC_INFO" > seen; echo \'{"status":{"token":"a"}}\'';
    await configOf(plugin(printing, { provideClusterInfo: true }), 'https://one', cluster);
    expect(JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: 'https://one',
          'tls-server-name': 'two',
          'insecure-skip-tls-verify': true,
          'certificate-authority-data': Buffer.from('CA').toString('base64'),
          'proxy-url': 'http://proxy:3128',
          'disable-compression': true,
          config: { shoot: 'a' },
        },
      },
    });
  });

  it.each<[string, () => object, string, string]>([
    ['is not there', () => ({ command: 'no-such-plugin' }), 'there is no plugin "no-such-plugin"', 'by hand'],
    ['can be installed', () => ({ command: 'no-such-plugin', installHint: 'get it' }), 'there is no plugin', 'get it'],
    [
      'fails',
      () => plugin('echo hunter2; echo no session >&2; exit 3'),
      'plugin "sh" ended with 3: no session',
      'by hand',
    ],
    ['is killed', () => plugin('kill -9 $$'), 'plugin "sh" ended with SIGKILL', 'by hand'],
    ['prints something else', () => plugin('echo hunter2'), 'plugin "sh" printed no ExecCredential', 'by hand'],
    [
      'prints a certificate without its key',
      () => plugin('echo \'{"status":{"clientCertificateData":"hunter2"}}\''),
      'plugin "sh" printed no ExecCredential',
      'by hand',
    ],
    [
      'prints no status',
      () => plugin('echo \'{"token":"hunter2"}\''),
      'plugin "sh" printed no ExecCredential',
      'by hand',
    ],
    [
      'is given what no program can be given',
      () => plugin('', { args: ['-c', 'hunter2\u0000'] }),
      'plugin "sh" cannot be given',
      'by hand',
    ],
    [
      'has such an environment',
      () => plugin('', { env: [{ name: 'TOKEN', value: 'hunter2\u0000' }] }),
      'plugin "sh" cannot be given',
      'by hand',
    ],
    ['has no name', () => ({}), 'the kubeconfig names no command', 'exec.command'],
    ['has to ask', () => plugin('', { interactiveMode: 'Always' }), 'plugin "sh" has to ask a person', 'by hand'],
  ])('that %s is an error when the kubeconfig is read, without what it printed', async (_, exec, message, hint) => {
    const error = await configOf(exec()).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({
      message: expect.stringMatching(`^credentials of user "me" failed: ${message}`),
      hint: expect.stringContaining(hint),
    });
    expect(`${(error as Error).message} ${(error as Error).cause}`).not.toContain('hunter2');
  });

  it('that hangs is ended after five minutes, and the next who asks runs it anew', async () => {
    const config = await configOf(plugin(`[ $run = 2 ] && exec sleep 600; echo '{"status":{"token":"a"}}'`));
    const refused = await shownBy(config);
    const answer = expect(config.authorization({ refused })).rejects.toThrow(
      'credentials of user "me" failed: no answer within 5 minutes',
    );
    await eventually(() => expect(runs()).toBe(2));
    await clock.advance(300_000);
    await answer;
    expect(await config.authorization({ refused })).toBe('Bearer a');
    expect([runs(), clock.timers]).toEqual([3, 0]);
  });
});
