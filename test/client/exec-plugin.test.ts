import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { ClusterConfig, Shown } from '../../src/client/cluster-config.js';
import { connect } from '../../src/client/http-cluster.js';
import { OperatorError } from '../../src/kube/errors.js';
import { eventually } from '../cluster/eventually.js';
import { pluginFolder } from './plugin-folder.js';
import { json, ScriptedServer, status } from './scripted-server.js';

const { configOf, plugin, tokens, runs, read, write, clock } = pluginFolder();

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
    await clock().advance(3_600_000);
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
    const config = await configOf(tokens(new Date(clock().now() + 5000)));
    await clock().advance(4999);
    expect(await config.authorization()).toBe('Bearer token-1');
    await clock().advance(1);
    expect(await config.authorization()).toBe('Bearer token-2');
    // That one had expired when it came.
    expect(await config.authorization()).toBe('Bearer token-2');
    await clock().advance(1000);
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
    const expiry = new Date(clock().now() + 5000).toISOString();
    const once = `[ $run = 1 ] || exit 3; echo '{"status":{"token":"a","expirationTimestamp":"${expiry}"}}'`;
    const cluster = connect(await configOf(plugin(once)), { random: () => 0 });
    await clock().advance(5000);
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
    write('plugin', '#!/bin/sh\necho "{\\"status\\":{\\"token\\":\\"$1\\"}}"\n', 0o755);
    const config = await configOf({ command: './plugin', args: ['beside'], interactiveMode: 'Never' });
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

  it.each([
    ['gives what it is asked for', `echo '{"status":{"token":"a"}}'`, 'Bearer a'],
    ['fails', 'echo no session >&2; exit 3', 'plugin "sh" ended with 3: no session'],
  ])(
    'that leaves a program behind, as a browser to log in by, and %s is not waited for until that ends',
    async (_, lines, came) => {
      const config = configOf(plugin(`sleep 600 >&2 & echo $! > pid\n${lines}`));
      const credential = config.then((given) => given.authorization()).catch((error: Error) => error.message);
      try {
        expect(await credential).toMatch(came);
      } finally {
        process.kill(Number(read('pid')));
      }
    },
  );

  it('that hangs is ended after five minutes, and the next who asks runs it anew', async () => {
    const hanging = `[ $run = 2 ] && echo $$ > pid && exec sleep 600; echo '{"status":{"token":"a"}}'`;
    const config = await configOf(plugin(hanging));
    const refused = await shownBy(config);
    const answer = expect(config.authorization({ refused })).rejects.toThrow(
      'credentials of user "me" failed: no answer within 5 minutes',
    );
    await eventually(() => expect(Number(read('pid'))).toBeGreaterThan(0));
    await clock().advance(300_000);
    await answer;
    await eventually(() => expect(() => process.kill(Number(read('pid')), 0)).toThrow('ESRCH'));
    expect(await config.authorization({ refused })).toBe('Bearer a');
    expect([runs(), clock().timers]).toEqual([3, 0]);
  });
});
