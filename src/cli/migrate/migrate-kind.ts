import { createHash } from 'node:crypto';
import { ApiError, ConflictError, isGone, isOfServer, NotFoundError } from '../../client/api-error.js';
import type { WriteOptions } from '../../client/cluster.js';
import type { HttpCluster } from '../../client/http-cluster.js';
import { listAll } from '../../client/list-all.js';
import { versionPath } from '../../client/path.js';
import { entriesOf } from '../../drift/ownership.js';
import { retold } from '../../drift/retold.js';
import { type ApiResource, groupOf } from '../../kube/api-resource.js';
import { keepAlive, sleep, systemClock } from '../../kube/clock.js';
import { definitionKind } from '../../kube/definition-kind.js';
import { OperatorError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf, show } from '../../kube/object-ref.js';
import { saying } from '../../runtime/writes/at-version.js';
import { resourceNamed } from '../resource-named.js';

const write = { fieldManager: 'kilter-cli' };
const [writesAtOnce, secondsPerCall, mostTold, mostLooks] = [8, 60, 20, 30];

type Definition = KubeObject & {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
};

type Place = ReturnType<typeof placeOf>;

interface Migrated {
  readonly definition: string;
  readonly to: string;
  readonly before: readonly string[];
  /** How many there are, where they were looked at. */
  readonly objects: number;
  /** Of how many it is told in the present version by now who wrote what. */
  readonly retold: number;
}

/**
 * Has every object of a kind stored anew, so that older versions of it can be taken out of the definition.
 *
 * **Guarantees.** No object is changed but in how it is stored, and in which version it is told who wrote what: the server itself
 * writes what it reads. The definition says that older versions are gone only when every object was stored anew while the
 * definition stayed as it was.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version
 */
export async function migrateKind(cluster: HttpCluster, kind: string): Promise<Migrated> {
  const named = await resourceNamed(cluster, kind);
  const group = groupOf(named.apiVersion);
  const name = `${named.plural}.${group}`;
  const definition = (await cluster.get(definitionKind, { name }).catch((cause: unknown) => {
    if (!(cause instanceof NotFoundError)) throw cause;
    throw new OperatorError(`${named.kind} is no custom resource: there is no CustomResourceDefinition/${name}`, {
      hint: '"kubectl get crds" lists those that there are',
    });
  })) as Definition;
  const { name: to, served } = definition.spec.versions.find(({ storage }) => storage)!;
  const before = definition.status?.storedVersions ?? [];
  const isStored = before.every((version) => version === to);
  // As long as somebody may write in another version, what he has by that must stay his.
  const isAlone = definition.spec.versions.every((version) => version.name === to || !version.served);
  if (isStored && !isAlone) return { definition: name, to, before, objects: 0, retold: 0 };

  // Whichever it is asked for in, the server stores the one: where that is not served yet another will do.
  const resource = served ? { ...named, apiVersion: `${group}/${to}` } : named;
  if (served) await untilStoredIn(cluster, resource);
  // Before any of them is written: what is left of a list cannot be asked for any more after some minutes.
  const present = `${group}/${to}`;
  let found: Found[] = [];
  await listAll(cluster, resource, {}, () => {
    found = [];
    return (object) => {
      const isToldOtherwise = isAlone && entriesOf(object).some(({ apiVersion }) => isOther(apiVersion, present));
      found.push({ place: placeOf(object.metadata), isToldOtherwise });
    };
  });
  const objects = found.length;
  const todo = isStored ? found.filter(({ isToldOtherwise }) => isToldOtherwise) : found;
  const refused = await storeAnew(cluster, resource, present, todo);
  if (refused.length > 0) {
    const told = refused.slice(0, mostTold).map(({ place, error }) => {
      return `${show({ kind: named.kind, ...place })}: ${error.message}`;
    });
    const more = refused.length > told.length ? [`and ${refused.length - told.length} more`] : [];
    throw new OperatorError(
      `${refused.length} of ${objects} objects were refused as they are, and all others stored as ${to}: ${[...told, ...more].join('; ')}`,
      {
        hint: 'mend or delete these, or what refuses them, and run it again: until then the older versions have to stay',
      },
    );
  }

  const retold = found.filter(({ isToldOtherwise }) => isToldOtherwise).length;
  if (isStored) return { definition: name, to, before, objects, retold };
  const after = (await cluster.get(definitionKind, { name })) as Definition;
  if (after.metadata.uid !== definition.metadata.uid || after.metadata.generation !== definition.metadata.generation) {
    throw new OperatorError(`CustomResourceDefinition/${name} was changed while its objects were migrated`, {
      hint: 'objects may have been stored in another version meanwhile: run it again',
    });
  }
  const operations = [
    { op: 'test', path: '/metadata/resourceVersion', value: after.metadata.resourceVersion },
    { op: 'replace', path: '/status/storedVersions', value: [to] },
  ] as const;
  await cluster.patch(definitionKind, { name }, { type: 'json', operations }, { ...write, subresource: 'status' });
  return { definition: name, to, before, objects, retold };
}

