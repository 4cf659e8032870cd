import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importsOf, reachableFrom } from './source-imports.js';
import { imports, nameOf, roomOf, sourceFolder, sources } from './source-tree.js';

/**
 * Who may import whom: a room is a folder of src/, or one of the files at its root. A row may name a room, a single
 * file of one, or imports/. A new room is a decision: a row here, and a page in docs/decisions/.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  kube: [],
  schema: ['kube'],
  resource: ['kube', 'schema'],
  compose: ['kube', 'schema', 'resource'],
  drift: ['kube'],
  client: ['kube'],
  // Certificates, for whoever serves over HTTPS.
  tls: ['kube'],
  // Of Node's server without TLS only what is used: an import of it costs memory.
  'http-server.ts': [],
  runtime: ['kube', 'schema', 'resource', 'compose', 'drift', 'client', 'tls', 'http-server.ts'],
  // What the API server asks of the controller: reviews, and how it knows whom it asks.
  webhooks: ['kube', 'client', 'tls', 'runtime'],
  install: ['kube', 'resource', 'compose'],
  gitops: ['kube', 'schema', 'resource', 'compose', 'drift', 'install'],
  // Of the client only what it stands in for: the interface, and the errors that belong to it. Of imports/ only types.
  embedded: [
    'kube',
    'schema',
    'client/cluster.ts',
    'client/api-error.ts',
    'client/path.ts',
    'client/response-error.ts',
    'client/tidy.ts',
    'tls',
    'http-server.ts',
    'imports',
  ],
  // Of the webhooks only what they answer, which an API server in the same process asks without a connection.
  testing: ['kube', 'resource', 'compose', 'client', 'runtime', 'embedded', 'webhooks/admission-review.ts'],
  // The controller as a process: its flags, and all that it needs, put together.
  program: ['kube', 'compose', 'client', 'tls', 'runtime', 'webhooks'],
  // For any program: what it asks it asks by the client, and what it follows it follows as the controller does.
  'typed-client': ['kube', 'resource', 'client', 'runtime'],
  operators: ['index.ts', 'imports'],
  cli: ['index.ts', 'main.ts', 'controller.ts', 'imports', 'kube', 'schema', 'resource', 'compose', 'drift'].concat([
    'client',
    'runtime',
    'install',
    'gitops',
    'embedded',
    'operators',
  ]),
  // The vocabulary of an author, who neither installs nor runs anything with it.
  'index.ts': ['kube', 'schema', 'resource', 'compose'],
  // Entries also need words: errors to print, and the machine's clock to hand out.
  'main.ts': ['operators', 'install', 'gitops', 'kube'],
  'controller.ts': ['operators', 'program'],
  imports: ['index.ts'],
};

/** Which rooms may use which package. Who is not named here is not used by any. */
const packages: Readonly<Record<string, readonly string[]>> = {
  constructs: ['resource', 'compose', 'install', 'gitops', 'operators', 'main.ts', 'cli', 'imports'],
  cdk8s: ['resource', 'compose', 'install', 'gitops', 'main.ts', 'cli'],
  'cdk8s-plus-28': ['install'],
  re2js: ['schema'],
  '@marcbachmann/cel-js': ['schema'],
  undici: ['client'],
  '@kubernetes/client-node': ['client'],
  pino: ['runtime'],
  '@opentelemetry/api': ['runtime'],
  '@opentelemetry/exporter-trace-otlp-http': ['runtime'],
  '@opentelemetry/exporter-trace-otlp-proto': ['runtime'],
  '@opentelemetry/resources': ['runtime'],
  '@opentelemetry/sdk-trace-node': ['runtime'],
  'prom-client': ['runtime'],
  commander: ['cli', 'program'],
  yaml: ['client', 'cli', 'gitops', 'embedded'],
  'node:path': ['client', 'gitops', 'webhooks', 'main.ts', 'program', 'cli'],
  'node:url': ['main.ts', 'cli'],
  // The client asks nothing of it but whether a key is that of a certificate.
  'node:crypto': [
    'client',
    'compose',
    'drift',
    'embedded',
    'operators',
    'runtime',
    'program',
    'cli',
    'tls',
    'webhooks',
  ],
  'node:os': ['client', 'runtime', 'program'],
  // Only what a server would make of a certificate.
  'node:tls': ['tls'],
  'node:vm': ['runtime'],
  'node:inspector': ['runtime'],
  'node:worker_threads': ['runtime'],
  'node:async_hooks': ['runtime'],
  // For `kilter dev` alone, which compiles what an author writes and runs it in a process of its own.
  esbuild: ['cli'],
  // The client runs the plugins that a kubeconfig names.
  'node:child_process': ['cli', 'client'],
  'node:readline': ['cli'],
  'node:fs': ['runtime', 'gitops', 'main.ts', 'program', 'cli'],
  'node:fs/promises': ['client', 'cli', 'tls'],
  // Probes and metrics are served, and the embedded API; nobody but the client asks.
  'node:events': ['runtime', 'program', 'cli', 'embedded', 'testing'],
  'node:http': ['runtime', 'embedded', 'webhooks', 'http-server.ts'],
  'node:https': ['runtime', 'embedded', 'webhooks'],
  // The client asks nothing of it but what is an address.
  'node:net': ['client', 'runtime', 'tls', 'embedded'],
  'node:stream': ['embedded'],
  'node:zlib': ['kube', 'embedded'],
  // A test may have put fake ones in the place of the global timers.
  'node:timers': ['testing'],
  'node:v8': ['runtime'],
  'node:perf_hooks': ['runtime'],
};

