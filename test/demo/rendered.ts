import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import type { Manifest } from '../../src/kube/manifest.js';
import type { ControlPlane } from '../cluster/control-plane.js';

export interface RenderedManifest {
  readonly manifest: Manifest;
  readonly wave: number;
  readonly isSample: boolean;
}

/** What `dist/` holds. */
export interface Rendered {
  readonly files: number;
  readonly manifests: readonly RenderedManifest[];
  /** The Deployment that runs the operator. */
  readonly operatorDeployment: Manifest;
}

const root = join(import.meta.dirname, '../../..');

/** Renders `dist/` with the entry that `cdk8s synth` runs, and reads it back as Argo CD would. */
export async function renderDist(): Promise<Rendered> {
  await promisify(execFile)(process.execPath, [join(root, 'build/src/main.js')], { cwd: root });

  const folder = join(root, 'dist');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
    .map((file) => join(folder, file))
    .sort();
  const manifests = files.map((file): RenderedManifest => {
    const manifest: Manifest = parse(readFileSync(file, 'utf8'));
    return {
      manifest,
      wave: Number(manifest.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0),
      isSample: relative(folder, file).startsWith('samples'),
    };
  });
  const operatorDeployment = manifests.find(({ manifest }) => manifest.kind === 'Deployment')?.manifest;
  if (!operatorDeployment) throw new Error(`dist/ holds no Deployment of the operator among its ${files.length} files`);
  return { files: files.length, manifests, operatorDeployment };
}

/** Applies wave after wave, smaller first, and returns how many there were. A wave begins when the last is healthy. */
export async function applyInWaves(
  plane: ControlPlane,
  manifests: readonly RenderedManifest[],
  progress: (line: string) => void,
): Promise<number> {
  const waves = [...new Set(manifests.map(({ wave }) => wave))].sort((a, b) => a - b);
  for (const wave of waves) {
    const inWave = manifests.filter((each) => each.wave === wave).map(({ manifest }) => manifest);
    progress(`wave ${wave}: ${inWave.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(', ')}`);
    const stdin = inWave.map((manifest) => stringify(manifest)).join('---\n');
    await plane.kubectl(['apply', '--server-side', '-f', '-'], { stdin });
    for (const { kind, metadata } of inWave) {
      if (kind !== 'CustomResourceDefinition') continue;
      await plane.kubectl(['wait', '--for=condition=Established', `crd/${metadata.name}`, '--timeout=30s']);
    }
  }
  return waves.length;
}