/**
 * Until the API server writes in the version that the definition names. A moment after that was changed it has not heard of it yet, finds
 * each object stored as it would be, and writes none.
 */
async function untilStoredIn(cluster: HttpCluster, { apiVersion, kind, plural }: ApiResource): Promise<void> {
  const path = versionPath(apiVersion);
  const digest = createHash('sha256').update(`${apiVersion}/${kind}`).digest();
  const meant = digest.subarray(0, 8).toString('base64');
  for (let looks = 1; ; looks++) {
    const answer = await cluster.request('GET', path).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      return { resources: [{ name: plural, storageVersionHash: 'not served yet' }] };
    });
    const { resources } = answer as { readonly resources: readonly { name: string; storageVersionHash?: string }[] };
    const stored = resources.find(({ name }) => name === plural)?.storageVersionHash;
    // Not every API server tells.
    if (stored === undefined || stored === meant) return;
    if (looks === mostLooks) {
      throw new OperatorError(`the API server does not store ${kind} as ${apiVersion} yet, as its definition says`, {
        hint: 'run it again in a minute, and see the conditions of the definition if it is so still',
      });
    }
    await sleep(systemClock, 1000).finally(keepAlive());
  }
}

interface Found {
  readonly place: Place;
  /** Its `managedFields` tell of another version. */
  readonly isToldOtherwise: boolean;
}

function isOther(apiVersion: string | undefined, present: string): boolean {
  return apiVersion !== undefined && apiVersion !== present;
}

interface RefusedObject {
  readonly place: Place;
  readonly error: ApiError;
}

/**
 * A patch that changes nothing makes the server compare what it would store with what is stored. What it refuses, for a webhook,
 * a policy or a conversion does, is returned, and keeps no other object from being stored.
 */
async function storeAnew(
  cluster: HttpCluster,
  resource: ApiResource,
  present: string,
  found: readonly Found[],
): Promise<readonly RefusedObject[]> {
  const left = [...found];
  const refused: RefusedObject[] = [];
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const options = { ...write, timeoutSeconds: secondsPerCall };
      const { place, isToldOtherwise } = next;
      try {
        // In place of a write that changes nothing, with which the server forgets what it cannot convert.
        const isStored = isToldOtherwise && (await tellIn(present, cluster, resource, place, options));
        if (!isStored) await cluster.patch(resource, place, { type: 'merge', body: {} }, options);
      } catch (error) {
        // What was deleted meanwhile is stored in no version.
        if (isGone(error)) continue;
        if (!isOfOneObject(error)) throw error;
        refused.push({ place, error });
      }
    }
  };
  await Promise.all(Array.from({ length: writesAtOnce }, worker));
  return refused.sort((a, b) => show({ kind: '', ...a.place }).localeCompare(show({ kind: '', ...b.place })));
}

/**
 * Who wrote what is told in the version in which it was written, and where that is gone no apply succeeds any more. Resolves with
 * whether there was anything to tell otherwise, and so a write.
 */
async function tellIn(
  present: string,
  cluster: HttpCluster,
  resource: ApiResource,
  place: Place,
  options: WriteOptions,
): Promise<boolean> {
  const stored = await cluster.get(resource, place, options);
  const managedFields = retold(entriesOf(stored), present, (apiVersion) => isOther(apiVersion, present));
  if (!managedFields) return false;
  try {
    await cluster.patch(resource, place, { type: 'json', operations: saying(stored, managedFields) }, options);
    return true;
  } catch (error) {
    // Of the very entries that were read: whoever wrote meanwhile has others.
    if (!(error instanceof ConflictError)) throw error;
    return tellIn(present, cluster, resource, place, options);
  }
}

/** No other object would fare better where the server cannot be reached, asks to wait, or knows nobody by this name. */
function isOfOneObject(error: unknown): error is ApiError {
  return error instanceof ApiError && !isOfServer(error);
}
