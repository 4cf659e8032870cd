import type { Json, KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import type { Written } from '../api-server.js';
import { type Draft, draftOf } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { topologyLabels } from '../rules/workloads/topology-labels.js';
import { badRequest, conflict, unexplained } from '../status-error.js';
import { storageError } from './storage-error.js';
import { found, store } from './stored.js';
import type { Writing } from './writing.js';

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/binding-v1/ */
interface Binding {
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly target?: { readonly kind?: string; readonly name?: string };
}

/** Puts a Pod on the Node that a Binding names, as schedulers do, with the labels and annotations of that Binding. */
export function bind(
  engine: Engine,
  kind: ServedKind,
  namespace: string | undefined,
  body: Json,
  request: Writing,
): Written {
  const { metadata, target } = bindingOf(body);
  const { name } = metadata;
  const node = nodeIn(target);
  const address = placeOf({ name, namespace });
  const live = found(engine, kind, address);
  const differs = (what: string, said: string | undefined, is: string) => {
    if (!said || said === is) return;
    const because = `${what} in precondition: ${said}, ${what} in object meta: ${is}`;
    throw storageError(kind, address, because, request.dryRun);
  };
  differs('UID', metadata.uid, live.metadata.uid);
  differs('ResourceVersion', metadata.resourceVersion, live.metadata.resourceVersion);
  const because = obstacle(live);
  if (because !== undefined) throw conflict({ group: '', name: 'pods/binding' }, name, `pod ${name} ${because}`);

  const draft = draftOf(live);
  (draft['spec'] as { nodeName?: string }).nodeName = node;
  // Of a Binding that says nothing of the kind of its target, the server takes no labels from the Node.
  const ofNode = target?.kind === 'Node' ? topologyLabels(node, engine.world) : {};
  add(draft, 'labels', { ...metadata.labels, ...ofNode });
  add(draft, 'annotations', metadata.annotations);
  const status = (draft['status'] ?? {}) as { conditions?: { type: string }[]; nominatedNodeName?: string };
  delete status.nominatedNodeName;
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timeOf(engine) };
  status.conditions = [...(status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled'), scheduled];
  draft['status'] = status;
  const object = request.dryRun ? (draft as unknown as KubeObject) : store(engine, kind, draft);
  return { object, created: true, warnings: request.warnings };
}

function bindingOf(body: Json): Binding {
  const metadata = isMap(body) ? (body['metadata'] as JsonMap | undefined) : undefined;
  if (typeof metadata?.['name'] !== 'string') throw badRequest('name must be provided');
  return body as unknown as Binding;
}

/** The server does not say that this is the caller's fault. */
function nodeIn({ kind = '', name = '' }: NonNullable<Binding['target']> = {}): string {
  const problems = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`]),
    ...(name === '' ? ['target.name: Required value'] : []),
  ];
  if (problems.length === 0) return name;
  throw unexplained(500, problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
}

function obstacle({ metadata, spec }: KubeObject): string | undefined {
  const { nodeName, schedulingGates = [] } = spec as { nodeName?: string; schedulingGates?: readonly unknown[] };
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted, cannot be assigned to a host';
  if (nodeName) return `is already assigned to node ${JSON.stringify(nodeName)}`;
  return schedulingGates.length > 0 ? 'has non-empty .spec.schedulingGates' : undefined;
}

function add({ metadata }: Draft, field: 'labels' | 'annotations', more: Readonly<Record<string, string>> = {}): void {
  if (Object.keys(more).length > 0) metadata[field] = { ...metadata[field], ...more };
}
