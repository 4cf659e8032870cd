import { syncOptions } from '../../src/gitops/argo.js';
import { groupOf } from '../../src/kube/api-resource.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { show } from '../../src/kube/object-ref.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { applyInWaves, inWaves, type RenderedManifest } from '../cluster/dist.js';

/** By which Argo CD knows what is its own: the first by default, the second where it tracks by labels. */
const trackingId = 'argocd.argoproj.io/tracking-id';
const instance = 'app.kubernetes.io/instance';

/**
 * What Argo CD does to a cluster for one Application, in its order: waves, tracking, pruning and deletion.
 *
 * https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 */
export class Application {
  readonly #tracked: readonly RenderedManifest[];

  constructor(
    private readonly plane: ControlPlane,
    private readonly name: string,
    rendered: readonly RenderedManifest[],
  ) {
    this.#tracked = rendered.map((each) => ({ ...each, manifest: this.#marked(each.manifest) }));
  }

  /** Applies wave after wave. */
  sync(): Promise<void> {
    return applyInWaves(this.plane, this.#tracked, asArgo);
  }

  /** What differs from Git, as the API server sees it; empty when it is synced. */
  async difference(): Promise<string> {
    const args = ['diff', ...asArgo, '-f', '-'];
    const stdin = listOf(this.#tracked.map(({ manifest }) => manifest));
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
    for (const wave of inWaves(this.#tracked).toReversed()) {
      const doomed = wave.filter(({ metadata }) => !metadata.annotations?.[syncOptions]?.includes('Delete=confirm'));
      if (doomed.length === 0) continue;
      await this.plane.kubectl(['delete', '--ignore-not-found', '--timeout=60s', '-f', '-'], { stdin: listOf(doomed) });
      for (const manifest of doomed) await gone(manifest);
    }
  }

  #marked(manifest: Manifest): Manifest {
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
