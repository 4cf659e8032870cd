// Longer than most files: what a person does in an afternoon with kilter dev, step by step.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployment, Service } from '../../../imports/k8s.js';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { definitionKind } from '../../../src/kube/definition-kind.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Memcached } from '../../../src/operators/memcached.js';
import { eventually } from '../../cluster/eventually.js';
import { freePorts } from '../../cluster/free-ports.js';
import { packageRoot } from '../../cluster/package-root.js';
import { withKubectl } from '../../cluster/with-kubectl.js';
import { type CompiledPackage, compilePackage } from '../../compiled-package.js';
import { isAlive, RunningProgram } from '../../running-program.js';
import { Author, sample } from './author.js';

let kilter: CompiledPackage;
let author: Author;
const running: RunningProgram[] = [];
const clients: HttpCluster[] = [];

beforeAll(async () => {
  kilter = await compilePackage();
});
afterAll(() => kilter.remove());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const program of running.splice(0)) await program.kill();
  author.remove();
});

const withAuthor = () => {
  author = new Author(kilter.folder);
};

function dev(args: readonly string[] = [], cwd = author.folder): RunningProgram {
  const program = new RunningProgram(process.execPath, [kilter.program, 'dev', ...args], { cwd });
  running.push(program);
  return program;
}

async function client(kubeconfig = author.kubeconfig): Promise<HttpCluster> {
  const cluster = connect(await kubeConfig({ path: kubeconfig }));
  clients.push(cluster);
  return cluster;
}

const one = (name: string) => ({ namespace: 'default', name });
const replicasOf = (object: KubeObject) => (object['spec'] as { replicas: number }).replicas;
const sizes = 'replicas: cr.spec.size';

const jar = (version: string) =>
  `apiVersion: jars.example.com/${version}\nkind: Jar\nmetadata: {name: jar}\nspec: {size: 1}\n`;
const versioned = `
import { customResource, operator, s } from 'kilter';
import { ConfigMap } from 'kilter/imports/k8s';
const spec = s.object({ size: s.int32() });
const older = { spec, upgrade: (old) => old, downgrade: (now) => now };
const versions = { v1beta1: older };
const admission = { validate: () => [] };
const Jar = customResource({ group: 'jars.example.com', version: 'v1', kind: 'Jar', spec, versions, admission });
export const jars = operator(Jar, {
  owns: [ConfigMap],
  compose(scope) {
    new ConfigMap(scope, 'label');
  },
});
`;

/** Asks until the object is as `claim` has it. */
function becomes(cluster: HttpCluster, kind: ApiResource, name: string, claim: (object: KubeObject) => void) {
  return eventually(async () => {
    const object = await cluster.get(kind, one(name));
    claim(object);
    return object;
  });
}

/** Puts the controller that runs to the test: it makes good what is deleted. */
async function expectCorrection(cluster: HttpCluster): Promise<void> {
  const { metadata } = await cluster.get(Service, one('cache-service'));
  await cluster.delete(Service, one('cache-service'));
  await becomes(cluster, Service, 'cache-service', (now) => expect(now.metadata.uid).not.toBe(metadata.uid));
}

