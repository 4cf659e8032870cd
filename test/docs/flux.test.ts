import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Memcached } from '../../src/operators/memcached.js';
import { policyExpression } from '../../src/schema/cel/policy-expression.js';
import { readDist } from '../cluster/dist.js';
import { packageRoot } from '../cluster/package-root.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

interface Kustomization {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly path: string;
    readonly dependsOn?: readonly { readonly name: string }[];
    readonly healthCheckExprs?: readonly [Readonly<Record<'apiVersion' | 'kind' | Verdict, string>>];
  };
}
type Verdict = 'inProgress' | 'failed' | 'current';

/** As Flux asks: the first that is true counts, and where one cannot be told it waits. */
function verdictOf(checks: Readonly<Record<Verdict, string>>, object: unknown): Verdict | 'waits' {
  for (const verdict of ['inProgress', 'failed', 'current'] as const) {
    const expression = policyExpression(checks[verdict].replaceAll(/\b(status|metadata)\./g, 'object.$1.'));
    if (expression.state !== 'known') throw new Error(JSON.stringify(expression));
    try {
      if (expression.holds({ object, oldObject: null, request: {} })) return verdict;
    } catch {
      return 'waits';
    }
  }
  return 'waits';
}

describe('the page about Flux', () => {
  const page = read('docs/flux.md');
  const [install, caches] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text)) as [
    Kustomization,
    Kustomization,
  ];

  it('shows a Kustomization of a folder that is rendered, and one that waits for it', () => {
    expect(existsSync(join(packageRoot, install.spec.path, 'Kustomization'))).toBe(true);
    expect(caches.spec.dependsOn).toEqual([{ name: install.metadata.name }]);
  });

  it('names the annotation with which each definition is rendered', () => {
    const [, name = '', value] = /`(kustomize\.toolkit\.fluxcd\.io\/prune): (\w+)`/.exec(page) ?? [];
    const definitions = readDist().filter(({ manifest }) => manifest.kind === 'CustomResourceDefinition');
    expect(definitions.length).toBeGreaterThan(5);
    expect(definitions.filter(({ manifest }) => manifest.metadata.annotations?.[name] !== value)).toEqual([]);
    expect(value).toBe('disabled');
  });

  const about = (generation: number, observedGeneration: number, ...types: string[]) => ({
    metadata: { generation },
    status: {
      observedGeneration,
      conditions: ['Ready', 'Stalled', 'Paused'].map((type) => ({
        type,
        status: types.includes(type) ? 'True' : 'False',
      })),
    },
  });

  it.each([
    ['nobody has looked at', { metadata: { generation: 1 } }, 'waits'],
    ['was looked at before it was edited', about(2, 1, 'Ready'), 'inProgress'],
    ['has all it asks for', about(2, 2, 'Ready'), 'current'],
    ['has not all of it yet', about(2, 2), 'waits'],
    ['cannot get it', about(2, 2, 'Stalled'), 'failed'],
    ['is suspended', about(2, 1, 'Paused'), 'current'],
  ])('judges a custom resource that %s', (_, object, verdict) => {
    const [checks] = caches.spec.healthCheckExprs ?? [];
    if (!checks) throw new Error('there are no expressions');
    expect([checks.apiVersion, checks.kind]).toEqual([Memcached.apiVersion, Memcached.kind]);
    expect(verdictOf(checks, object)).toBe(verdict);
  });

  it('is where one looks for it', () => {
    expect(read('README.md')).toContain('(docs/flux.md)');
  });
});
