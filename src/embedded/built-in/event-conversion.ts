import type { KubeObject } from '../../kube/manifest.js';
import type { Draft } from '../draft.js';
import type { Conversion } from '../kinds/served-kind.js';

/** What the fields of an Event of `events.k8s.io/v1` are called in that of `v1`, which is the one that is kept. */
const names: readonly (readonly [newer: string, older: string])[] = [
  ['note', 'message'],
  ['regarding', 'involvedObject'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];
const toOlder = new Map(names);
const toNewer = new Map(names.map(([newer, older]) => [older, newer] as const));

/** Never left out in one version, and left out when it is empty in the other. */
const alwaysInOlder = { involvedObject: {}, reportingComponent: '', reportingInstance: '', source: {} };

/** The two Events are one kind in two versions. */
export const eventConversion: Conversion = {
  toStored(event) {
    const stored = renamed<Draft>(event, toOlder, 'v1');
    for (const [name, value] of Object.entries(alwaysInOlder)) stored[name] ??= structuredClone(value);
    return stored;
  },
  fromStored(event) {
    const shown = renamed<Draft>(event, toNewer, 'events.k8s.io/v1');
    for (const name of ['reportingController', 'reportingInstance']) if (shown[name] === '') delete shown[name];
    return shown as unknown as KubeObject;
  },
};

function renamed<T>(event: Draft | KubeObject, to: ReadonlyMap<string, string>, apiVersion: string): T {
  const fields = Object.entries(event).map(([name, value]) => [to.get(name) ?? name, value] as const);
  return { ...Object.fromEntries(fields), apiVersion } as T;
}