describe('kilter dev', () => {
  it('runs the operators of a project, applies samples, and tells how to reach the cluster', async () => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    await program.shows('Stores are filled');
    expect(program.output).toContain('loaded src/operators/all.ts');
    expect(program.output).toContain('memcached (Memcached)');
    await program.shows('applied Memcached/cache');
    expect(program.output).toContain(`export KUBECONFIG=${author.kubeconfig}`);
    expect(statSync(author.kubeconfig).mode & 0o777).toBe(0o600);

    const cluster = await client();
    await becomes(cluster, Deployment, 'cache-server', (deployment) => expect(replicasOf(deployment)).toBe(2));
    await becomes(cluster, Memcached, 'cache', ({ status }) => expect(status).toMatchObject({ readyReplicas: 2 }));
  });

  it('runs new code on save, one process at a time, and keeps the cluster', async () => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    await program.shows('Stores are filled');
    const cluster = await client();
    const before = await becomes(cluster, Deployment, 'cache-server', (object) => expect(replicasOf(object)).toBe(2));

    author.edit('src/operators/memcached.ts', sizes, `${sizes} + 1`);
    const after = await becomes(cluster, Deployment, 'cache-server', (object) => expect(replicasOf(object)).toBe(3));
    expect(program.output).toContain('reloaded src/operators/all.ts');
    expect(after.metadata.uid).toBe(before.metadata.uid);

    author.edit('src/operators/memcached.ts', "description: 'How many", "description: 'Just how many");
    author.edit('src/operators/memcached.ts', 'maximum: 10', 'maximum: 20');
    author.edit('src/operators/memcached.ts', `${sizes} + 1`, `${sizes} + 2`);
    await eventually(async () => {
      const patch = { type: 'merge', body: { spec: { size: 20 } } } as const;
      await cluster.patch(Memcached, one('cache'), patch, { fieldManager: 'somebody' });
    });
    // Not by the version before, which goes on while the definition of the next one is installed.
    await becomes(cluster, Deployment, 'cache-server', (object) => expect(replicasOf(object)).toBe(22));
    const times = (words: RegExp) => program.output.match(words)!.length;
    await eventually(() => expect(times(/Stores are filled/g)).toBe(times(/loaded src/g)));
    expect(await program.interrupt()).toBe(0);
  });

  it.each([
    ['does not compile', 'compose(scope, cr) {', 'compose(scope, cr) { const = 1;', /memcached\.ts:\d+:\d+/],
    [
      'does not load',
      "kind: 'Memcached',",
      "kind: 'Memcached', ...missing(),",
      /ReferenceError: missing is not defined\n.*memcached\.ts:\d+/,
    ],
    [
      'defines what cannot work',
      'owns: [Deployment',
      'maxConcurrentReconciles: 0, owns: [Deployment',
      /maxConcurrentReconciles.*\n[\s\S]*memcached\.ts:\d+/,
    ],
    ['imports what is not there', "from 'kilter';", "from 'kilter'; import './absent.js';", 'Could not resolve'],
    [
      'imports a package that is not there',
      "from 'kilter';",
      "from 'kilter'; import 'absent';",
      /DEV {3}Cannot find package 'absent'\n +hint: npm install absent, or mend its import/,
    ],
    [
      'changes what no server lets change',
      "kind: 'Memcached',",
      "kind: 'Memcached', namespaced: false,",
      /spec\.scope.*\n +hint: an API server never allows that change: delete the CustomResourceDefinition and save again, or use --fresh/,
    ],
  ])('says so when a source %s, and goes on with the version before', async (_, from, to, words) => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    await program.shows('Reconciled');
    const cluster = await client();

    const source = author.read('src/operators/memcached.ts');
    author.edit('src/operators/memcached.ts', from, to);
    await program.shows(words);
    const shown = await program.shows('(the version before goes on running)');
    await expectCorrection(cluster);
    expect(program.output.match(/Stores are filled/g)).toHaveLength(1);

    author.write('src/operators/memcached.ts', source.replace(sizes, `${sizes} + 2`));
    await program.shows('reloaded src/operators/all.ts', shown);
    await becomes(cluster, Deployment, 'cache-server', (object) => expect(replicasOf(object)).toBe(4));
  });

  it('tries again what the cluster refused, when somebody saves who has made room for it', async () => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    await program.shows('Reconciled');
    const cluster = await client();
    author.edit('src/operators/memcached.ts', "kind: 'Memcached',", "kind: 'Memcached', namespaced: false,");
    const shown = await program.shows('(the version before goes on running)');
    await cluster.delete(definitionKind, { name: 'memcacheds.memcached.cache.example.com' });
    await eventually(async () => {
      author.write('src/operators/memcached.ts', author.read('src/operators/memcached.ts'));
      await program.shows('reloaded src/operators/all.ts', shown, 2);
    });
  });

  it('tries again what could not be loaded, when somebody saves who has installed what it needs', async () => {
    withAuthor();
    const program = dev();
    await program.shows('Stores are filled');
    author.edit('src/operators/memcached.ts', "from 'kilter';", "from 'kilter'; import 'paint';");
    const shown = await program.shows('(the version before goes on running)');
    author.write('node_modules/paint/package.json', '{ "name": "paint", "main": "paint.js" }');
    author.write('node_modules/paint/paint.js', '');
    await eventually(async () => {
      author.write('src/operators/memcached.ts', author.read('src/operators/memcached.ts'));
      await program.shows('reloaded src/operators/all.ts', shown, 2);
    });
  });

  it('waits for a first version that works, and sees files that come', async () => {
    withAuthor();
    author.write('src/operators/all.ts', `export { memcached } from '../parts/memcached.js';\n`);
    const program = dev();
    await program.shows('no controller runs');
    author.write('src/parts/memcached.ts', author.read('src/operators/memcached.ts'));
    await program.shows('Stores are filled');
  });

  it('ends at once while a module is being loaded that waits for what does not come', async () => {
    withAuthor();
    author.write(
      'src/operators/all.ts',
      [
        `process.on('message', () => console.log('asked to end'));`,
        `console.log('waiting'); await new Promise((resolve) => setTimeout(resolve, 1e6));\n`,
      ].join(' '),
    );
    const program = dev();
    await program.shows('waiting');
    expect(await program.interrupt()).toBe(0);
    // Neither was it asked, and given time, nor did anybody wait until it took too long.
    expect(program.output).not.toMatch(/asked to end|was not loaded/);
    expect(program.output).toContain('saved the cluster');
  });

  it('saves the cluster though whoever reads on ends first, as tee does', async () => {
    withAuthor();
    const command = `"$0" "$1" dev --samples samples | { sed '/Reconciled/q' >/dev/null; }`;
    const reader = new RunningProgram('bash', ['-c', command, process.execPath, kilter.program], {
      cwd: author.folder,
    });
    running.push(reader);
    await eventually(() => expect(existsSync(author.state)).toBe(true));
    const cluster = await client();
    await becomes(cluster, Deployment, 'cache-server', () => {});
    // What it tells of this nobody reads any more.
    for (const size of [3, 4, 5]) {
      const patch = { type: 'merge', body: { spec: { size } } } as const;
      await cluster.patch(Memcached, one('cache'), patch, { fieldManager: 'somebody' }).catch(() => {});
    }
    expect(await reader.exited).toBe(0);
    expect(existsSync(`${author.state}.lock`)).toBe(false);
    expect(existsSync(author.kubeconfig)).toBe(false);
  });

  it('says when there is no operator, and takes them from lists', async () => {
    withAuthor();
    author.write('src/operators/all.ts', 'export const size = 3;\n');
    const program = dev();
    await program.shows('src/operators/all.ts exports no operator');
    expect(program.output).toContain('hint: it exports size');
    author.write(
      'src/operators/all.ts',
      `import { memcached } from './memcached.js';\nexport const all = [memcached];\n`,
    );
    await program.shows('loaded src/operators/all.ts');
  });

  it('starts a controller again that ended by itself', async () => {
    withAuthor();
    const ends = join(author.folder, 'node_modules/ends');
    author.write(
      'src/operators/all.ts',
      `import { existsSync, rmSync } from 'node:fs';
export { memcached } from './memcached.js';
const ends = ${JSON.stringify(ends)};
const end = () => { rmSync(ends); throw new Error('out of the blue'); };
setInterval(() => existsSync(ends) && end(), 20);
`,
    );
    const program = dev();
    await program.shows('Stores are filled');
    writeFileSync(ends, '');
    const first = await program.shows('the controller ended by itself, with exit code 1');
    expect(program.output).toContain('out of the blue');
    await program.shows('Stores are filled', first);
  });

  it('goes on starting a controller that could not be loaded once, and at once when somebody saves', async () => {
    withAuthor();
    // It ends when the file `ends` comes, and then cannot be loaded while the file `down` is there.
    author.write(
      'src/operators/all.ts',
      `import { existsSync, renameSync } from 'node:fs';
export { memcached } from './memcached.js';
const file = (name) => new URL('../../node_modules/' + name, import.meta.url);
if (existsSync(file('down'))) throw new Error('the database is down');
const end = () => { renameSync(file('ends'), file('down')); process.exit(7); };
setInterval(() => existsSync(file('ends')) && end(), 20);
`,
    );
    const file = (name: string) => join(author.folder, 'node_modules', name);
    const program = dev();
    await program.shows('Stores are filled');
    writeFileSync(file('ends'), '');
    await program.shows('the controller ended by itself, with exit code 7; it is started again in 1 s');
    const failed = /the database is down[\s\S]*\(no controller runs; it is started again soon, and when you save\)/;
    const twice = await program.shows(failed, await program.shows(failed));
    rmSync(file('down'));
    const again = await program.shows('Stores are filled', twice);

    writeFileSync(file('ends'), '');
    const down = await program.shows(failed, await program.shows('ended by itself', again));
    rmSync(file('down'));
    // What is written within a second of a failure may be an account of it.
    await eventually(async () => {
      author.write('src/operators/all.ts', author.read('src/operators/all.ts'));
      await eventually(() => expect(program.output.slice(down)).toContain('Stores are filled'), 3);
    });
  });

  it('does not try on and on because a try that fails writes into the project', async () => {
    withAuthor();
    const tries = join(author.folder, 'tries.log');
    author.write(
      'src/operators/all.ts',
      `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(tries)}, 'x');
throw new Error('the database is down');
`,
    );
    const program = dev();
    await program.shows('no controller runs');
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(author.read('tries.log').length).toBeLessThan(3);
  });

  it('tries a first version again when somebody saves, though nothing has changed in it', async () => {
    withAuthor();
    const down = join(author.folder, 'node_modules/down');
    writeFileSync(down, '');
    const failing = `import { existsSync } from 'node:fs';
export { memcached } from './memcached.js';
if (existsSync(${JSON.stringify(down)})) throw new Error('the database is down');
`;
    author.write('src/operators/all.ts', failing);
    const program = dev();
    await program.shows('(no controller runs; it is tried again when you save)');
    // As long as it takes to see the folders that are watched from now on.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(program.output.match(/no controller runs/g)).toHaveLength(1);
    rmSync(down);
    // A folder of which a busy machine has not told by now is seen when it does, and what was saved in it before is as it was.
    await eventually(async () => {
      author.write('src/operators/all.ts', failing);
      await program.shows('Stores are filled', 0, 3);
    });
  });

  it('sees what is saved in a folder that went and came back, as from one branch of Git to another and back', async () => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    const first = await program.shows('Reconciled');
    const sources = ['src/operators/all.ts', 'src/operators/memcached.ts'].map(
      (file) => [file, author.read(file)] as const,
    );
    rmSync(join(author.folder, 'src'), { recursive: true });
    const gone = await program.shows('(the version before goes on running)', first);
    for (const [file, text] of sources) author.write(file, text);
    const back = await program.shows('back at the version that runs', gone);
    author.edit('src/operators/memcached.ts', sizes, `${sizes} + 1`);
    await program.shows('reloaded', back);
  });

  it('goes on when what Git ignores is cleared away', async () => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    const first = await program.shows('Reconciled');
    author.edit('src/operators/memcached.ts', sizes, `${sizes} + 1`);
    const second = await program.shows('reloaded', first);
    rmSync(join(author.folder, '.kilter'), { recursive: true, maxRetries: 5 });
    author.edit('src/operators/memcached.ts', `${sizes} + 1`, sizes);
    await program.shows('reloaded', second);
    expect(await program.interrupt()).toBe(0);
    expect(existsSync(author.state)).toBe(true);
  });

  it('gives sources what import.meta is to them', async () => {
    withAuthor();
    author.write('src/operators/image.txt', 'memcached:from-a-file');
    author.edit(
      'src/operators/memcached.ts',
      "default: 'memcached:1.6-alpine'",
      "default: readFileSync(new URL('./image.txt', import.meta.url), 'utf8') + import.meta.dirname.length",
    );
    author.edit('src/operators/memcached.ts', 'import', "import { readFileSync } from 'node:fs';\nimport");
    author.write('src/operators/memcached.ts', `#!/usr/bin/env tsx\n${author.read('src/operators/memcached.ts')}`);
    const program = dev(['--samples', 'samples']);
    await program.shows('Reconciled');
    const { spec } = await (await client()).get(Memcached, one('cache'));
    const image = `memcached:from-a-file${join(author.folder, 'src/operators').length}`;
    expect(spec).toEqual({ size: 2, image });
  });

  it('lets operators do only what is rendered for them', async () => {
    withAuthor();
    await dev().shows('Stores are filled');
    const cluster = await client();
    const may = async (verb: string, group: string, resource: string) => {
      const user = 'system:serviceaccount:kilter-dev-system:kilter-dev';
      const review = await cluster.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user, resourceAttributes: { verb, group, resource } },
        },
      });
      return (review as { status: { allowed: boolean } }).status.allowed;
    };
    expect(await may('delete', 'apps', 'deployments')).toBe(true);
    expect(await may('watch', 'memcached.cache.example.com', 'memcacheds')).toBe(true);
    expect(await may('list', '', 'secrets')).toBe(false);
    expect(await may('create', 'apps', 'statefulsets')).toBe(false);
  });

  it('applies a sample again when its file changes, and leaves others as somebody made them', async () => {
    withAuthor();
    author.write('samples/other.yaml', sample('other', 1));
    author.write('samples/broken.yaml', 'kind: Memcached');
    const program = dev(['--samples', 'samples']);
    await program.shows('applied Memcached/cache, Memcached/other');
    await program.shows('Stores are filled');
    expect(program.output.match(/document 1 of samples\/broken\.yaml is no manifest/g)).toHaveLength(1);
    rmSync(join(author.folder, 'samples/broken.yaml'));
    const cluster = await client();
    const patch = { type: 'merge', body: { spec: { size: 5 } } } as const;
    await cluster.patch(Memcached, one('other'), patch, { fieldManager: 'somebody' });

    author.write('samples/cache.yaml', sample('cache', 4));
    await becomes(cluster, Memcached, 'cache', ({ spec }) => expect(spec).toMatchObject({ size: 4 }));
    author.write('samples/cache.yaml', sample('cache', 400));
    await program.shows(/spec\.size.*\n +file: samples\/cache\.yaml/);
    author.write('samples/cache.yaml', '{');
    await program.shows('cannot be read');

    expect((await cluster.get(Memcached, one('other')))['spec']).toMatchObject({ size: 5 });
    expect((await cluster.get(Memcached, one('cache')))['spec']).toMatchObject({ size: 4 });
  });

  it('does not apply a sample again for another of its name and kind, in another group', async () => {
    withAuthor();
    const schema = '{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}';
    author.write(
      'samples/services.yaml',
      `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: services.example.com}
spec:
  group: example.com
  names: {kind: Service, plural: services}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: ${schema}}]
---
{apiVersion: example.com/v1, kind: Service, metadata: {name: web}}
---
{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}]}}
`,
    );
    const program = dev(['--samples', 'samples']);
    const shown = await program.shows(
      'applied CustomResourceDefinition/services.example.com, Memcached/cache, Service/web, Service/web',
    );
    author.write('samples/cache.yaml', sample('cache', 4));
    await program.shows(/applied Memcached\/cache\n/, shown);
  });
});

