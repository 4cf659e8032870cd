import type { ObjectList } from '../../client/cluster.js';
import type { Inputs, Many, One, Optional, Read } from '../../compose/reads.js';
import { type ApiResource, groupKindOf } from '../../kube/api-resource.js';
import { isDns1123Label } from '../../kube/dns-names.js';
import { TerminalError } from '../../kube/errors.js';
import { withName } from '../../kube/field-selector.js';
import { labelSelector } from '../../kube/label-selector.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import { labelProblems } from '../informer/label-problems.js';
import type { ListSelection } from '../informer/list-selection.js';
import { compareVersions } from '../informer/store.js';

/** What of a kind is read: one object by its name, or all with the labels. Absent namespace: all of them. */
export interface Selection {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** All objects of a kind that the API server has now and that are selected, and the version as of which that is so. */
export type ListLive = (resource: ApiResource, selection: ListSelection) => Promise<ObjectList>;

/** What the API server had of what is selected as it was asked. */
export interface Live {
  readonly input: Inputs[string];
  /** Of what was made or changed later, every version is newer. Empty where that is not known. */
  readonly version: string;
}

/**
 * What `read` selects for `cr`, or undefined where it selects nothing. Throws what the author's selection throws, and
 * `TerminalError` where it selects and does not say what, or where.
 */
export function selectionOf(name: string, read: Read, cr: KubeObject): Selection | undefined {
  const { type, resource } = read;
  const selected: Optional<One | Many> = read.select(cr as never);
  if (!selected) return undefined;
  const { name: only, labels } = selected as Partial<One & Many>;
  if (type === 'one' && (typeof only !== 'string' || only === '')) {
    throw new TerminalError(`${show(refOf(cr))} reads "${name}", one ${resource.kind}, and does not say which`, {
      hint: 'select gives its name, or undefined where there is none to read',
    });
  }
  // A misspelt one, such as matchLabels, must not select all there are.
  if (type === 'many' && !isLabels(labels)) {
    throw new TerminalError(
      `${show(refOf(cr))} reads "${name}", many ${resource.kind}, and does not say by which labels`,
      {
        hint: "select gives { labels: { name: 'value' } }, labels: {} for all, or undefined where there are none to read",
      },
    );
  }
  const namespace = resource.namespaced ? (selected.namespace ?? cr.metadata.namespace) : undefined;
  if (type === 'one' && resource.namespaced && namespace === undefined) {
    throw new TerminalError(
      `${show(refOf(cr))} reads "${name}", one ${resource.kind}, and does not say in which namespace`,
      {
        hint: `${cr.kind} is cluster-scoped and has no namespace to pass on: select gives it with the name`,
      },
    );
  }
  return { labels: {}, ...selected, kind: groupKindOf(resource), namespace };
}

/** What `selection` selects that the API server has now, which `list` asks. */
export async function liveOf(read: Read, selection: Selection, list: ListLive): Promise<Live> {
  const { namespace, name: only, labels } = selection;
  if (!isPossible(selection)) return { input: read.type === 'one' ? undefined : [], version: '' };
  const selector = labelSelector(labels);
  const { items, resourceVersion } = await list(read.resource, {
    ...(namespace === undefined ? {} : { namespace }),
    ...(only === undefined ? {} : { fieldSelector: withName(only) }),
    ...(selector === '' ? {} : { labelSelector: selector }),
  });
  const found = items.filter((object) => selects(selection, object)).sort(byName);
  return { input: read.type === 'one' ? found[0] : found, version: resourceVersion };
}

/** True for an object that `selection` selects. */
export function selects({ kind, namespace, name, labels }: Selection, object: KubeObject): boolean {
  const { metadata } = object;
  return (
    kind === groupKindOf(object) &&
    (namespace === undefined || namespace === metadata.namespace) &&
    (name === undefined || name === metadata.name) &&
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)
  );
}

/** True where `stored` is what was `live`, or what became of that: what changes all the time is never the same. */
export function isAsNew(stored: Inputs[string], { input, version: asked }: Live): boolean {
  const [has, had] = [stored, input].map(objectsIn);
  const known = new Map(has?.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
  const isKnown = had?.every(({ metadata: { uid, resourceVersion } }) => {
    const version = known.get(uid);
    known.delete(uid);
    return version !== undefined && compareVersions(version, resourceVersion) >= 0;
  });
  // What is left was made since, or changed so that it is selected, or has gone unseen.
  return (
    isKnown === true && [...known.values()].every((version) => asked !== '' && compareVersions(version, asked) > 0)
  );
}

/** Another text for objects of other versions, or of other names in another order. */
export function versionsIn(input: Inputs[string]): string {
  return JSON.stringify(objectsIn(input).map(({ metadata: { uid, resourceVersion } }) => [uid, resourceVersion]));
}

function objectsIn(input: Inputs[string]): readonly KubeObject[] {
  return [input].flat().flatMap((object) => (object as KubeObject | undefined) ?? []);
}

/** In the order of names, and of namespaces where these are the same. */
export function byName({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  if (a.name === b.name) return (a.namespace ?? '') < (b.namespace ?? '') ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function isLabels(labels: unknown): boolean {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return false;
  return Object.values(labels).every((value) => typeof value === 'string');
}

type Label = readonly [key: string, value: string];

/** False where no object can be selected, and the API server would refuse to look: namespace and labels may be what somebody wrote. */
function isPossible({ namespace, labels }: Selection): boolean {
  const isLabel = (label: Label) => labelProblems(label).length === 0;
  return (namespace === undefined || isDns1123Label(namespace)) && Object.entries(labels).every(isLabel);
}
