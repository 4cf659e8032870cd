import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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
    controller = new RunningProgram(process.execPath, [program, 'run', plane().kubeconfig], { cwd: folder });
    await controller.shows('Stores are filled');
  }, 120_000);
  afterAll(async () => {
    await controller?.kill();
    await admin?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

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

  it.each([
    ['K-08', 'throws', 'a mistake of its author'],
    ['K-08', 'rejects', 'a promise in compose of Mischief/default/rejects was rejected: a mistake of its author'],
    ['K-08', 'rejects later', 'a promise in compose of Mischief/default/rejects-later was rejected'],
    ['K-08', 'is async', 'Mischief compose is asynchronous'],
    ['K-08', 'recurses', 'Maximum call stack size exceeded'],
    ['K-09', 'loops', 'compose of Mischief/default/loops did not end within 5 s'],
    ['K-09', 'loops in status', 'status of Mischief/default/loops-in-status did not end within 5 s'],
  ])(
    '%s: marks the custom resource for which it %s, and nothing else',
    async (_, deed, message) => {
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

      await admin.patch(
        mischiefs,
        { namespace, name: bad },
        { type: 'merge', body: { spec: { deed: 'none' } } },
        person,
      );
      await becomes(bad, { type: 'Ready', status: 'True' });
      expect(await conditions(bad)).not.toContainEqual(expect.objectContaining({ type: 'Stalled', status: 'True' }));
    },
    90_000,
  );

  it('goes on as the same leader all the while', () => {
    expect(controller.output).not.toContain('Fatal');
    expect(controller.output).not.toContain('Lost the Lease');
    expect(controller.output.match(/Became leader/g)).toHaveLength(1);
  });
});
