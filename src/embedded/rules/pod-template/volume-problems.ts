import type { Volume } from '../../../../imports/k8s.js';
import { dns1123Subdomain } from '../../../schema/name-formats.js';
import { compareAmounts } from '../amounts.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { claimTemplateProblems } from './claim-problems.js';
import { fileMode, noBacksteps } from './path-problems.js';
import { projectedProblems } from './projected-problems.js';
import { pullPolicyProblems } from './pull-policy-problems.js';
import { rareSources } from './rare-volume-sources.js';
import { downwardFile, keysToPaths } from './volume-files.js';
import type { Source, SourceRule, VolumeContext } from './volume-source.js';

/** The volumes without problems, by name: what containers may mount. */
export type GoodVolumes = ReadonlyMap<string, Unchecked<Volume>>;

function rule<Field extends keyof Volume>(
  field: Field,
  check: (found: Problems, path: string, source: Source<Field>, context: VolumeContext) => void,
  refusedAs?: string,
): SourceRule {
  return {
    field,
    ...(refusedAs === undefined ? {} : { refusedAs }),
    check(found, path, volume, context) {
      check(found, `${path}.${field}`, volume[field] as Source<Field>, context);
    },
  };
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate'].concat([
  'File',
  'FileOrCreate',
  'Socket',
]);

const common: readonly SourceRule[] = [
  rule('emptyDir', (found, path, { sizeLimit }) => {
    if (sizeLimit !== undefined && compareAmounts(sizeLimit, '0') < 0) {
      found.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
    }
  }),
  rule('hostPath', (found, path, source) => {
    if (!source.path) {
      found.required(`${path}.path`);
      return;
    }
    noBacksteps(found, `${path}.path`, source.path);
    if (source.type !== undefined && !hostPathTypes.includes(source.type)) {
      found.notSupported(`${path}.type`, source.type, hostPathTypes);
    }
  }),
  rule('secret', (found, path, source) => {
    if (!source.secretName) found.required(`${path}.secretName`);
    fileMode(found, `${path}.defaultMode`, source.defaultMode);
    keysToPaths(found, `${path}.items`, source.items);
  }),
  rule('nfs', (found, path, source) => {
    if (!source.server) found.required(`${path}.server`);
    if (!source.path) found.required(`${path}.path`);
    if (!source.path?.startsWith('/')) found.invalid(`${path}.path`, source.path ?? '', 'must be an absolute path');
  }),
  rule('persistentVolumeClaim', (found, path, source) => {
    if (!source.claimName) found.required(`${path}.claimName`);
  }),
  rule(
    'downwardAPI',
    (found, path, source) => {
      fileMode(found, `${path}.defaultMode`, source.defaultMode);
      for (const file of source.items ?? []) downwardFile(found, path, file);
    },
    'downwarAPI',
  ),
  rule('configMap', (found, path, source) => {
    if (!source.name) found.required(`${path}.name`);
    fileMode(found, `${path}.defaultMode`, source.defaultMode);
    keysToPaths(found, `${path}.items`, source.items);
  }),
  rule('projected', projectedProblems),
  rule('csi', (found, path, { driver = '', nodePublishSecretRef: secret }) => {
    if (driver === '') found.required(`${path}.driver`);
    else {
      if (Buffer.byteLength(driver) > 63) found.tooLong(`${path}.driver`, 63);
      for (const message of dns1123Subdomain(driver.toLowerCase())) found.invalid(`${path}.driver`, driver, message);
    }
    if (secret === undefined) return;
    if (!secret.name) found.required(`${path}.nodePublishSecretRef.name`);
    else found.subdomain(`${path}.name`, secret.name);
  }),
  rule('ephemeral', (found, path, source, { podName, volumeName }) => {
    const template = source.volumeClaimTemplate;
    if (template === undefined) found.required(`${path}.volumeClaimTemplate`);
    else claimTemplateProblems(found, `${path}.volumeClaimTemplate`, template);
    if (!podName || volumeName === '') return;
    const claim = `${podName}-${volumeName}`;
    for (const message of dns1123Subdomain(claim)) {
      found.invalid(`${path.slice(0, -'.ephemeral'.length)}.name`, volumeName, `PVC name "${claim}": ${message}`);
    }
  }),
  rule('image', (found, path, source, { isPod }) => {
    if (isPod && !source.reference) found.required(`${path}.reference`);
    pullPolicyProblems(found, `${path}.pullPolicy`, source.pullPolicy);
  }),
];

/** In the order in which the server looks at them, which decides which of two sources is one too many. */
const rules: readonly SourceRule[] = (
  ['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi'].concat(
    ['glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc'],
    ['flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume'],
    ['azureDisk', 'storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image'],
  ) as (keyof Volume)[]
).map((field) => [...common, ...rareSources].find((each) => each.field === field)!);

const rank = new Map(rules.map((each, index) => [each.field as string, index]));

/** What is wrong with the volumes, and those that are right. */
export function volumeProblems(
  found: Problems,
  path: string,
  volumes: readonly Unchecked<Volume>[],
  context: Omit<VolumeContext, 'volumeName'>,
): GoodVolumes {
  const good = new Map<string, Unchecked<Volume>>();
  const { podName } = context;
  const created = new Set(
    podName ? volumes.filter((each) => each.ephemeral).map((each) => `${podName}-${each.name ?? ''}`) : [],
  );
  volumes.forEach((volume, index) => {
    const at = `${path}[${index}]`;
    const { name = '' } = volume;
    const before = found.all.length;
    sourceProblems(found, at, volume, { ...context, volumeName: name });
    if (name === '') found.required(`${at}.name`);
    else found.label(`${at}.name`, name);
    if (good.has(name)) found.duplicate(`${at}.name`, name);
    if (found.all.length === before) good.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      found.invalid(`${at}.persistentVolumeClaim.claimName`, claim, detail);
    }
  });
  return good;
}

function sourceProblems(found: Problems, path: string, volume: Unchecked<Volume>, context: VolumeContext): void {
  const given = Object.keys(volume).flatMap((field) => {
    const at = volume[field as keyof Volume] === undefined ? undefined : rank.get(field);
    return at === undefined ? [] : [at];
  });
  if (given.length === 0) {
    found.required(path, 'must specify a volume type');
    return;
  }
  if (given.length > 1) given.sort((a, b) => a - b);
  given.forEach((at, index) => {
    const source = rules[at]!;
    if (index > 0) {
      found.forbidden(`${path}.${source.refusedAs ?? source.field}`, 'may not specify more than 1 volume type');
    } else {
      source.check(found, path, volume, context);
    }
  });
  const { iscsi } = volume;
  if (iscsi?.initiatorName !== undefined && `${context.volumeName}:${iscsi.targetPortal ?? ''}`.length > 64) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    found.invalid(`${path}.name`, context.volumeName, detail);
  }
}
