import type { Cluster } from '../../src/client/cluster.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { Gem } from './operators/review.js';
import { Site } from './operators/site.js';

export const customResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** What the definition of Sites takes: all that it takes at first, or nothing long in their spec or in their status. */
export type Taken = 'all' | 'short specs' | 'short statuses';

interface Definition extends Manifest {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

interface Schema {
  maxLength?: number;
  readonly properties: Readonly<Record<string, Schema>>;
}

/** Somebody applies the definition of Sites anew. */
export async function redefine(user: Cluster, taken: Taken): Promise<void> {
  const crd = structuredClone(Site.crd()) as Definition;
  const { spec, status } = crd.spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
  if (taken === 'short specs') Object.assign(spec?.properties['value'] ?? {}, { maxLength: 3 });
  if (taken === 'short statuses') Object.assign(status?.properties['seen'] ?? {}, { maxLength: 2 });
  await user.apply(customResourceDefinition, crd, { fieldManager: 'setup', force: true });
}

/** Somebody applies the definition of Gems, or deletes it. */
export async function serve(user: Cluster, isServed: boolean): Promise<void> {
  const crd = Gem.crd();
  const { name } = crd.metadata;
  if (isServed) await user.apply(customResourceDefinition, crd, { fieldManager: 'setup', force: true });
  else await user.delete(customResourceDefinition, { name });
}
