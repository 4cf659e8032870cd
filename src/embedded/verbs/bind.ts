import type { Json, KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { isMap } from '../../kube/plain-map.js';
import { problem } from '../../schema/field-problem.js';
import type { Written } from '../api-server.js';
import { draftOf } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, conflict, invalid } from '../status-error.js';
import { aboutResource } from './decode.js';
import { found, store } from './stored.js';
import type { Writing } from './writing.js';

/** Puts a Pod on the Node that a Binding names, as schedulers do. */
export function bind(
  engine: Engine,
  kind: ServedKind,
  namespace: string | undefined,
  body: Json,
  request: Writing,
): Written {
  const metadata = isMap(body) ? body['metadata'] : undefined;
  const name = isMap(metadata) ? metadata['name'] : undefined;
  if (!isMap(body) || typeof name !== 'string') throw badRequest('name must be provided');
  const node = isMap(body['target']) ? body['target']['name'] : undefined;
  if (typeof node !== 'string' || node === '') {
    const missing = problem('FieldValueRequired', 'target.name', '');
    throw invalid({ group: '', name: 'Binding' }, name, [missing]);
  }
  const live = found(engine, kind, placeOf({ name, namespace }));
  const draft = draftOf(live);
  const spec = draft['spec'] as { nodeName?: string };
  if (spec.nodeName) {
    const because = `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`;
    throw conflict({ group: '', name: 'pods/binding' }, name, because);
  }
  if (live.metadata.deletionTimestamp !== undefined) {
    throw conflict(aboutResource(kind), name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  spec.nodeName = node;
  const status = (draft['status'] ?? {}) as { conditions?: { type: string }[] };
  status.conditions = [
    ...(status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled'),
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timeOf(engine) } as {
      type: string;
    },
  ];
  draft['status'] = status;
  const object = request.dryRun ? (draft as unknown as KubeObject) : store(engine, kind, draft);
  return { object, created: true, warnings: request.warnings };
}