describe('the import table', () => {
  it('has a row for every room that there is', () => {
    const there = readdirSync(sourceFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
      .map(({ name }) => name);
    expect(there.filter((name) => !(name in rooms))).toEqual([]);
  });

  it.each(Object.keys(rooms))('is kept by %s', (room) => {
    const refused = [...sources, ...imports]
      .filter((file) => roomOf(nameOf(file)) === room)
      .flatMap((file) =>
        importsOf(file).flatMap(({ specifier, file: target }) => {
          const problem = refusal(nameOf(file), target === undefined ? specifier : nameOf(target));
          return problem === undefined ? [] : [problem];
        }),
      );
    expect(refused).toEqual([]);
  });

  it.each([
    ['drift/plan.ts', 'kube/manifest.ts', undefined],
    ['drift/plan.ts', 'client/http-cluster.ts', 'drift/plan.ts imports client/http-cluster.ts: drift may import kube'],
    ['embedded/embedded-cluster.ts', 'client/cluster.ts', undefined],
    [
      'embedded/embedded-cluster.ts',
      'client/transport.ts',
      expect.stringContaining('embedded may import kube, schema'),
    ],
    ['operators/memcached.ts', 'imports/k8s.ts', undefined],
    [
      'operators/memcached.ts',
      'compose/operator.ts',
      expect.stringContaining('operators may import index.ts, imports'),
    ],
    ['imports/k8s.ts', 'kube/manifest.ts', expect.stringContaining('imports may import index.ts')],
    ['kube/manifest.ts', 'undici', 'kube/manifest.ts imports undici, which is for client'],
    [
      'kube/manifest.ts',
      'undici/lib/api/index.js',
      'kube/manifest.ts imports undici/lib/api/index.js, which is for client',
    ],
    ['kube/manifest.ts', 'lodash', 'kube/manifest.ts imports lodash, which is for nobody'],
    ['kube/manifest.ts', 'test/kube/fixture.ts', expect.stringContaining('kube may import nothing')],
  ])('judges %s importing %s', (from, to, expected) => {
    expect(refusal(from, to)).toEqual(expected);
  });

  it.each([
    ['rendering', 'main.ts', ['client', 'runtime', 'undici', '@kubernetes/client-node', 'pino']],
    ['the controller', 'controller.ts', ['install', 'gitops']],
    ['the vocabulary of authors', 'index.ts', ['client', 'runtime', 'install', 'gitops', 'embedded', 'undici']],
  ])('keeps from %s what it must never load', (_, entry, never) => {
    const loaded = [...reachableFrom(join(sourceFolder, entry))].flatMap((file) => [
      roomOf(nameOf(file)),
      ...importsOf(file).flatMap((each) => (each.file || each.isTypeOnly ? [] : [each.specifier])),
    ]);
    expect(never.filter((name) => loaded.includes(name))).toEqual([]);
  });

  it.each(['@kubernetes/client-node', 'esbuild'])('loads %s only when it is asked for', (name) => {
    const eager = sources.filter((file) =>
      importsOf(file).some((each) => each.specifier === name && !each.isLazy && !each.isTypeOnly),
    );
    expect(eager.map(nameOf)).toEqual([]);
  });
});

/** Why `from` may not import `to`, both as `nameOf` gives them, or `to` as the name of a package. */
function refusal(from: string, to: string): string | undefined {
  const room = roomOf(from);
  if (!to.endsWith('.ts')) {
    const allowed = packages[to] ?? (to.startsWith('undici/') ? packages['undici'] : undefined) ?? [];
    return allowed.includes(room) ? undefined : `${from} imports ${to}, which is for ${allowed.join(', ') || 'nobody'}`;
  }
  const allowed = rooms[room] ?? [];
  if (roomOf(to) === room || allowed.includes(roomOf(to)) || allowed.includes(to)) return undefined;
  return `${from} imports ${to}: ${room} may import ${allowed.join(', ') || 'nothing'}`;
}