describe('the cluster of kilter dev', () => {
  it('is there again after Ctrl-C, for the same kubeconfig', async () => {
    withAuthor();
    const [port] = await freePorts(1);
    const first = dev(['--samples', 'samples', '--port', String(port)]);
    await first.shows('Reconciled');
    const before = await (await client()).get(Deployment, one('cache-server'));
    const kubeconfig = readFileSync(author.kubeconfig, 'utf8');
    const started = first.descendants();

    expect(await first.interrupt()).toBe(0);
    expect(first.output).toContain('saved the cluster in .kilter/dev-cluster.json');
    await eventually(() => expect(started.filter(isAlive)).toEqual([]));
    expect(readdirSync(join(author.folder, '.kilter')).sort()).toEqual(['.gitignore', 'dev-cluster.json']);
    expect(statSync(author.state).mode & 0o777).toBe(0o600);

    const second = dev();
    await second.shows('Stores are filled');
    expect(second.output).toMatch(/with \d+ objects of last time/);
    expect(readFileSync(author.kubeconfig, 'utf8')).toBe(kubeconfig);
    const cluster = await client();
    expect((await cluster.get(Deployment, one('cache-server'))).metadata.uid).toBe(before.metadata.uid);
    await expectCorrection(cluster);
    expect(second.output).not.toContain('Deployment/default/cache-server created');
  });

  it('is there again after SIGKILL, which leaves no process behind', async () => {
    withAuthor();
    const first = dev(['--samples', 'samples']);
    await first.shows('Reconciled');
    await eventually(() => expect(readFileSync(author.state, 'utf8')).toContain('cache-service'));
    const started = first.descendants();
    await first.kill();
    await eventually(() => expect(started.filter(isAlive)).toEqual([]));

    const second = dev();
    await second.shows('Stores are filled');
    await expectCorrection(await client());
  });

  it('is empty with --fresh', async () => {
    withAuthor();
    const first = dev(['--samples', 'samples']);
    await first.shows('Reconciled');
    await first.interrupt();
    const second = dev(['--fresh']);
    await second.shows('Stores are filled');
    expect(second.output).toMatch(/cluster .*, new/);
    expect((await (await client()).list(Memcached, {})).items).toEqual([]);
  });

  it('is not started where there is no place for its kubeconfig, and says so', async () => {
    withAuthor();
    mkdirSync(author.kubeconfig, { recursive: true });
    const program = dev();
    expect(await program.exited).toBe(1);
    expect(program.output).toContain(`error: writing the kubeconfig ${author.kubeconfig} failed\n  cause: `);
  });

  it('is not started twice on one state', async () => {
    withAuthor();
    const first = dev();
    await first.shows('Stores are filled');
    const second = dev();
    expect(await second.exited).toBe(1);
    expect(second.output).toContain(`is in use by process ${first.pid}`);
    author.write('other/kubeconfig', 'of somebody else');
    const other = dev(['--state', 'other/state.json']);
    await other.shows('Stores are filled');
    await client(join(author.folder, 'other/state.json.kubeconfig'));
    expect(await other.interrupt()).toBe(0);
    expect(readdirSync(join(author.folder, 'other')).sort()).toEqual(['kubeconfig', 'state.json']);
    expect(author.read('other/kubeconfig')).toBe('of somebody else');
    // Neither takes the other's module away.
    for (const controller of first.descendants()) process.kill(controller, 'SIGKILL');
    await first.shows(/ended by itself[\s\S]*Stores are filled/);
  });

  it('says why samples cannot be read', async () => {
    withAuthor();
    const program = dev(['--samples', 'nope']);
    await program.shows('cause: ENOENT');
  });

  it('serves of a kind of several versions the one that is stored, and asks no webhook', async () => {
    withAuthor();
    author.write('src/operators/all.ts', versioned);
    author.write('samples/cache.yaml', jar('v1'));
    const program = dev(['--samples', 'samples']);
    await program.shows('applied Jar/jar');
    await program.shows('Reconciled');
    author.write('samples/cache.yaml', jar('v1beta1'));
    await program.shows('Jar of jars.example.com/v1beta1 is not served');
    await program.shows('put a CustomResourceDefinition that serves it among the samples');
  });

  it('is not started from a damaged state, which stays as it is, unless with --fresh', async () => {
    withAuthor();
    const first = dev();
    await first.shows('Stores are filled');
    await first.interrupt();
    const damaged = readFileSync(author.state, 'utf8').replace('kube-public', 'kube-pubic');
    writeFileSync(author.state, damaged);

    const second = dev();
    expect(await second.exited).toBe(1);
    expect(second.output).toContain('failed: its checksum is not that of its content');
    expect(second.output).toContain('--fresh');
    expect(readFileSync(author.state, 'utf8')).toBe(damaged);
    expect(existsSync(author.kubeconfig)).toBe(false);

    await dev(['--fresh']).shows('Stores are filled');
  });

  it('is served where it is asked to be, or not at all', async () => {
    withAuthor();
    const [port] = await freePorts(1);
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const refused = dev(['--port', String(port)]);
    expect(await refused.exited).toBe(1);
    expect(refused.output).toContain(`listening on port ${port} of 127.0.0.1 failed`);
    expect(refused.output).toContain('another process has it');
    await new Promise((resolve) => taken.close(resolve));

    const program = dev(['--port', String(port)]);
    await program.shows(`https://127.0.0.1:${port}, new`);
  });
});

