import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { waveIn } from '../../src/gitops/argo.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { show } from '../../src/kube/object-ref.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { untilServed } from '../cluster/until-served.js';
import { podOf, rightsOf } from './observed.js';
import { readManifests } from './read-manifests.js';

const dist = join(import.meta.dirname, '../../dist');
const shown = ({ kind, metadata }: Manifest) => show({ kind, ...metadata });

onRealCluster('the committed dist on a real API server', {}, (plane) => {
  const manifests = [...readManifests(dist)].sort((a, b) => waveIn(a) - waveIn(b));
  const waves = [...new Set(manifests.map(waveIn))];

  it('is accepted whole, wave by wave and with strict validation, as Argo CD applies it', async () => {
    for (const wave of waves) {
      const items = manifests.filter((manifest) => waveIn(manifest) === wave);
      const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      await plane().kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], { stdin });
      for (const { kind, metadata } of items) {
        if (kind === 'CustomResourceDefinition') await untilServed(plane(), metadata.name);
      }
    }
    expect(waves).toEqual([-20, -10, -5, -3, 0, 5]);
  });

  it('is what the server then has, to the letter, so that no diff shows what nobody changed', async () => {
    const differences: string[] = [];
    for (const manifest of manifests) {
      const { name, namespace = 'default' } = manifest.metadata;
      const { stdout } = await plane().kubectl(['get', manifest.kind, name, '-n', namespace, '-o', 'json']);
      differences.push(...lost(manifest, JSON.parse(stdout), shown(manifest)));
    }
    expect(differences).toEqual([]);
  });

  it.each([
    ['operators', dist],
    ['samples', join(dist, 'samples')],
  ])('is accepted as kustomizations: %s', async (_, folder) => {
    const { stdout } = await plane().kubectl(['apply', '--server-side', '--validate=strict', '-k', folder]);
    expect(stdout).toContain('serverside-applied');
  });

  it('has only operators whose pods Pod Security admits', async () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.length).toBeGreaterThan(0);
    for (const { metadata } of deployments) {
      const pod = await podOf(plane(), metadata.namespace!, metadata.name);
      await plane().kubectl(['create', '--dry-run=server', '-f', '-'], { stdin: JSON.stringify(pod) });
    }
  });

  it('gives no operator a right by wildcard, to Secrets, or to its own rights', async () => {
    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
    for (const { metadata } of accounts) {
      const user = `system:serviceaccount:${metadata.namespace}:${metadata.name}`;
      const rights = await rightsOf(plane(), user, metadata.namespace!);
      expect(rights).not.toEqual([]);
      expect(rights.filter((right) => /\*|secrets|rbac\.authorization|serviceaccounts/.test(right))).toEqual([]);
    }
  });
});

/** Where `live` has another value than `wanted`, or none. */
function lost(wanted: unknown, live: unknown, path: string): readonly string[] {
  if (typeof wanted !== 'object' || wanted === null) {
    return Object.is(wanted, live) ? [] : [`${path}: ${JSON.stringify(wanted)} became ${JSON.stringify(live)}`];
  }
  if (Array.isArray(wanted) && (!Array.isArray(live) || live.length !== wanted.length)) {
    return [`${path}: ${wanted.length} items became ${JSON.stringify(live)}`];
  }
  const liveFields = (live ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).flatMap(([key, value]) => lost(value, liveFields[key], `${path}.${key}`));
}
