import type { PersistentVolumeClaimSpec } from '../../../imports/k8s.js';
import { isSaidEmpty } from '../said-more.js';
import { shownAmount, sortedNames } from './amounts.js';
import type { Unchecked } from './unchecked.js';

type ClaimSpec = Unchecked<PersistentVolumeClaimSpec>;

/** The spec of a claim as the server prints it in a difference: its own struct, one field a line. */
export function shownClaimSpec(spec: ClaimSpec): string {
  const { dataSource, dataSourceRef } = spec;
  return JSON.stringify(
    {
      AccessModes: spec.accessModes ?? (isSaidEmpty(spec, 'accessModes') ? [] : null),
      Selector: spec.selector ?? null,
      Resources: { Limits: amounts(spec.resources, 'limits'), Requests: amounts(spec.resources, 'requests') },
      VolumeName: spec.volumeName ?? '',
      StorageClassName: spec.storageClassName ?? null,
      VolumeMode: spec.volumeMode ?? null,
      DataSource: dataSource
        ? { APIGroup: dataSource.apiGroup ?? null, Kind: dataSource.kind ?? '', Name: dataSource.name ?? '' }
        : null,
      DataSourceRef: dataSourceRef
        ? {
            APIGroup: dataSourceRef.apiGroup ?? null,
            Kind: dataSourceRef.kind ?? '',
            Name: dataSourceRef.name ?? '',
            Namespace: dataSourceRef.namespace ?? null,
          }
        : null,
      VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
    },
    undefined,
    ' ',
  );
}

function amounts(resources: ClaimSpec['resources'], field: 'limits' | 'requests'): object | null {
  const given = resources?.[field];
  if (given === undefined) return isSaidEmpty(resources, field) ? {} : null;
  return Object.fromEntries(sortedNames(given).map((name) => [name, shownAmount(given[name]!)]));
}
