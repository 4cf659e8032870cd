import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { builtInKinds } from '../../src/embedded/built-in/built-in-kinds.js';
import { forArgo, syncOptions } from '../../src/gitops/argo.js';
import { waveOf } from '../../src/gitops/waves.js';
import { groupOf } from '../../src/kube/api-resource.js';
import { Memcached } from '../../src/operators/memcached.js';
import { packageRoot } from '../cluster/package-root.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

interface Application {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly source: { readonly path: string };
    readonly destination: { readonly namespace: string };
    readonly syncPolicy: { readonly syncOptions: readonly string[] };
  };
}

describe('the page about Argo CD', () => {
  const page = read('docs/argo-cd.md');
  const [application, settings] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text)) as [
    Application,
    { readonly data: Readonly<Record<string, string>> },
  ];

  it('shows an Application of a folder that is rendered, in the namespace that is rendered with it', () => {
    const { source, destination, syncPolicy } = application.spec;
    expect(existsSync(join(packageRoot, source.path, `namespace-${destination.namespace}.yaml`))).toBe(true);
    expect(syncPolicy.syncOptions).toEqual(['ServerSideApply=true']);
    expect(application.metadata.annotations).toEqual({ 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' });
  });

  it('has the waves as they are rendered', () => {
    const [, table = ''] = /<!-- waves -->([\s\S]*)<!-- \/waves -->/.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| (-?\d+) \| (.*) \|$/gm)].map(([, wave, kinds = '']) => [
      wave,
      kinds.split(', '),
    ]);
    const told = new Map(rows.flatMap(([wave, kinds]) => (kinds as string[]).map((kind) => [kind, Number(wave)])));
    const monitors = ['ServiceMonitor', 'PodMonitor'].map((kind) => ({ kind, apiVersion: 'monitoring.coreos.com/v1' }));
    const secrets = ['Issuer', 'ClusterIssuer', 'Certificate'].map((kind) => ({
      kind,
      apiVersion: 'cert-manager.io/v1',
    }));
    const builtIn = builtInKinds().map(({ group, version, kind }) => ({
      kind,
      apiVersion: `${group && `${group}/`}${version}`,
    }));
    const kinds = [...builtIn, ...monitors, ...secrets].filter((kind) => waveOf(kind) !== 0);
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter((each) => told.get(each.kind) !== waveOf(each)).map(({ kind }) => kind)).toEqual([]);
    expect(told.get('custom resources')).toBe(waveOf(Memcached));
  });

  it('names the options that are rendered', () => {
    const option = (manifest: Parameters<typeof forArgo>[0]) =>
      forArgo(manifest).metadata.annotations?.[syncOptions]?.split(',') ?? [];
    const { apiVersion, kind } = Memcached;
    const rendered = [...option(Memcached.crd()), ...option({ apiVersion, kind, metadata: { name: 'a' } })];
    expect(rendered).toHaveLength(4);
    expect(rendered.filter((each) => !page.includes(`\`${each}\``))).toEqual([]);
  });

  it('judges the health of a kind that there is', () => {
    const key = `resource.customizations.health.${groupOf(Memcached.apiVersion)}_${Memcached.kind}`;
    expect(Object.keys(settings.data)).toEqual([key]);
  });

  it('is where one looks for it', () => {
    expect(read('README.md')).toContain('(docs/argo-cd.md)');
  });
});
