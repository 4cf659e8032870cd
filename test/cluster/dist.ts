import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Manifest } from '../../src/kube/manifest.js';
import type { ControlPlane } from './control-plane.js';
import { packageRoot } from './package-root.js';
import { untilServed } from './until-served.js';

export interface RenderedManifest {
  readonly manifest: Manifest;
  readonly wave: number;
  readonly isSample: boolean;
  /** The operator whose install it is part of, such as `memcached-operator`; or `samples`. */
  readonly folder: string;
}

export const memcachedOperator = 'memcached-operator';

/** What a rendered folder holds, as Argo CD reads it: everything but what kustomize alone is for. */
export function readDist(folder = join(packageRoot, 'dist')): RenderedManifest[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const manifest = parse(readFileSync(join(folder, file), 'utf8')) as Manifest;
      const [part = ''] = file.split(sep);
      return {
        manifest,
        wave: Number(manifest.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0),
        isSample: part === 'samples',
        folder: part,
      };
    });
}

/** The Deployment that runs an operator. */
export function operatorDeployment(rendered: readonly RenderedManifest[], operator = memcachedOperator): Manifest {
  const found = rendered.find(({ manifest, folder }) => manifest.kind === 'Deployment' && folder === operator);
  if (!found) throw new Error(`dist/ holds no Deployment of ${operator} among its ${rendered.length} files`);
  return found.manifest;
}

/** The account that the rendered Deployment runs as. */
export function serviceAccountOf(deployment: Manifest): { readonly namespace: string; readonly name: string } {
  const { spec } = deployment as Manifest & { spec: { template: { spec: { serviceAccountName: string } } } };
  return { namespace: deployment.metadata.namespace ?? 'default', name: spec.template.spec.serviceAccountName };
}

/** The container that the rendered Deployment runs, as far as tests look at it. */
export interface RenderedContainer {
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly limits: { readonly memory: string } };
}

export function containerOf(deployment: Manifest): RenderedContainer {
  const { spec } = deployment as Manifest & {
    spec: { template: { spec: { containers: readonly [RenderedContainer] } } };
  };
  return spec.template.spec.containers[0];
}

/** By wave, in the order in which they are applied; deletion goes the other way. */
export function inWaves(manifests: readonly RenderedManifest[]): readonly (readonly Manifest[])[] {
  const waves = [...new Set(manifests.map(({ wave }) => wave))].sort((a, b) => a - b);
  return waves.map((wave) => manifests.filter((each) => each.wave === wave).map(({ manifest }) => manifest));
}

/** Applies wave after wave, smaller first. A wave begins when the last is healthy. */
export async function applyInWaves(
  plane: ControlPlane,
  manifests: readonly RenderedManifest[],
  flags: readonly string[] = ['--server-side'],
): Promise<void> {
  for (const wave of inWaves(manifests)) {
    await plane.kubectl(['apply', ...flags, '-f', '-'], {
      stdin: wave.map((manifest) => stringify(manifest)).join('---\n'),
    });
    for (const { kind, metadata } of wave) {
      if (kind === 'CustomResourceDefinition') await untilServed(plane, metadata.name);
    }
  }
}
