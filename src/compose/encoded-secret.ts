import type { Manifest } from '../kube/manifest.js';

/**
 * A Secret with `stringData` moved to `data`: the former is for writing only, so that the cluster would never show what
 * was applied. Any other object as it is.
 */
export function encodedSecret(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret' || manifest.apiVersion !== 'v1' || manifest['stringData'] === undefined)
    return manifest;
  const { stringData, data, ...others } = manifest as Manifest & {
    readonly stringData: Readonly<Record<string, string>>;
    readonly data?: Readonly<Record<string, string>>;
  };
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]);
  // As on the server, stringData wins over data.
  return { ...others, data: Object.fromEntries([...Object.entries(data ?? {}), ...encoded]) as unknown };
}
