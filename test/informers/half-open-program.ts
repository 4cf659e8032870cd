/**
 * Runs alone in a network of its own: an API server that says one list, an informer on it, and then a network that takes
 * every packet and gives none back. Says when the informer has noticed, in milliseconds.
 */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '../../src/client/http-cluster.js';
import { systemClock } from '../../src/kube/clock.js';
import { Informer } from '../../src/runtime/informer/informer.js';
import { createLog } from '../../src/runtime/telemetry/log.js';

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const metadata = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
const bookmark = { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`${JSON.stringify(bookmark)}\n`);
}).listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tls = {};
  const authorization = async () => undefined;
  const cluster = connect({ server: url, namespace: 'default', tls: async () => tls, authorization });
  let cutAt: number | undefined;
  const log = createLog({
    level: 'info',
    format: 'json',
    write: (line) => {
      const { msg } = JSON.parse(line) as { readonly msg: string };
      if (msg !== 'Failed to watch' || cutAt === undefined) return;
      process.stdout.write(`${Math.round(performance.now() - cutAt)}\n`, () => process.exit(0));
    },
  });
  const resource = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  const informer = new Informer({ cluster, resource, clock: systemClock, random: Math.random, log });
  void informer.run(new AbortController().signal);
  void informer.synced().then(() => {
    cutAt = performance.now();
    execFileSync('ip', ['link', 'set', 'lo', 'down']);
  });
});
