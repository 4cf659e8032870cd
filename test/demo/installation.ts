import { NotFoundError } from '../../src/client/api-error.js';
import type { Target } from '../../src/client/cluster.js';
import type { HttpCluster } from '../../src/client/http-cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { OperatorError } from '../../src/kube/errors.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';
import type { RenderedManifest } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { ServedKinds } from './served-kinds.js';

const fieldManager = 'kilter-start';
const secondsUntilGivenUp = 30;

/** What was put into a cluster, to be taken out again. */
export class Installation {
  readonly #kinds: ServedKinds;
  /** In the order in which it came. */
  readonly #applied: (readonly [ApiResource, Target])[] = [];

  constructor(private readonly cluster: HttpCluster) {
    this.#kinds = new ServedKinds(cluster);
  }

  /** Throws when something of `manifests` is there already: it is somebody's. */
  async refusePresent(manifests: readonly Manifest[]): Promise<void> {
    for (const manifest of manifests) {
      const resource = await this.#kinds.find(manifest);
      if (!resource || !(await this.#isThere(resource, this.#targetOf(resource, manifest)))) continue;
      throw new OperatorError(`nothing was installed: ${show(refOf(manifest))} is there already`, {
        hint: 'this story starts without it: run it on another cluster',
      });
    }
  }

  /** Applies wave after wave, smaller first, and returns how many there were. A wave begins when the last is healthy. */
  async applyInWaves(manifests: readonly RenderedManifest[], progress: (line: string) => void): Promise<number> {
    const waves = [...new Set(manifests.map(({ wave }) => wave))].sort((a, b) => a - b);
    for (const wave of waves) {
      const inWave = manifests.filter((each) => each.wave === wave).map(({ manifest }) => manifest);
      progress(`wave ${wave}: ${inShort(inWave)}`);
      for (const manifest of inWave) await this.#apply(manifest);
      for (const manifest of inWave) if (manifest.kind === 'CustomResourceDefinition') await this.#served(manifest);
    }
    return waves.length;
  }

  /** Takes away what was applied, the last first. Of the kind `awaited`, if any, only that, and waits until it is gone. */
  async remove(awaited?: string): Promise<void> {
    const meant = this.#applied.filter(([{ kind }]) => awaited === undefined || kind === awaited).reverse();
    for (const [resource, target] of meant) {
      this.#applied.splice(
        this.#applied.findIndex(([, each]) => each === target),
        1,
      );
      await this.cluster.delete(resource, target).catch(unlessGone);
    }
    for (const [resource, target] of awaited === undefined ? [] : meant) {
      await eventually(async () => {
        if (await this.#isThere(resource, target)) throw new Error(`${resource.kind}/${target.name} is still there`);
      }, secondsUntilGivenUp);
    }
  }

  async #apply(manifest: Manifest): Promise<void> {
    // A definition that was just established may not be known to all parts of a server yet.
    const resource = await eventually(async () => {
      const found = await this.#kinds.find(manifest);
      if (!found) throw new OperatorError(`${show(refOf(manifest))} apply failed: its kind is not served`);
      return found;
    }, secondsUntilGivenUp);
    const target = this.#targetOf(resource, manifest);
    await this.cluster.apply(
      resource,
      { ...manifest, metadata: { ...manifest.metadata, ...target } },
      {
        fieldManager,
        fieldValidation: 'Strict',
        force: false,
      },
    );
    this.#applied.push([resource, target]);
  }

  async #served(definition: Manifest): Promise<void> {
    const { name } = definition.metadata;
    const resource = (await this.#kinds.find(definition)) as ApiResource;
    await eventually(async () => {
      const { status } = (await this.cluster.get(resource, { name })) as unknown as {
        status?: { conditions?: readonly { type: string; status: string }[] };
      };
      if (!status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True')) {
        throw new OperatorError(`CustomResourceDefinition/${name} is not established`);
      }
    }, secondsUntilGivenUp);
  }

  async #isThere(resource: ApiResource, target: Target): Promise<boolean> {
    try {
      await this.cluster.get(resource, target);
      return true;
    } catch (error) {
      return unlessGone(error);
    }
  }

  #targetOf({ namespaced }: ApiResource, { metadata: { name, namespace } }: Manifest): Target {
    return namespaced ? { namespace: namespace ?? this.cluster.namespace, name } : { name };
  }
}

function unlessGone(error: unknown): false {
  if (error instanceof NotFoundError) return false;
  throw error;
}

/** By name, or how many of each kind where there are more than fit on a line. */
function inShort(manifests: readonly Manifest[]): string {
  if (manifests.length <= 4) return manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(', ');
  const kinds = [...new Set(manifests.map(({ kind }) => kind))];
  return kinds.map((kind) => `${manifests.filter((each) => each.kind === kind).length} × ${kind}`).join(', ');
}
