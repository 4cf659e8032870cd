import type { KubeObject } from '../../kube/manifest.js';
import type { Listed, Selection } from '../api-server.js';
import type { Engine } from '../engine.js';
import { jsonFault } from '../http/json-fault.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, expired, StatusError } from '../status-error.js';
import { checkListOptions, revisionOf, tooLarge } from './resource-version.js';
import { onlyValueOf, type Predicate, readSelectors } from './selection.js';
import { checkAllReadable, shownOf, toVersion } from './stored.js';

/**
 * The objects of a kind, in pages when `limit` is set; all pages show one moment.
 *
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
 */
export function list(engine: Engine, kind: ServedKind, selection: Selection): Listed {
  const selects = selectorOf(kind, selection);
  checkAllReadable(engine, kind);
  const { store } = engine;
  const start = selection.continue ? continuationOf(selection.continue) : undefined;
  if (start && (selection.resourceVersion ?? '0') !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const revision = start ? start.revision : momentOf(engine, selection, nameOf(kind, selection) !== undefined);
  if (revision !== undefined && revision > store.revision) throw tooLarge(revision, store.revision);
  if (revision !== undefined && revision < store.compactedRevision) throw tooOld(start?.key);

  const namespace = kind.namespaced ? namespaceOf(selection) : undefined;
  const all =
    revision === undefined || revision === store.revision
      ? store.list(kind.storage, namespace)
      : store.listAt(kind.storage, namespace, revision);
  const rest = lookedAt(kind, all, selection, namespace, start?.key);
  // Whoever takes any version gets all that there is.
  const limit = isAnyVersion(selection) ? 0 : (selection.limit ?? 0);
  const page: KubeObject[] = [];
  let more: KubeObject | undefined;
  for (const [index, object] of rest.entries()) {
    const shown = toVersion(kind, object);
    if (selects && !selects(shown)) continue;
    page.push(shownOf(kind, object));
    if (page.length !== limit) continue;
    // Whether any of the others is selected is only found out by going on.
    if (index < rest.length - 1) more = shown;
    break;
  }
  const listed = { items: page, resourceVersion: String(revision ?? store.revision) };
  if (!more) return listed;
  return {
    ...listed,
    continue: tokenOf(Number(listed.resourceVersion), `${keyOf(more, namespace)}\u0000`),
    // With a selector the server would have to look at everything to know.
    ...(selects ? {} : { remainingItemCount: rest.length - limit }),
  };
}

/** What a list with this selection takes; undefined when that is everything. Throws a `StatusError` (400, 422). */
export function selectorOf(kind: ServedKind, selection: Selection): Predicate | undefined {
  const predicate = readSelectors(selection);
  checkListOptions(selection);
  return predicate(kind);
}

/** Which moment is asked for; undefined when the newest is. */
function momentOf(
  { store }: Engine,
  { resourceVersion, resourceVersionMatch, limit }: Selection,
  isOfOne: boolean,
): number | undefined {
  const revision = listedRevision(resourceVersion);
  if (revision === undefined || revision === 0) return undefined;
  if (revision > store.revision) throw tooLarge(revision, store.revision);
  // A page says of which moment it is, and a list of one name is no page.
  const isPage = resourceVersionMatch === undefined && (limit ?? 0) > 0 && !isOfOne;
  const isExact = resourceVersionMatch === 'Exact' || isPage;
  return isExact ? revision : undefined;
}

function isAnyVersion({ resourceVersion, continue: token }: Selection): boolean {
  return resourceVersion === '0' && token === undefined;
}

/** A list says more of a version that cannot be read, and that the caller is to blame. */
function listedRevision(text: string | undefined): number | undefined {
  try {
    return revisionOf(text);
  } catch (error) {
    throw error instanceof StatusError ? badRequest(`invalid resource version: ${error.message}`) : error;
  }
}

/** A first page is of the namespace that its selector names. */
function namespaceOf(selection: Selection): string | undefined {
  return selection.namespace ?? (selection.continue ? undefined : onlyValueOf(selection, 'metadata.namespace'));
}

/** What the server goes through in search of what is selected: by name it goes to the one object. */
function lookedAt(
  kind: ServedKind,
  all: readonly KubeObject[],
  selection: Selection,
  namespace: string | undefined,
  from: string | undefined,
): readonly KubeObject[] {
  if (from !== undefined) return all.filter((object) => keyOf(object, namespace) >= from);
  const name = nameOf(kind, selection);
  if (name !== undefined) return all.filter(({ metadata }) => metadata.name === name);
  const node = kind.storage === 'pods' ? onlyValueOf(selection, 'spec.nodeName') : undefined;
  if (node === undefined) return all;
  return all.filter(({ spec }) => ((spec as { readonly nodeName?: string } | undefined)?.nodeName ?? '') === node);
}

/** Of the one object that can be in a list, by which the server reads it. */
function nameOf(kind: ServedKind, selection: Selection): string | undefined {
  const isOnePlace = !kind.namespaced || namespaceOf(selection) !== undefined;
  return isOnePlace ? onlyValueOf(selection, 'metadata.name') : undefined;
}

function keyOf({ metadata: { namespace, name } }: KubeObject, within: string | undefined): string {
  return within === undefined && namespace !== undefined ? `${namespace}/${name}` : name;
}

/** For what is there now, whatever was there before. */
const latest = -1;

function tokenOf(rv: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start })).toString('base64url');
}

const invalidToken = 'invalid continue token:';

/** Undefined revision: the newest. */
function continuationOf(token: string): { readonly revision: number | undefined; readonly key: string } {
  const bytes = base64Of(token);
  let parsed: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    parsed = (JSON.parse(bytes.toString()) ?? {}) as typeof parsed;
  } catch {
    throw badRequest(`${invalidToken} continue key is not valid: ${jsonFault(bytes)}`);
  }
  if (parsed.v !== 'meta.k8s.io/v1') {
    throw badRequest(
      `${invalidToken} continue key is not valid: server does not recognize this encoded version ${String(parsed.v ?? '')}`,
    );
  }
  if (typeof parsed.rv !== 'number' || parsed.rv === 0) {
    throw badRequest(
      `${invalidToken} continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`,
    );
  }
  if (typeof parsed.start !== 'string' || parsed.start === '') {
    throw badRequest(`${invalidToken} continue key is not valid: encoded start key empty (version meta.k8s.io/v1)`);
  }
  const key = parsed.start.replace(/^\//, '');
  // No way leads out of what is listed.
  if (key !== '' && key.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw badRequest(`${invalidToken} continue key is not valid: ${parsed.start}`);
  }
  return { revision: parsed.rv < 0 ? undefined : parsed.rv, key };
}

/** As Go reads it: no padding, and nothing that is not of the alphabet. */
function base64Of(token: string): Buffer {
  const wrong = token.search(/[^A-Za-z0-9_-]/);
  const at = wrong >= 0 ? wrong : token.length % 4 === 1 ? token.length - 1 : -1;
  if (at < 0) return Buffer.from(token, 'base64url');
  throw badRequest(`${invalidToken} continue key is not valid: illegal base64 data at input byte ${at}`);
}

function tooOld(key: string | undefined): StatusError {
  if (key === undefined) return expired('The resourceVersion for the provided list is too old.');
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    tokenOf(latest, key),
  );
}
