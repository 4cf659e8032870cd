/**
 * Runs alone in a network of its own: an API server that says one list, an informer on it, and then a network that takes
 * every packet and gives none back. The informer's own clock stands still, so that it notices by its connection or never.
 * Says what it noticed, and by which probes of the kernel.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '../../src/client/http-cluster.js';
import { systemClock } from '../../src/kube/clock.js';
import { Informer } from '../../src/runtime/informer/informer.js';
import { createLog } from '../../src/runtime/telemetry/log.js';

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const metadata = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
const bookmark = { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
/** Keep-alive of the connections to a port: hundredths of a second until the next probe, and how many were sent in vain. */
const probesTo = (port: number) =>
  readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = '', , , timer = '']) => Number.parseInt(remote.slice(-4), 16) === port && /^02:/.test(timer))
    .map(([, , , , , timer = '', , , probes]) => ({ next: Number.parseInt(timer.slice(3), 16), sent: Number(probes) }));

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`${JSON.stringify(bookmark)}\n`);
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const tls = {};
  const authorization = async () => undefined;
  const cluster = connect({ server: url, namespace: 'default', tls: async () => tls, authorization });
  const most = { untilFirst: 0, untilNext: 0, sent: 0 };
  let isCut = false;
  const log = createLog({
    level: 'info',
    format: 'json',
    write: (line) => {
      const { msg, error } = JSON.parse(line) as { readonly msg: string; readonly error?: string };
      if (msg !== 'Failed to watch' || !isCut) return;
      process.stdout.write(JSON.stringify({ ...most, error }), () => process.exit(0));
    },
  });
  const resource = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  const clock = { ...systemClock, after: () => () => {} };
  const informer = new Informer({ cluster, resource, clock, random: Math.random, log });
  void informer.run(new AbortController().signal);
  setInterval(() => {
    for (const { next, sent } of probesTo(port)) {
      if (sent === 0) most.untilFirst = Math.max(most.untilFirst, next);
      else most.untilNext = Math.max(most.untilNext, next);
      most.sent = Math.max(most.sent, sent);
    }
  }, 50);
  void informer.synced().then(() => {
    isCut = true;
    execFileSync('ip', ['link', 'set', 'lo', 'down']);
  });
});
