import type { JsonMap, Operation } from '../operation.js';
import { apiVersionOf, type KindGrammar } from './kind-grammar.js';

/** Label selectors that traces use, each with labels that it selects. */
export const labelSelectors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'app=a': { app: 'a' },
  'app==b': { app: 'b' },
  'app!=a': { app: 'b' },
  'app in (a,b)': { app: 'a' },
  'app notin (b)': {},
  tier: { tier: 'web' },
  '!tier': {},
  'app=a,tier in (web)': { app: 'a', tier: 'web' },
  'app=a,!tier': { app: 'a' },
};

export const badLabelSelectors = [
  'app in',
  '=a',
  'app in (a',
  'a b',
  '-x=1',
  'app=a b',
  'app=a,,b',
  'x/y/z=1',
  'app>1,b',
];

export const badFieldSelectors = [
  'spec.nothing=1',
  'metadata.name',
  'metadata.labels.app=a',
  'metadata.name=a,status.x!=1',
];

/** An object that the selectors of a watch, with all symbols replaced, let through. */
export function sentinelOf(grammar: KindGrammar, { id, query }: Operation, prefix: string): JsonMap {
  const own = (query?.['labelSelector'] ?? '')
    .split(/,(?![^(]*\))/)
    .filter((part) => part !== `trace=${prefix}`)
    .join(',');
  const named = /metadata\.name=([^,]+)/.exec(query?.['fieldSelector'] ?? '')?.[1];
  const name = named ?? (grammar.namespaced ? `zz-sentinel-${id}` : `${prefix}-zz-sentinel-${id}`);
  return {
    ...(grammar.bases[0] as JsonMap),
    apiVersion: apiVersionOf(grammar),
    kind: grammar.kind,
    metadata: { name, labels: { trace: prefix, ...labelSelectors[own] } },
  };
}
