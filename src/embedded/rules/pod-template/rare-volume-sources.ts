import type { Volume } from '../../../../imports/k8s.js';
import { betweenInclusive } from '../../../schema/name-formats.js';
import type { Problems } from '../problems.js';
import { relativePath } from './path-problems.js';
import type { Source, SourceRule } from './volume-source.js';

function rule<Field extends keyof Volume>(
  field: Field,
  check: (found: Problems, path: string, source: Source<Field>) => void,
  { refusedAs, path = field }: { refusedAs?: string; path?: string } = {},
): SourceRule {
  return {
    field,
    ...(refusedAs === undefined ? {} : { refusedAs }),
    check(found, parent, volume) {
      check(found, `${parent}.${path}`, volume[field] as Source<Field>);
    },
  };
}

/** Refuses a source that lacks one of `fields`. */
function requires(...fields: readonly string[]) {
  return (found: Problems, path: string, source: object): void => {
    for (const field of fields) {
      const value = (source as Record<string, unknown>)[field];
      if ((value ?? '') === '' || (Array.isArray(value) && value.length === 0)) {
        found.required(`${path}.${field}`);
      }
    }
  };
}

function range(found: Problems, path: string, value: number | undefined): void {
  if (value !== undefined && (value < 0 || value > 255)) {
    found.invalid(path, value, betweenInclusive(path.endsWith('partition') ? 1 : 0, 255));
  }
}

/** Sources of volumes that hardly anybody uses any more, most of them built into no server of today. */
export const rareSources: readonly SourceRule[] = [
  rule('gitRepo', (found, path, source) => {
    requires('repository')(found, path, source);
    relativePath(found, `${path}.directory`, source.directory ?? '');
  }),
  rule(
    'gcePersistentDisk',
    (found, path, source) => {
      requires('pdName')(found, path, source);
      range(found, `${path}.partition`, source.partition);
    },
    { path: 'persistentDisk' },
  ),
  rule('awsElasticBlockStore', (found, path, source) => {
    requires('volumeID')(found, path, source);
    range(found, `${path}.partition`, source.partition);
  }),
  rule('iscsi', iscsiProblems),
  rule('glusterfs', requires('endpoints', 'path')),
  rule('flocker', (found, path, { datasetName = '', datasetUUID = '' }) => {
    if (datasetName === '' && datasetUUID === '') {
      found.required(path, 'one of datasetName and datasetUUID is required');
    }
    if (datasetName !== '' && datasetUUID !== '') {
      found.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
    }
    if (datasetName.includes('/')) found.invalid(`${path}.datasetName`, datasetName, "must not contain '/'");
  }),
  rule('rbd', requires('monitors', 'image')),
  rule('cinder', (found, path, source) => {
    requires('volumeID')(found, path, source);
    if (source.secretRef && !source.secretRef.name) found.required(`${path}.secretRef.name`);
  }),
  rule('cephfs', requires('monitors'), { refusedAs: 'cephFS' }),
  rule('quobyte', (found, path, { registry = '', tenant = '', volume = '' }) => {
    const pairs = 'must be a host:port pair or multiple pairs separated by commas';
    if (registry === '') found.required(`${path}.registry`, pairs);
    else if (tenant.length >= 65) {
      found.required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
    } else {
      for (const pair of registry.split(',')) {
        if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) found.invalid(`${path}.registry`, registry, pairs);
      }
    }
    if (volume === '') found.required(`${path}.volume`);
  }),
  rule('fc', (found, path, { targetWWNs = [], wwids = [], lun }) => {
    const at = `${path}.targetWWNs`;
    if (targetWWNs.length === 0 && wwids.length === 0) {
      found.required(at, 'must specify either targetWWNs or wwids, but not both');
    }
    if (targetWWNs.length > 0 && wwids.length > 0) {
      found.invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously');
    }
    if (targetWWNs.length === 0) return;
    if (lun === undefined) found.required(`${path}.lun`, 'lun is required if targetWWNs is specified');
    else range(found, `${path}.lun`, lun);
  }),
  rule('flexVolume', (found, path, source) => {
    requires('driver')(found, path, source);
    for (const key of Object.keys(source.options ?? {})) {
      const [namespace = ''] = key.split('/', 1);
      if (/\.(?:kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`)) {
        found.invalid(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved');
      }
    }
  }),
  rule('azureFile', (found, path, source) => {
    requires('secretName', 'shareName')(found, path, source);
  }),
  rule('vsphereVolume', requires('volumePath')),
  rule('photonPersistentDisk', requires('pdID')),
  rule('portworxVolume', requires('volumeID')),
  rule('azureDisk', (found, path, source) => {
    const caching = ['None', 'ReadOnly', 'ReadWrite'];
    const kinds = ['Dedicated', 'Managed', 'Shared'];
    const { diskName = '', diskURI = '', cachingMode, kind } = source;
    if (diskName === '') found.required(`${path}.diskName`);
    if (diskURI === '') found.required(`${path}.diskURI`);
    if (cachingMode !== undefined && !caching.includes(cachingMode)) {
      found.notSupported(`${path}.cachingMode`, cachingMode, caching);
    }
    if (kind !== undefined && !kinds.includes(kind)) found.notSupported(`${path}.kind`, kind, kinds);
    if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) {
      found.notSupported(`${path}.diskURI`, diskURI, [
        '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
      ]);
    }
    if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://')) {
      found.notSupported(`${path}.diskURI`, diskURI, [
        'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
      ]);
    }
  }),
  rule('storageos', (found, path, source) => {
    if (!source.volumeName) found.required(`${path}.volumeName`);
    else found.label(`${path}.volumeName`, source.volumeName);
    if (source.volumeNamespace) found.label(`${path}.volumeNamespace`, source.volumeNamespace);
    if (source.secretRef && !source.secretRef.name) found.required(`${path}.secretRef.name`);
  }),
  rule('scaleIO', requires('gateway', 'system', 'volumeName')),
];

function iscsiProblems(found: Problems, path: string, source: Source<'iscsi'>): void {
  const { targetPortal = '', iqn = '', lun = 0, initiatorName } = source;
  if (targetPortal === '') found.required(`${path}.targetPortal`);
  if (iqn === '') found.required(`${path}.iqn`);
  else qualifiedInitiator(found, `${path}.iqn`, iqn);
  range(found, `${path}.lun`, lun);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) {
    found.required(`${path}.secretRef`);
  }
  if (initiatorName !== undefined) qualifiedInitiator(found, `${path}.initiatorname`, initiatorName);
}

function qualifiedInitiator(found: Problems, path: string, name: string): void {
  const form = initiatorForms[name.slice(0, 3)];
  if (form === undefined) found.invalid(path, name, 'must be valid format starting with iqn, eui, or naa');
  else if (!form.test(name)) found.invalid(path, name, 'must be valid format');
}

const initiatorForms: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};
