import { afterEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, optional, type Props, s, TypedObject } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certs.certs.example.com' },
  spec: {
    group: 'certs.example.com',
    scope: 'Namespaced',
    names: { kind: 'Cert', plural: 'certs', singular: 'cert', listKind: 'CertList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
/** As `kilter import crd` makes it of a definition with a column of the condition. */
class Cert extends TypedObject<object> {
  static readonly apiVersion = 'certs.example.com/v1';
  static readonly kind = 'Cert';
  static readonly plural = 'certs';
  static readonly namespaced = true;
  static readonly saysReady = true;

  constructor(scope: ConstructorParameters<typeof ConfigMap>[0], id: string, props: Props<object> = {}) {
    super(scope, id, Cert, props);
  }
}

const Site = customResource({ group: 'sites.example.com', version: 'v1', kind: 'Site', spec: s.object({}) });
const compose = (scope: ConstructorParameters<typeof ConfigMap>[0]) => {
  new ConfigMap(scope, 'page', { data: {} }).node.addDependency(new Cert(scope, 'cert'));
};

let cluster: TestCluster;
afterEach(() => cluster.stop());

it.each([
  ['owned', Cert],
  ['owned where it is served', optional(Cert)],
])(
  'keeps whoever depends on it waiting until its controller has said that it is ready, of a kind that is %s',
  async (_, owned) => {
    cluster = await startCluster();
    await cluster.install(definition);
    await cluster.run(operator(Site, { owns: [owned, ConfigMap], compose }));
    await cluster.apply({ apiVersion: Site.apiVersion, kind: Site.kind, metadata: { name: 'a' }, spec: {} });
    await cluster.settled();
    expect(await cluster.find(ConfigMap, 'a-page')).toBeUndefined();
    expect(conditionIn(await cluster.get(Site, 'a'))).toMatchObject({
      reason: 'DependencyNotReady',
      message: 'ConfigMap/default/a-page waits: Cert/default/a-cert does not say yet that it is ready',
    });

    const conditions = [{ type: 'Ready', status: 'True' }];
    await cluster.patch(Cert, 'a-cert', { status: { conditions } }, { subresource: 'status' });
    await cluster.settled();
    expect(await cluster.find(ConfigMap, 'a-page')).toBeDefined();
  },
);
