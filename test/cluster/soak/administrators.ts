import { CustomResourceDefinition, Lease, Namespace } from '../../../imports/k8s.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import type { InstalledController } from '../installed-controller.js';
import { type Deeds, type Hands, passing } from './hands.js';
import { consentOf } from './syncs.js';

/** What administrators do to what custom resources and controllers live by. */
export function administratorsDeeds(hands: Hands, installed: InstalledController): Deeds {
  const { cluster, dice } = hands;
  const lease = { namespace: installed.namespace, name: installed.lease };
  return {
    'a namespace that goes': () => cluster.delete(Namespace, { name: dice.one(passing) }),
    'a definition with a field more, or less': () => changeDefinition(hands),
    'a Lease that others write': () =>
      dice.one([
        () => cluster.delete(Lease, lease),
        () => hands.merge(Lease, lease, { spec: { holderIdentity: 'nobody', renewTime: microTime(new Date()) } }),
        () => hands.merge(Lease, lease, { spec: { holderIdentity: '' } }),
      ])(),
    'an account that is made anew': () => installed.renewAccount(),
  };
}

/** A namespace that is gone is there again, sooner or later, and with other consent. */
export function namespaceDeeds(hands: Hands): Deeds {
  return {
    'a namespace': () => hands.create(Namespace, { name: hands.dice.one(passing) }, {}, consentOf(hands)),
  };
}

function microTime(now: Date): string {
  return now.toISOString().replace('Z', '000Z');
}

interface Schema {
  readonly properties: { readonly spec: { readonly properties: Readonly<Record<string, object>> } };
}

interface Definition extends KubeObject {
  readonly spec: {
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** By no hand of the operator's: `note` is nothing to it. */
async function changeDefinition({ cluster, write }: Hands): Promise<void> {
  const target = { name: 'memcacheds.memcached.cache.example.com' };
  const definition = (await cluster.get(CustomResourceDefinition, target)) as Definition;
  const versions = definition.spec.versions.map((version) => {
    const { openAPIV3Schema: all } = version.schema;
    const { note, ...properties } = all.properties.spec.properties;
    const changed = note === undefined ? { ...properties, note: { type: 'string' } } : properties;
    const spec = { ...all.properties.spec, properties: changed };
    return { ...version, schema: { openAPIV3Schema: { ...all, properties: { ...all.properties, spec } } } };
  });
  await cluster.update(
    CustomResourceDefinition,
    { ...definition, spec: { ...definition.spec, versions } } as KubeObject,
    write,
  );
}
