import type { KeyToPath, Volume, VolumeProjection } from '../../../../imports/k8s.js';
import { goQuote } from '../../../schema/go-format.js';
import { isSaidEmpty } from '../../said-more.js';
import type { Unchecked } from '../unchecked.js';

interface Mapped {
  readonly path: string;
  /** What it comes from, where there are several. */
  readonly source: string;
}

/** Files of one volume that would lie where others do. */
export function overlapWarnings(volumes: readonly Unchecked<Volume>[] = []): readonly string[] {
  return volumes.flatMap(({ name = '', configMap, secret, downwardAPI, projected }) => {
    const overlaps = (what: string, paths: readonly Mapped[]) =>
      overlapsOf(paths).map((overlap) => `volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`);
    const sources = projected?.sources ?? [];
    const empty = sources.filter((source) => Object.keys(source).length === 0);
    return [
      ...overlaps(`ConfigMap ${goQuote(configMap?.name ?? '')}`, mapped(configMap?.items)),
      ...overlaps(`Secret ${goQuote(secret?.secretName ?? '')}`, mapped(secret?.items)),
      ...overlaps('DownwardAPI', mapped(downwardAPI?.items)),
      ...empty.map(() => `volume ${goQuote(name)} (Projected) has no sources provided`),
      ...overlaps('Projected', sources.flatMap(projectedPaths)),
    ];
  });
}

function mapped(items: readonly Unchecked<Pick<KeyToPath, 'path'>>[] = [], source = ''): readonly Mapped[] {
  return items.map(({ path = '' }) => ({ path, source }));
}

/** Of a source that is several things the first counts. */
function projectedPaths(source: Unchecked<VolumeProjection>): readonly Mapped[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle } = source;
  const { podCertificate: certificate } = source;
  const has = (part: object | undefined) => part && ('items' in part || isSaidEmpty(part, 'items'));
  if (has(configMap)) return mapped(configMap?.items, `ConfigMap ${goQuote(configMap?.name ?? '')}`);
  if (has(secret)) return mapped(secret?.items, `Secret ${goQuote(secret?.name ?? '')}`);
  if (has(downwardAPI)) return mapped(downwardAPI?.items, 'DownwardAPI');
  if (token) return [{ path: token.path ?? '', source: 'ServiceAccountToken' }];
  if (bundle) {
    const name = goQuote(bundle.name ?? bundle.signerName ?? '');
    return [{ path: bundle.path ?? '', source: `ClusterTrustBundle ${name}` }];
  }
  return [
    { path: certificate?.certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: certificate?.keyPath ?? '', source: 'PodCertificate key' },
    { path: certificate?.credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

/** Which paths are the same as one before them, or within it, or around it. */
function overlapsOf(paths: readonly Mapped[]): readonly string[] {
  const before: Mapped[] = [];
  return paths.flatMap(({ path: given, source }) => {
    const path = given.replace(/\/+$/, '');
    const overlaps = before.filter(
      (other) => path !== '' && other.path !== '' && (isWithin(path, other.path) || isWithin(other.path, path)),
    );
    before.push({ path, source });
    return overlaps.map((other) => `${shown({ path, source })} with ${shown(other)}`);
  });
}

function isWithin(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

function shown({ path, source }: Mapped): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
