import type { KubeObject } from '../../kube/manifest.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { emptyOf } from './own.js';

type Blank = KubeObject & { readonly spec?: object };

/** What the server has of a kind before it knows anything of an object, as it would answer it. */
export function blankOf(kind: ServedKind): KubeObject {
  const object = emptyOf(kind) as unknown as Blank;
  return fromWithin[kind.storage]?.(object) ?? object;
}

/** What the server's own form of a kind has in any case, and the API's has not. */
const fromWithin: Readonly<Record<string, (object: Blank) => KubeObject>> = {
  'daemonsets.apps': (object) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { 'deprecated.daemonset.template.generation': '0' } },
  }),
  'deployments.apps': withoutReplicas,
  'replicasets.apps': withoutReplicas,
  'statefulsets.apps': withoutReplicas,
};

function withoutReplicas(object: Blank): KubeObject {
  return { ...object, spec: { ...object.spec, replicas: 0 } };
}
