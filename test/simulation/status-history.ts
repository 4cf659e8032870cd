import type { Condition } from '../../src/kube/condition.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';

/** Each is said of what was tried, and not of how a child is. */
const reasonsOfFailure =
  /^(ApplyFailed|ApplyConflict|PruneFailed|RenderFailed|RBACDenied|Timeout|ConsentMissing|ImmutableField|ExternalFailed|KindNotServed|Deleting)$/;

interface Said {
  readonly fields: string;
  /** Undefined where it tells of a failure. */
  readonly ready: string | undefined;
  /** By object, the latest version that a status followed from. */
  readonly versions: ReadonlyMap<string, number>;
}

/** What the statuses of custom resources followed from: whoever comes to lead says nothing by what was before that. */
export class StatusHistory {
  /** By writer and custom resource, the objects that its author's code was shown for what is said next. */
  readonly #shown = new Map<string, ReadonlyMap<string, number>>();
  /** By uid of custom resources. */
  readonly #said = new Map<string, Said>();

  /** A round begins: what is said before the author's code is asked follows from nothing that it was shown. */
  composed(by: string, { metadata }: KubeObject): void {
    this.#shown.delete(`${by} ${metadata.uid}`);
  }

  /** The author's code was asked for a status, and shown these. */
  shown(by: string, { metadata }: KubeObject, objects: readonly KubeObject[]): void {
    const versions = objects.map((each) => [show(refOf(each)), Number(each.metadata.resourceVersion)] as const);
    this.#shown.set(`${by} ${metadata.uid}`, new Map(versions));
  }

  /** An object of which `cr` says something otherwise, by an older state than was gone by before. */
  wrote(by: string, cr: KubeObject): string | undefined {
    const { uid } = cr.metadata;
    const versions = this.#shown.get(`${by} ${uid}`);
    if (!versions) return undefined;
    const last = this.#said.get(uid);
    const { conditions = [], observedGeneration: _, lastHandledReconcileAt: __, ...fields } = statusOf(cr);
    const ready = conditions.find(({ type }) => type === 'Ready');
    const now = {
      fields: JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))),
      ready: reasonsOfFailure.test(ready?.reason ?? '') ? undefined : ready?.status,
    };
    const latest = new Map(last?.versions);
    for (const [name, version] of versions) latest.set(name, Math.max(version, latest.get(name) ?? 0));
    this.#said.set(uid, { ...now, versions: latest });
    if (!last) return undefined;
    const isOther =
      now.fields !== last.fields || (now.ready !== undefined && last.ready !== undefined && now.ready !== last.ready);
    return isOther ? [...versions].find(([name, version]) => version < latest.get(name)!)?.[0] : undefined;
  }
}

function statusOf(cr: KubeObject): Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] } {
  return (cr as { status?: { readonly conditions?: readonly Condition[] } }).status ?? {};
}
