import { expect, it } from '@jest/globals';
import { Deployment, Namespace } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Tenant = customResource({
  group: 'tenancy.example.com',
  version: 'v1',
  kind: 'Tenant',
  namespaced: false,
  spec: s.object({ tier: s.string({ default: 'gold' }) }),
});
const tier = 'tenancy.example.com/tier';
const labels = { app: 'web' };
const pods = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
};

const tenant = operator(Tenant, {
  owns: [Namespace, Deployment],
  adopt: 'orphans',
  drift: {
    rules: [
      { kind: Namespace, field: 'metadata.labels', mode: 'ignore' },
      { kind: Namespace, field: 'metadata.annotations', mode: 'ignore' },
      { kind: Namespace, field: `metadata.labels["${tier}"]`, mode: 'enforce' },
    ],
  },
  compose(scope, { spec }) {
    const metadata = { name: 'legacy', labels: { [tier]: spec.tier, extra: 'ours' } };
    new Namespace(scope, 'home', { metadata });
    new Deployment(scope, 'web', { metadata: { name: 'web', namespace: 'legacy' }, spec: pods });
  },
});

onEveryCluster('what a rule leaves to others', {}, (plane) => {
  const stage = new Stage(plane, [Tenant.crd()]);
  const apply = (object: object) => plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(object) });

  it('stays when its object is adopted, as do replicas that are not composed', async () => {
    await apply({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'legacy', labels: { team: 'x', [tier]: 'lead' } },
    });
    await plane().kubectl(['annotate', 'namespace', 'legacy', 'note=kept']);
    const metadata = { name: 'web', namespace: 'legacy' };
    await apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 5, minReadySeconds: 9, ...pods },
    });

    await stage.start([tenant]);
    const acme = { apiVersion: Tenant.apiVersion, kind: Tenant.kind, metadata: { name: 'acme' } };
    await apply({ ...acme, spec: {} });
    const settled = (value: string) =>
      eventually(async () => {
        const { metadata } = await stage.get(Namespace, 'legacy');
        expect(metadata.labels).toMatchObject({ team: 'x', [tier]: value, extra: 'ours' });
        expect(metadata.annotations).toMatchObject({ note: 'kept' });
        const { stdout } = await plane().kubectl(['get', 'deployment', 'web', '-n', 'legacy', '-o', 'json']);
        const { spec, metadata: found } = JSON.parse(stdout) as { spec: object; metadata: object };
        expect(found).toMatchObject({ ownerReferences: [{ name: 'acme' }] });
        // Two generations: as it was made, and with what was adopted.
        expect({ ...spec, ...found }).toMatchObject({ replicas: 5, generation: 2 });
        expect(spec).not.toHaveProperty('minReadySeconds');
      });
    await settled('gold');
    await apply({ ...acme, spec: { tier: 'silver' } });
    await settled('silver');
  });
});
