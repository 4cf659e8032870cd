import { shortHash } from '../compose/label-value.js';
import { groupOf } from '../kube/api-resource.js';
import { DefinitionError } from '../kube/errors.js';
import type { Manifest } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

/** A manifest, and the construct that it comes from. */
export interface Sourced {
  readonly manifest: Manifest;
  readonly constructPath: string;
}

/**
 * The file of each manifest of one chart, in the order given: `<kind>-<name>.yaml`.
 *
 * The name is a function of the object, so that a file is renamed only when its object is: an object outside the chart's
 * namespace is `<kind>-<namespace>_<name>.yaml`, and what could not stand in a file name everywhere is percent-encoded.
 * Only where two groups have a kind of one name, and the objects share their name too, do both carry the group; and the capitals
 * of their kinds, where these tell them apart. What is longer than a file name can be is cut, and a hash of the whole tells apart
 * what was cut off.
 *
 * **Errors.** `DefinitionError` when two constructs render one object.
 */
export function fileNames(sources: readonly Sourced[], chartNamespace: string | undefined): readonly string[] {
  refuseTwins(sources, chartNamespace);
  const stems = (kindIn: (manifest: Manifest) => string) =>
    sources.map(({ manifest }) => stemOf(manifest, kindIn(manifest), chartNamespace));
  const short = stems(({ kind }) => kind.toLowerCase());
  const long = stems(({ kind, apiVersion }) => qualified(kind.toLowerCase(), apiVersion));
  const exact = stems(({ kind, apiVersion }) => qualified(kind, apiVersion));
  const [isShort, isLong] = [sharedIn(short), sharedIn(long)];
  return sources.map((_, index) => {
    const [stem, withGroup] = [short[index]!, long[index]!];
    if (!isShort.has(stem)) return fitting(stem);
    return fitting(isLong.has(withGroup) ? exact[index]! : withGroup);
  });
}

function qualified(kind: string, apiVersion: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

/** Those that several have. */
function sharedIn(stems: readonly string[]): ReadonlySet<string> {
  return new Set(stems.filter((stem, index) => stems.indexOf(stem) !== index));
}

/** What file systems take, in bytes. An object may have a name of nearly that many, and its kind stands before it. */
const longest = 255;

function fitting(stem: string): string {
  const ending = '.yaml';
  if (stem.length + ending.length <= longest) return stem + ending;
  const tail = `-${shortHash(stem)}${ending}`;
  return stem.slice(0, longest - tail.length) + tail;
}

function stemOf(manifest: Manifest, kind: string, chartNamespace: string | undefined): string {
  const { name, namespace } = manifest.metadata;
  const place = namespace === undefined || namespace === chartNamespace ? '' : `${encode(namespace)}_`;
  return `${encode(kind)}-${place}${encode(name)}`;
}

/** Names of RBAC objects may hold capitals and colons, which some file systems fold or refuse. */
function encode(text: string): string {
  return text.replace(/[^a-z0-9.-]/g, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function refuseTwins(sources: readonly Sourced[], chartNamespace: string | undefined): void {
  const seen = new Map<string, string>();
  for (const { manifest, constructPath } of sources) {
    const ref = refOf(manifest);
    // Two versions of one kind are two views of one object. Without a namespace it goes where those of its chart go, and to
    // kustomize, which takes no object twice, that is `default` where the chart names none.
    const place = ref.namespace ?? chartNamespace ?? 'default';
    const key = JSON.stringify([groupOf(ref.apiVersion), ref.kind, place, ref.name]);
    const twin = seen.get(key);
    if (twin !== undefined) {
      throw new DefinitionError(`${show(ref)} is rendered twice, by the constructs "${twin}" and "${constructPath}"`, {
        hint: 'give one of them another name or namespace, or remove it',
      });
    }
    seen.set(key, constructPath);
  }
}
