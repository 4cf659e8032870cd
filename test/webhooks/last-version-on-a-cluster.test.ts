import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { operator } from '../../src/index.js';
import { OperatorInstall } from '../../src/install/index.js';
import { convertedBy } from '../../src/install/webhooks.js';
import { systemClock } from '../../src/kube/clock.js';
import { definitionKind } from '../../src/kube/definition-kind.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { selfSigned } from '../../src/tls/self-signed.js';
import { CaBundle } from '../../src/webhooks/ca-bundle.js';
import { conversionHolder } from '../../src/webhooks/conversion-holder.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Cache } from '../resource/a-kind-of-versions.js';

interface Definition {
  readonly spec: {
    readonly conversion: { readonly strategy: string; readonly webhook?: { readonly clientConfig: object } };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

const target = { name: `${Cache.plural}.${Cache.group}` };
const own = { namespace: 'cache-system', name: 'cache-webhook' };
const rendered = convertedBy(Cache.crd(), own) as Manifest & Definition;
const withVersions = (change: (versions: Definition['spec']['versions']) => readonly object[]) => ({
  ...rendered,
  spec: { ...rendered.spec, versions: change(rendered.spec.versions) },
});

onRealCluster('a definition from which older versions are taken away', {}, (plane) => {
  const abort = new AbortController();
  let admin: HttpCluster;
  /** As the controller of an install that serves the custom resources of one namespace, though the definition is for all. */
  let controller: HttpCluster;
  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    const cache = operator(Cache, { owns: [], compose() {} });
    const props = { operators: [cache], image: 'cache:1', watchNamespaces: ['default'] };
    const items = (new OperatorInstall(new App(), 'cache', props).toJson() as Manifest[]).filter(
      ({ kind }) => kind === 'Namespace' || kind === 'ServiceAccount' || /Role/.test(kind),
    );
    await plane().kubectl(['apply', '-f', '-'], {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    });
    controller = connect(await kubeConfig({ path: await plane().serviceAccountKubeconfig(own.namespace, 'cache') }));
  });
  afterAll(async () => {
    abort.abort(new Error('the test is over'));
    await controller?.close();
    await admin?.close();
  });

  const sync = (manifest: Manifest) =>
    admin.apply(definitionKind, manifest, { fieldManager: 'argocd-controller', force: true });
  const conversion = async () => ((await admin.get(definitionKind, target)) as unknown as Definition).spec.conversion;

  it('is accepted without its webhook, whose authority the controller wrote', async () => {
    await sync(rendered);
    const pair = selfSigned({ subject: own.name, names: [], now: Date.now(), validMilliseconds: 60_000 });
    const following = {
      cluster: controller,
      clock: systemClock,
      random: Math.random,
      log: silentLog,
      fieldManager: own.name,
    };
    const connection = { ca: pair.cert, url: undefined };
    const bundle = new CaBundle(conversionHolder(Cache, own), connection, { ...following, renew: async () => {} });
    void bundle.run(abort.signal);
    await bundle.told();
    expect((await conversion()).webhook?.clientConfig).toHaveProperty('caBundle');

    await sync(withVersions((versions) => versions.map((each) => (each.storage ? each : { ...each, served: false }))));
    await eventually(async () => expect((await conversion()).webhook?.clientConfig).not.toHaveProperty('caBundle'));
    const { conversion: _, ...spec } = withVersions((versions) => versions.filter(({ storage }) => storage)).spec;
    await sync({ ...rendered, spec } as Manifest);
    expect(await conversion()).toEqual({ strategy: 'None' });
  });
});
