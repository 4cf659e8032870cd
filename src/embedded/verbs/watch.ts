import type { KubeObject } from '../../kube/manifest.js';
import type { Event, Selection } from '../api-server.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { Revision } from '../object-store.js';
import { expired, StatusError } from '../status-error.js';
import { apiVersionOf } from './decode.js';
import { EventStream } from './event-stream.js';
import { emptyOf } from './own.js';
import { checkWatchOptions, revisionOf, tooLarge } from './resource-version.js';
import { type Predicate, readSelectors } from './selection.js';
import { checkAllReadable, shownOf, toVersion } from './stored.js';

const bookmarkSeconds = 60;
/** So long before a watch ends there is a bookmark, too. */
const beforeEndSeconds = 2;

/**
 * The changes of a kind from a version on, or from now.
 *
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export function watch(engine: Engine, kind: ServedKind, selection: Selection): AsyncIterable<Event> {
  const predicate = readSelectors(selection);
  checkWatchOptions(selection);
  const selects = predicate(kind);
  checkAllReadable(engine, kind);
  const { store, clock, kinds } = engine;
  const from = revisionOf(selection.resourceVersion) ?? 0;
  const { sendInitialEvents, allowWatchBookmarks } = selection;
  const stream = new EventStream(selection.signal);
  // By then it has said that the watch stands, and waited.
  if (from > store.revision && sendInitialEvents) return failed(stream, tooLarge(from, store.revision));
  const isSynthetic = sendInitialEvents ?? from === 0;
  const oldest = Math.max(store.compactedRevision, kind.servedSince ?? 0);
  if (from !== 0 && !sendInitialEvents && from < oldest) return failed(stream, tooOld(from, oldest));

  const namespace = kind.namespaced ? selection.namespace : undefined;
  const tell = (change: Revision) => {
    // A watch from a version that is still to come waits for it.
    if (change.revision <= from) return;
    try {
      const event = eventOf(kind, change, namespace, selects);
      if (event) stream.push(event);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // What cannot be shown in this version ends the watch, and is nothing to whoever wrote it.
      stream.push({ type: 'ERROR', object: error.status as unknown as KubeObject });
      stream.end();
    }
  };
  if (isSynthetic) {
    try {
      for (const object of store.list(kind.storage, namespace)) {
        const shown = toVersion(kind, object);
        if (!selects || selects(shown)) stream.push({ type: 'ADDED', object: shownOf(kind, object) });
      }
    } catch (error) {
      stream.end();
      throw error;
    }
    if (allowWatchBookmarks) stream.push(bookmark(kind, store.revision, true));
  } else if (from !== 0) for (const change of store.since(kind.storage, from)) tell(change);

  stream.begun();
  stream.onEnd(store.listenTo(kind.storage, tell));
  // What a definition served before it changed or went ends with it; whoever watches has to begin anew.
  const isOver = (other: ServedKind) => other.storage === kind.storage && other.version === kind.version;
  stream.onEnd(kinds.listen((other) => isOver(other) && stream.end()));
  if (selection.timeoutSeconds) {
    stream.onEnd(clock.after(selection.timeoutSeconds * 1000, () => stream.end()));
  }
  if (allowWatchBookmarks) {
    let disarm = () => {};
    const last = selection.timeoutSeconds
      ? clock.monotonic() + (selection.timeoutSeconds - beforeEndSeconds) * 1000
      : Number.POSITIVE_INFINITY;
    const again = () => {
      const left = last - clock.monotonic();
      if (left <= 0) return;
      const isLast = left <= bookmarkSeconds * 1000;
      disarm = clock.after(isLast ? left : bookmarkSeconds * 1000, () => {
        // One from a version that is still to come hears of no earlier one, by bookmarks neither.
        if (store.revision >= from) stream.push(bookmark(kind, store.revision, false));
        // A timer may be a fraction of a millisecond early.
        if (!isLast) again();
      });
    };
    again();
    stream.onEnd(() => disarm());
  }
  return stream;
}

function failed(stream: EventStream, { status }: StatusError): EventStream {
  stream.push({ type: 'ERROR', object: status as unknown as KubeObject });
  stream.end();
  return stream;
}

/** What a watch with this selection sees of a change: an object that leaves the selection is deleted for it. */
function eventOf(
  kind: ServedKind,
  { type, object, before }: Revision,
  namespace: string | undefined,
  selects: Predicate | undefined,
): Event | undefined {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return undefined;
  if (!selects) return { type, object: shownOf(kind, object) };
  // Fields are those of the version that is watched, whatever was stored.
  const selectsShown = (each: KubeObject) => selects(toVersion(kind, each));
  const is = type !== 'DELETED' && selectsShown(object);
  const was = before !== undefined && selectsShown(before);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: shownOf(kind, object) };
  if (!was) return undefined;
  // The last state that was selected, at the version of the change.
  const { resourceVersion } = object.metadata;
  return { type: 'DELETED', object: shownOf(kind, { ...before, metadata: { ...before.metadata, resourceVersion } }) };
}

function bookmark(kind: ServedKind, revision: number, isEndOfInitialEvents: boolean): Event {
  const object = {
    ...(emptyOf(kind) as object),
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: { resourceVersion: String(revision), ...annotated(kind, isEndOfInitialEvents) },
  };
  return { type: 'BOOKMARK', object: object as unknown as KubeObject };
}

function annotated({ rules }: ServedKind, isEndOfInitialEvents: boolean): { readonly annotations?: object } {
  const { bookmarkAnnotations } = rules;
  if (!isEndOfInitialEvents) return bookmarkAnnotations ? { annotations: bookmarkAnnotations } : {};
  return { annotations: { ...bookmarkAnnotations, 'k8s.io/initial-events-end': 'true' } };
}

function tooOld(asked: number, oldest: number): StatusError {
  return expired(`too old resource version: ${asked} (${oldest})`);
}
