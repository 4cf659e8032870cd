/**
 * The floor of the bench, a process of its own: for each custom resource that appears, the writes that kilter would make,
 * in their cheapest form.
 */
import { readFileSync } from 'node:fs';
import type { KubeObject } from '../../src/kube/manifest.js';
import { apiOf } from './api.js';
import { bareWrites, writeBarely } from './bare-writes.js';
import { benchNamespace, kilterTrack } from './bench-plane.js';

const { clusters, users } = JSON.parse(readFileSync(process.env['KUBECONFIG']!, 'utf8')) as {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
};
const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
const width = Number(process.env['BENCH_WORKERS']);
const api = apiOf(server, Buffer.from(ca, 'base64').toString(), users[0].user.token, width);

const writes = bareWrites(benchNamespace);
const waiting: KubeObject[] = [];
let running = 0;

function work(): void {
  while (running < width) {
    const cr = waiting.shift();
    if (!cr) return;
    running++;
    void writeBarely(api, writes, cr).finally(() => {
      running--;
      work();
    });
  }
}

const seen = new Set<string>();
function take(cr: KubeObject): void {
  if (seen.has(cr.metadata.uid)) return;
  seen.add(cr.metadata.uid);
  waiting.push(cr);
  work();
}

// The server ends a watch that does not keep up; then there may be custom resources that nobody told of.
for (;;) {
  const list = (await api.ask('GET', kilterTrack.path)) as {
    readonly items: readonly KubeObject[];
    readonly metadata: { readonly resourceVersion: string };
  };
  for (const cr of list.items) take(cr);
  const from = `${kilterTrack.path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`;
  for await (const line of api.lines(from, new AbortController().signal)) {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: KubeObject };
    if (type === 'ADDED') take(object);
  }
}
