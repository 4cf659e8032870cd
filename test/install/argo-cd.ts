import { syncOptions } from '../../src/gitops/argo.js';
import { groupOf } from '../../src/kube/api-resource.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { show } from '../../src/kube/object-ref.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import type { RenderedManifest } from '../cluster/dist.js';

/** By which Argo CD knows what is its own: the first by default, the second where it tracks by labels. */
const trackingId = 'argocd.argoproj.io/tracking-id';
const instance = 'app.kubernetes.io/instance';

/**
 * What Argo CD does to a cluster for one Application, in its order: waves, tracking, pruning and deletion.
 *
 * https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 */
export class Application {
  constructor(
    private readonly plane: ControlPlane,
    readonly name: string,
    private readonly rendered: readonly RenderedManifest[],
  ) {}

  /** Applies wave after wave. */
  async sync(): Promise<void> {
    for (const wave of this.#waves) {
      await this.#kubectl(['apply', ...asArgo], wave);
      for (const { kind, metadata } of wave) {
        if (kind !== 'CustomResourceDefinition') continue;
        await this.plane.kubectl(['wait', '--for=condition=Established', `crd/${metadata.name}`, '--timeout=30s']);
      }
    }
  }

  /** What differs from Git, as the API server sees it; empty when it is synced. */
  async difference(): Promise<string> {
    const args = ['diff', ...asArgo, '-f', '-'];
    const stdin = listOf(this.#waves.flat());
    const { stdout, stderr, exitCode } = await this.plane.kubectl(args, { stdin, allowFailure: true });
    if (exitCode > 1) throw new Error(stderr);
    return stdout;
  }

  /** Of these kinds, what says that it is this Application's. It prunes what of that is not in Git. */
  async marked(kinds: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await this.plane.kubectl(['get', kinds.join(','), '--all-namespaces', '-o', 'json']);
    const { items } = JSON.parse(stdout) as { readonly items: readonly Manifest[] };
    return items
      .filter(
        ({ metadata: { labels, annotations } }) =>
          labels?.[instance] === this.name || annotations?.[trackingId]?.startsWith(`${this.name}:`),
      )
      .map(({ kind, metadata }) => show({ kind, ...metadata }));
  }

  /**
   * Deletes wave after wave, the last first, each when the one before is gone; what asks for a person to confirm it stays.
   * `gone` is told what went.
   */
  async delete(gone: (manifest: Manifest) => Promise<void> = async () => {}): Promise<void> {
    for (const wave of this.#waves.toReversed()) {
      const doomed = wave.filter(({ metadata }) => !metadata.annotations?.[syncOptions]?.includes('Delete=confirm'));
      if (doomed.length === 0) continue;
      await this.#kubectl(['delete', '--ignore-not-found', '--timeout=60s'], doomed);
      for (const manifest of doomed) await gone(manifest);
    }
  }

  async #kubectl(args: readonly string[], manifests: readonly Manifest[]): Promise<void> {
    await this.plane.kubectl([...args, '-f', '-'], { stdin: listOf(manifests) });
  }

  /** As they are applied, the first wave first. */
  get #waves(): readonly (readonly Manifest[])[] {
    const waves = [...new Set(this.rendered.map(({ wave }) => wave))].sort((a, b) => a - b);
    return waves.map((wave) =>
      this.rendered.filter((each) => each.wave === wave).map(({ manifest }) => this.#tracked(manifest)),
    );
  }

  #tracked(manifest: Manifest): Manifest {
    const { namespace = '', name, labels, annotations } = manifest.metadata;
    const id = `${this.name}:${groupOf(manifest.apiVersion)}/${manifest.kind}:${namespace}/${name}`;
    return {
      ...manifest,
      metadata: {
        ...manifest.metadata,
        labels: { ...labels, [instance]: this.name },
        annotations: { ...annotations, [trackingId]: id },
      },
    };
  }
}

const asArgo = ['--server-side', '--force-conflicts', '--field-manager=argocd-controller'] as const;
const listOf = (items: readonly Manifest[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
