/** Longer than most files: all that the command tells is asked of one cluster, which takes its time to start. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Deployment, Service } from '../../imports/k8s.js';
import { type LookOptions, lookForDrift } from '../../src/cli/drift/look-for-drift.js';
import type { Operator } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { configMapSync } from '../../src/operators/config-map-sync.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { eventually } from '../cluster/eventually.js';
import { FaultProxy } from '../cluster/fault-proxy.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { refusal } from '../cluster/proxy-rules.js';
import { Stage } from '../cluster/stage.js';
import { type CompiledPackage, compilePackage } from '../compiled-package.js';
import { RunningProgram } from '../running-program.js';
import { Author } from './dev/author.js';

const theirs = { fieldManager: 'somebody' };
/** Operators of what is in no namespace alone. */
const wide = `
import { customResource, operator, s } from 'kilter';
const Wide = customResource({ group: 'wide.example.com', version: 'v1', kind: 'Wide', namespaced: false, spec: s.object({}) });
export const all = operator(Wide, { owns: [], compose() {} });
`;
const target = (name: string) => ({ namespace: 'default', name });

onEveryCluster('kilter drift', {}, (plane) => {
  const stage = new Stage(plane, [Memcached.crd()]);
  let kilter: CompiledPackage;
  let author: Author;
  const running: RunningProgram[] = [];

  beforeAll(async () => {
    kilter = await compilePackage();
    author = new Author(kilter.folder);
    await stage.start([memcached]);
    for (const name of ['cache', 'other']) {
      await stage.create(Memcached, { metadata: target(name), spec: { size: 2 } });
      await stage.settled(Memcached, target(name));
    }
    await stage.quiet();
    // From now on nobody puts anything back.
    await stage.stop();
  }, 180_000);
  afterAll(async () => {
    author?.remove();
    kilter?.remove();
  });
  afterEach(async () => {
    for (const program of running.splice(0)) await program.kill();
  });

  const drift = (...args: string[]) => {
    const all = [kilter.program, 'drift', '--kubeconfig', plane().kubeconfig, ...args];
    const program = new RunningProgram(process.execPath, all, { cwd: author.folder });
    running.push(program);
    return program;
  };
  const scale = (replicas: number) =>
    stage.admin.patch(Deployment, target('cache-server'), { type: 'merge', body: { spec: { replicas } } }, theirs);
  const look = (operators: readonly Operator[] = [memcached], options: Partial<LookOptions> = {}) =>
    lookForDrift({ cluster: stage.admin, operators, clock: systemClock, ...options });

  it('finds none where there is none', async () => {
    const { rows, problems } = await look();
    expect({ rows, problems }).toEqual({ rows: [], problems: [] });
    const program = drift();
    expect(await program.exited).toBe(0);
    expect(program.output).toContain('no drift');
  });

  it('finds none where the operator is of another name now, and says so', async () => {
    const renamed = { ...memcached, name: 'renamed' };
    expect((await look([renamed])).rows).not.toEqual([]);
    expect((await look([{ ...renamed, formerly: [memcached.name] }])).rows).toEqual([]);
  });

  it('shows what is drifted, who wrote it, how and when', async () => {
    await scale(9);
    await stage.admin.delete(Service, target('other-service'));
    await stage.admin.patch(
      Deployment,
      target('other-server'),
      { type: 'merge', body: { metadata: { labels: { team: 'x' } } } },
      theirs,
    );
    const { rows } = await look();
    expect(rows).toEqual([
      {
        customResource: 'Memcached/default/cache',
        child: 'Deployment/default/cache-server',
        field: 'spec.replicas',
        desired: 2,
        observed: 9,
        writer: { manager: 'somebody', operation: 'Update', time: expect.stringMatching(/^20.*Z$/) },
        mode: 'enforce',
      },
      expect.objectContaining({ field: 'metadata.labels.team', observed: 'x', mode: 'report' }),
      {
        customResource: 'Memcached/default/other',
        child: 'Service/default/other-service',
        field: '',
        desired: 'there',
        mode: 'enforce',
      },
    ]);

    const table = drift('mc/cache');
    expect(await table.exited).toBe(1);
    expect(table.output).toMatch(
      /^CUSTOM RESOURCE +CHILD +FIELD +DESIRED +OBSERVED +WRITTEN BY +AT +MODE\nMemcached\/default\/cache +Deployment\/default\/cache-server +spec\.replicas +2 +9 +somebody \(Update\) +20\S+Z +enforce\n$/,
    );
    const json = drift('-o', 'json');
    expect(await json.exited).toBe(1);
    expect(JSON.parse(json.output)).toEqual(rows);
    const yaml = drift('-o', 'yaml', 'memcached/cache');
    expect(await yaml.exited).toBe(1);
    expect(parse(yaml.output)).toEqual(rows.slice(0, 1));
  });

  it('shows it again when it changes, until it is interrupted', async () => {
    await scale(7);
    const program = drift('--watch', 'mc/cache');
    await program.shows(/ 7 +somebody/);
    await scale(8);
    await program.shows(/ 8 +somebody/);
    expect(await program.interrupt()).toBe(1);
  });

  it('shows it as left alone where its custom resource is suspended', async () => {
    await scale(7);
    const suspend = (value: string | null) => {
      const body = { metadata: { annotations: { 'memcached.cache.example.com/reconcile': value } } };
      return stage.admin.patch(Memcached, target('cache'), { type: 'merge', body }, theirs);
    };
    const modes = async () => (await look()).rows.filter(({ child }) => child.endsWith('/cache-server'));
    expect(await modes()).toMatchObject([{ mode: 'enforce' }]);
    await suspend('suspended');
    const suspended = await modes().finally(() => suspend(null));
    expect(suspended).toMatchObject([{ mode: 'report' }]);
  });

  it('says what is in the way of a child, and that nothing is served', async () => {
    const inTheWay = { metadata: target('other-service'), spec: { ports: [{ port: 80 }] } };
    await stage.create(Service, inTheWay);
    const { rows, problems } = await look([memcached, configMapSync]).finally(() =>
      stage.admin.delete(Service, target('other-service')),
    );
    expect(rows.map(({ child }) => child)).not.toContain('Service/default/other-service');
    expect(problems).toEqual([
      expect.stringMatching(/^Memcached\/default\/other: Service\/default\/other-service is not ours: it exists/),
      expect.stringMatching(/: the API server does not serve configmapsyncs\.\S+ in v1/),
    ]);
  });

  it('claims nothing of what it could not look at', async () => {
    author.write('wide.ts', wide);
    const program = drift('--entry', 'wide.ts');
    expect(await program.exited).toBe(2);
    expect(program.output).toMatch(
      /^not looked at: wide: the API server does not serve .*\nno drift in what was looked at\n$/,
    );
  });

  it('watches until it is interrupted where there is nothing to watch', async () => {
    author.write('wide.ts', wide);
    const program = drift('--watch', '-n', 'default', '--entry', 'wide.ts');
    await program.shows('no drift');
    expect(await program.interrupt()).toBe(0);
  });

  /** A kubeconfig of an account that may do no more than that in the namespace that is looked at. */
  const allowed = async (account: string, verbs: string) => {
    const resources = '--resource=deployments,services,pods,memcacheds';
    await plane().kubectl(['create', 'role', account, '-n', 'default', `--verb=${verbs}`, resources]);
    const binding = ['create', 'rolebinding', account, '-n', 'default', `--role=${account}`];
    await plane().kubectl([...binding, `--serviceaccount=default:${account}`]);
    const kubeconfig = await plane().serviceAccountKubeconfig('default', account);
    await eventually(async () => {
      const program = drift('-n', 'default', '--kubeconfig', kubeconfig);
      expect({ exitCode: await program.exited, output: program.output }).toMatchObject({ exitCode: 1 });
    });
    return kubeconfig;
  };

  it('needs to read, in the namespace that is looked at, and nothing else', async () => {
    const kubeconfig = await allowed('reader', 'get,list,watch');
    await scale(5);
    const program = drift('--watch', '-n', 'default', '--kubeconfig', kubeconfig);
    await program.shows(/ 5 +somebody/);
    await scale(6);
    await program.shows(/ 6 +somebody/);
    expect(await program.interrupt()).toBe(1);
  });

  it('does not list without end where watches are refused', async () => {
    const proxy = await FaultProxy.start(plane());
    try {
      const busy = refusal(429, 'TooManyRequests', { retryAfterSeconds: 1 });
      proxy.on({ watch: true, times: Number.POSITIVE_INFINITY }, busy);
      author.write('by-proxy', proxy.kubeconfig(await plane().serviceAccountToken('default', 'reader')));
      const program = drift('--watch', '-n', 'default', '--kubeconfig', 'by-proxy');
      const lists = () => proxy.seen({ path: '/deployments?', watch: false });
      await eventually(() => expect(lists().length).toBe(2), 30);
      const [first, second] = lists().map(({ arrivedAt }) => arrivedAt);
      expect(second! - first!).toBeGreaterThan(4900);
      await program.interrupt();
    } finally {
      await proxy.close();
    }
  });

  it('says so where it may look, and not watch', async () => {
    const program = drift('--watch', '-n', 'default', '--kubeconfig', await allowed('looker', 'get,list'));
    expect(await program.exited).toBe(2);
    expect(program.output).toMatch(/cannot watch resource/);
  });

  describe('ends with 2', () => {
    it.each<[string, readonly string[], RegExp]>([
      ['a kind that there is not', ['nothing/cache'], /the cluster has no kind of custom resource "nothing"/],
      ['a kind without an operator', ['deployments/cache'], /no operator has the kind Deployment/],
      ['an object that there is not', ['mc/nobody'], /default\/nobody is not there.*: give its namespace with -n/s],
      ['a module that there is not', ['--entry', 'src/nothing.ts'], /there is no .*src\/nothing\.ts/],
      ['a format that there is not', ['-o', 'xml'], /Allowed choices are table, json, yaml/],
    ])('of %s', async (_, args, message) => {
      const program = drift(...args);
      expect(await program.exited).toBe(2);
      expect(program.output).toMatch(message);
    });

    it('of what may not be read, and of a module that cannot be loaded', async () => {
      const kubeconfig = await plane().serviceAccountKubeconfig('default', 'nobody');
      const forbidden = drift('--kubeconfig', kubeconfig);
      expect(await forbidden.exited).toBe(2);
      expect(forbidden.output).toMatch(/cannot list resource "memcacheds"/);

      author.write('broken.ts', 'throw new Error("it is broken");\n');
      const broken = drift('--entry', 'broken.ts');
      expect(await broken.exited).toBe(2);
      expect(broken.output).toMatch(/it is broken\n +at .*broken\.ts:1:7/);

      // What nobody awaits in it is no drift, either.
      author.write('stray.ts', `${wide}void Promise.reject(new Error('nobody hears it'));\n`);
      const stray = drift('--entry', 'stray.ts');
      expect(await stray.exited).toBe(2);
      expect(stray.output).toMatch(/nobody hears it/);
    });
  });

  it('ends though a module has something open', async () => {
    author.write('open.ts', `export * from './src/operators/all.js';\nsetInterval(() => {}, 1000);\n`);
    expect(await drift('--entry', 'open.ts', 'mc/cache').exited).toBeLessThan(2);
  });
});
