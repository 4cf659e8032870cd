import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'cdk8s';
import { ConfigMap } from '../../imports/k8s.js';
import { waveIn } from '../../src/gitops/argo.js';
import { render } from '../../src/gitops/render.js';
import { writeFiles } from '../../src/gitops/write-files.js';
import { operator } from '../../src/index.js';
import { OperatorInstall } from '../../src/install/operator-install.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { bundledProgram } from '../bundled-program.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { packageRoot } from '../cluster/package-root.js';
import { readManifests } from '../install/read-manifests.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { Cache } from '../resource/a-kind-of-versions.js';
import { RunningProgram } from '../running-program.js';

/** Where the controller of the webhooks lives. */
export const home = 'cache-system';

export const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Cache as the API server has it in `version`. */
export const cacheIn = (version: string): ApiResource => ({
  apiVersion: `${Cache.group}/${version}`,
  kind: 'Cache',
  plural: Cache.plural,
  namespaced: true,
});

/** The operators of Cache and Vault, installed as they are rendered, and their program, which is started as often as a test likes. */
export class InstalledWebhooks {
  readonly #programs: RunningProgram[] = [];

  private constructor(
    readonly folder: string,
    /** Of the account that the install made. */
    readonly kubeconfig: string,
  ) {}

  static async on({ kubectl, serviceAccountKubeconfig }: ControlPlane): Promise<InstalledWebhooks> {
    // Within the package, since what the bundle loads late is not in it.
    const folder = mkdtempSync(join(packageRoot, 'build/webhooks-'));
    const app = new App();
    const cache = operator(Cache, { owns: [ConfigMap], compose() {} });
    const vault = operator(Vault, { owns: [], compose() {} });
    new OperatorInstall(app, 'cache', { operators: [cache, vault], image: 'cache:1' });
    writeFiles(join(folder, 'dist'), render(app));
    const manifests = [...readManifests(join(folder, 'dist'))].sort((a, b) => waveIn(a) - waveIn(b));
    for (const wave of new Set(manifests.map(waveIn))) {
      const items = manifests.filter((each) => waveIn(each) === wave);
      const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      await kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], { stdin });
    }
    const kubeconfig = await serviceAccountKubeconfig(home, 'cache');
    await bundledProgram('test/webhooks/webhook-program.ts', folder);
    return new InstalledWebhooks(folder, kubeconfig);
  }

  /** A replica. A flag that is said twice is as it is said last. */
  start(podName: string, flags: readonly string[]): RunningProgram {
    const own = [`--kubeconfig=${this.kubeconfig}`, '--health-probe-bind-address=0', '--metrics-bind-address=0'];
    const led = ['--leader-elect', '--leader-election-id=cache'];
    const program = new RunningProgram(
      process.execPath,
      [join(this.folder, 'webhook-program.mjs'), ...own, ...led, ...flags],
      { cwd: this.folder, env: { POD_NAME: podName, POD_NAMESPACE: home } },
    );
    this.#programs.push(program);
    return program;
  }

  async endAll(): Promise<void> {
    for (const program of this.#programs.splice(0)) await program.kill();
  }

  async remove(): Promise<void> {
    await this.endAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