describe('kilter dev in the repository of kilter', () => {
  it("runs the operators that are shipped, as one with kilter's own code", async () => {
    withAuthor();
    const state = join(author.folder, 'state.json');
    const program = dev(['--state', state, '--samples', 'dist/samples'], packageRoot);
    await program.shows('Reconciled');
    expect(program.output).toContain('loaded src/operators/all.ts');
    expect(await program.interrupt()).toBe(0);
    rmSync(state);
  });
});

withKubectl('kubectl on kilter dev', ({ kubectl }) => {
  it('sees custom resources by their columns, and is corrected', async () => {
    withAuthor();
    const program = dev(['--samples', 'samples']);
    await program.shows('Reconciled');
    const run = kubectl(author.kubeconfig);

    await eventually(async () => expect((await run(['get', 'mc'])).stdout).toMatch(/cache +2 +2 +True/));
    await run(['scale', 'deployment', 'cache-server', '--replicas', '9']);
    await eventually(async () => expect((await run(['get', 'deployments'])).stdout).toMatch(/cache-server +2\/2/));
    await run(['scale', 'mc', 'cache', '--replicas', '3']);
    await eventually(async () => expect((await run(['get', 'deployments'])).stdout).toMatch(/cache-server +3\/3/));
    expect((await run(['explain', 'memcached.spec.size'])).stdout).toContain('How many memcached pods run.');
    await run(['delete', 'mc', 'cache']);
    await eventually(async () => expect((await run(['get', 'deployments,pods'])).stdout).toBe(''));
  });
});
