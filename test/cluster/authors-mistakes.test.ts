import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Condition } from '../../src/kube/condition.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { bundledProgram } from '../bundled-program.js';
import { RunningProgram } from '../running-program.js';
import { eventually } from './eventually.js';
import { onRealCluster } from './on-real-cluster.js';
import { packageRoot } from './package-root.js';

const mischiefs: ApiResource = {
  apiVersion: 'mischief.kilter.dev/v1',
  kind: 'Mischief',
  plural: 'mischiefs',
  namespaced: true,
};
const namespace = 'default';
const person = { fieldManager: 'a-person' };

onRealCluster("what an author's code may do wrong", {}, (plane) => {
  let admin: HttpCluster;
  let folder: string;
  let program: string;
  let controller: RunningProgram;

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    // Within the package, since what the bundle loads late is not in it.
    folder = mkdtempSync(join(packageRoot, 'build/mischief-'));
    program = await bundledProgram('test/cluster/mischief-program.ts', folder);
    const run = promisify(execFile);
    const { stdout: definition } = await run(process.execPath, [program, 'crd']);
    await plane().kubectl(['create', '-f', '-'], { stdin: definition });
    await eventually(() => admin.list(mischiefs, { namespace }));
    controller = start();
    await controller.shows('Stores are filled');
  });
  afterAll(async () => {
    await controller?.kill();
    await admin?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = () => {
    const nowhere = ['--health-probe-bind-address=0', '--metrics-bind-address=0'];
    const words = ['--kubeconfig', plane().kubeconfig, '--leader-elect', '--log-format=json', ...nowhere];
    return new RunningProgram(process.execPath, [program, ...words], { cwd: folder });
  };
  const create = (name: string, deed: string) => {
    const manifest = { apiVersion: mischiefs.apiVersion, kind: mischiefs.kind, metadata: { name, namespace } };
    return admin.create(mischiefs, { ...manifest, spec: { deed } }, person);
  };
  const conditions = async (name: string): Promise<readonly Condition[]> => {
    const cr = (await admin.get(mischiefs, { namespace, name })) as KubeObject & {
      readonly status?: { readonly conditions?: readonly Condition[] };
    };
    return cr.status?.conditions ?? [];
  };
  const becomes = (name: string, ...wanted: readonly Partial<Condition>[]) =>
    eventually(async () => {
      const present = await conditions(name);
      for (const condition of wanted) expect(present).toContainEqual(expect.objectContaining(condition));
    }, 40);
  /** The author's mistake is gone, and with it what it did. */
  const mends = async (name: string) => {
    const body = { spec: { deed: 'none' } };
    await admin.patch(mischiefs, { namespace, name }, { type: 'merge', body }, person);
    await becomes(name, { type: 'Ready', status: 'True' });
  };

  it.each([
    ['K-08', 'throws', 'a mistake of its author'],
    ['K-08', 'rejects', 'a promise in compose of Mischief/default/rejects was rejected: a mistake of its author'],
    ['K-08', 'rejects later', 'a promise in compose of Mischief/default/rejects-later was rejected'],
    [
      'K-08',
      'composes later',
      'a promise in compose of Mischief/default/composes-later was rejected: Mischief/default/composes-later is composed already',
    ],
    [
      'K-08',
      'throws what nobody can look at',
      'compose of Mischief/default/throws-what-nobody-can-look-at threw: what was thrown cannot be shown',
    ],
    [
      'K-08',
      'rejects with what nobody can look at',
      'a promise in compose of Mischief/default/rejects-with-what-nobody-can-look-at was rejected: what was thrown cannot be shown',
    ],
    ['K-08', 'throws later', 'a callback in compose of Mischief/default/throws-later threw: a mistake of its author'],
    ['K-08', 'throws much later', 'a callback in compose of Mischief/default/throws-much-later threw'],
    ['K-08', 'throws in a microtask', 'a callback in compose of Mischief/default/throws-in-a-microtask threw'],
    ['K-08', 'rejects in reads', 'a promise in reads of Mischief/default/rejects-in-reads was rejected'],
    ['K-08', 'is async', 'Mischief compose is asynchronous'],
    ['K-08', 'recurses', 'Maximum call stack size exceeded'],
    ['K-09', 'loops', 'compose of Mischief/default/loops did not end within 5 s'],
    ['K-09', 'loops in status', 'status of Mischief/default/loops-in-status did not end within 5 s'],
  ])('%s: marks the custom resource for which it %s, and nothing else', async (_, deed, message) => {
    const bad = deed.replaceAll(' ', '-');
    const good = `beside-${bad}`;
    await create(bad, deed);
    await create(good, 'none');
    const failed = { reason: 'RenderFailed', message: expect.stringContaining(message) as unknown as string };
    await becomes(good, { type: 'Ready', status: 'True' });
    await becomes(bad, { type: 'Ready', status: 'False', ...failed }, { type: 'Stalled', status: 'True', ...failed });
    // Nobody else's drift waits for it.
    await admin.delete(ConfigMap, { namespace, name: `${good}-map` });
    await eventually(() => admin.get(ConfigMap, { namespace, name: `${good}-map` }));

    await mends(bad);
    expect(await conditions(bad)).not.toContainEqual(expect.objectContaining({ type: 'Stalled', status: 'True' }));
  });

  it.each([
    ...['rejects outside', 'rejects twice outside', 'throws outside', 'throws outside in a microtask'].map(
      (deed) => [deed, 'a mistake of its author'] as const,
    ),
    ['rejects outside with what nobody can look at', 'which nobody handles: what was thrown cannot be shown'],
    ['throws itself outside', 'elsewhere cannot be brought up to date: '],
  ])('K-08: marks the custom resource for which its code %s the cluster, and nothing else', async (deed, words) => {
    const bad = deed.replaceAll(' ', '-');
    await create(bad, deed);
    const message = expect.stringContaining(words) as unknown as string;
    await becomes(bad, { type: 'Ready', status: 'False', reason: 'ExternalFailed', message });
    await mends(bad);
  });

  it.each(['takes long outside', 'waits for the system outside'])(
    'K-09: says whose code it is that %s the cluster, and where, and goes on when it ends',
    async (deed) => {
      const slow = deed.replaceAll(' ', '-');
      await create(slow, deed);
      await controller.shows(new RegExp(`"name":"${slow}".*Waits for`));
      writeFileSync(join(folder, 'told'), '');
      await becomes(slow, { type: 'Ready', status: 'True' });
      const [line, ...others] = controller.output
        .split('\n')
        .filter((each) => each.includes(`"name":"${slow}"`) && each.includes('Waits for'));
      expect(others).toEqual([]);
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        level: 'warn',
        msg: 'Waits for the code of an author',
        controller: 'mischief',
        function: 'elsewhere',
        namespace,
        place: expect.stringMatching(/^mischief-program\.m?js:\d+:\d+$/),
      });
    },
  );

  it('K-09: marks the custom resource for which it loops for what others wrote to a child', async () => {
    await create('sees', 'loops for what it sees');
    await becomes('sees', { type: 'Ready', status: 'True' });
    const map = { namespace, name: 'sees-map' };
    await admin.patch(ConfigMap, map, { type: 'merge', body: { metadata: { annotations: { loop: 'yes' } } } }, person);
    const message = 'status of Mischief/default/sees did not end within 5 s';
    const failed = { reason: 'RenderFailed', message: expect.stringContaining(message) as unknown as string };
    await becomes('sees', { type: 'Stalled', status: 'True', ...failed });
  });

  it('goes on as the same leader all the while', () => {
    expect(controller.output).not.toContain('Stopping');
    expect(controller.output).not.toContain('Lost the Lease');
    expect(controller.output.match(/Became leader/g)).toHaveLength(1);
  });

  it('K-09: keeps its Lease, however many loop or take long, also when it starts again', async () => {
    const loops = ['loop-1', 'loop-2', 'loop-3', 'loop-4'];
    const slow = ['slow-1', 'slow-2', 'slow-3', 'slow-4'];
    controller.signal('SIGTERM', controller.pid);
    await controller.exited;
    // Of a namespace in one go: those that wait behind them have their turn, too.
    for (const name of loops) await create(name, 'loops');
    for (const name of slow) await create(name, 'takes 3 s');
    await create('patient', 'none');
    for (const time of ['5 s', '1 s']) {
      controller = start();
      await controller.shows('Became leader');
      const message = `compose of Mischief/default/loop-4 did not end within ${time}`;
      await eventually(async () => {
        for (const name of loops) {
          const said = message.replace('loop-4', name);
          const failed = { type: 'Stalled', status: 'True', message: expect.stringContaining(said) as unknown };
          expect(await conditions(name)).toContainEqual(expect.objectContaining(failed));
        }
        for (const name of [...slow, 'patient']) {
          expect(await conditions(name)).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
        }
      }, 90);
      for (const name of loops) expect(waits(controller.output)).toContain(`default/${name} compose`);
      expect(controller.output).not.toContain('Lost the Lease');
      expect(controller.output.match(/Became leader/g)).toHaveLength(1);
      controller.signal('SIGTERM', controller.pid);
      expect(await controller.exited).toBe(0);
    }
  }, 240_000);

  it('K-07: ends in good order when it is told to, though what is called outside never ends and heeds no signal', async () => {
    controller.signal('SIGTERM', controller.pid);
    await controller.exited;
    controller = start();
    await controller.shows('Became leader');
    await create('endless', 'never ends outside');
    await controller.shows('waits for ever');
    controller.signal('SIGTERM', controller.pid);
    expect(await controller.exited).toBe(0);
    expect(controller.output).toContain('Released the Lease');
    await admin.delete(mischiefs, { namespace, name: 'endless' });
  });

  it("K-08: ends in good order where an error is nobody's", async () => {
    controller = start();
    await controller.shows('Became leader');
    await create('the-end', 'throws in the end');
    expect(await controller.exited).toBe(1);
    expect(controller.output).toContain('"msg":"Failed to handle an error, and stops"');
    expect(controller.output).toContain('Released the Lease');
    expect(controller.output).not.toContain('Uncaught');
  });
});

/** Whom everybody waited for, by the log. */
function waits(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => line.includes('Waited for the code of an author'));
  return lines.map((line) => {
    const { namespace, name, function: what } = JSON.parse(line) as Readonly<Record<string, string>>;
    return `${namespace}/${name} ${what}`;
  });
}
