import { createHash } from 'node:crypto';
import { ConfigMap, type ConfigMapObject } from '../../imports/k8s.js';
import { customResource, type KubeObject, one, operator, s } from '../index.js';

/** The names that namespaces and ConfigMaps may have: nothing else could be found, or could mean something to a path. */
const namespaceName = { minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
const objectName = {
  minLength: 1,
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
};

export const ConfigMapSync = customResource({
  group: 'apps.bixbite.io',
  version: 'v1',
  kind: 'ConfigMapSync',
  categories: ['kilter'],
  description: 'ConfigMapSync keeps a copy of a ConfigMap in another namespace, where both namespaces agree to that.',
  spec: s.object(
    {
      sourceNamespace: s.string({ ...namespaceName, description: 'Namespace of the ConfigMap that is copied.' }),
      destinationNamespace: s.string({ ...namespaceName, description: 'Namespace that gets the copy.' }),
      configMapName: s.string({ ...objectName, description: 'Name of the ConfigMap, and of its copy.' }),
      deletionPolicy: s.enum(['Delete', 'Orphan'], {
        default: 'Delete',
        description: 'What becomes of the copy when the source, or this object, is deleted.',
      }),
    },
    {
      rules: [
        {
          rule: 'self.sourceNamespace != self.destinationNamespace',
          message: 'destinationNamespace must be another namespace than sourceNamespace',
        },
      ],
    },
  ),
  status: s.object({
    lastSyncTime: s.string({
      format: 'date-time',
      optional: true,
      description: 'When other content was last written to the copy, or the copy was made anew.',
    }),
    contentHash: s.string({ optional: true, description: 'Of that content.' }),
    copyUid: s.string({ optional: true, description: 'Of the copy that it was written to.' }),
  }),
  columns: {
    Source: '.spec.sourceNamespace',
    Destination: '.spec.destinationNamespace',
    ConfigMap: '.spec.configMapName',
    'Last sync': '.status.lastSyncTime',
  },
});

export const configMapSync = operator(ConfigMapSync, {
  owns: [ConfigMap],
  reach: 'consent',
  removal: '.spec.deletionPolicy',
  // Of a copy nothing is lost, and one that somebody made immutable could follow its source no more.
  recreate: [ConfigMap],
  // A source that is gone leaves no copy, unless it is to stay.
  allowEmpty: true,
  reads: {
    source: one(ConfigMap, ({ spec }) => ({ namespace: spec.sourceNamespace, name: spec.configMapName }), {
      required: true,
    }),
  },
  compose(scope, { spec }, { source }) {
    if (!source) return {};
    const copy = new ConfigMap(scope, 'copy', {
      metadata: { namespace: spec.destinationNamespace, name: spec.configMapName },
      ...(source.data ? { data: source.data } : {}),
      ...(source.binaryData ? { binaryData: source.binaryData } : {}),
    });
    return { copy };
  },
  status({ copy }, _, { status }) {
    const { lastSyncTime, ...last } = status ?? {};
    // Of a copy that is gone it is still true when it was written.
    if (!copy) return { lastSyncTime, contentHash: last.contentHash, copyUid: last.copyUid };
    const contentHash = hashOf(copy);
    const copyUid = copy.metadata.uid;
    // What else is written to a copy is no content; to make it anew is to write all of that.
    const isKnown = contentHash === last.contentHash && copyUid === last.copyUid;
    return { lastSyncTime: (isKnown ? lastSyncTime : undefined) ?? lastWriteOf(copy), contentHash, copyUid };
  },
});

function hashOf(copy: KubeObject): string {
  const { data = {}, binaryData = {} } = copy as KubeObject & ConfigMapObject;
  const inOrder = (map: Readonly<Record<string, string>>) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  const content = JSON.stringify([inOrder(data), inOrder(binaryData)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** When this operator last wrote an object, as the API server remembers it. */
function lastWriteOf({ metadata }: KubeObject): string | undefined {
  return metadata.managedFields
    ?.filter(({ manager, subresource }) => manager === configMapSync.name && !subresource)
    .map(({ time = '' }) => time)
    .sort()
    .at(-1);
}
