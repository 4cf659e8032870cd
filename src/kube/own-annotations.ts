import { groupOf } from './api-resource.js';

/** What a person says of a custom resource beside its spec, by annotations of its group. Equal texts for those who say the same. */
export function ownAnnotations(cr: {
  readonly apiVersion: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): string {
  const prefix = `${groupOf(cr.apiVersion)}/`;
  const own = Object.entries(cr.metadata.annotations ?? {}).filter(([name]) => name.startsWith(prefix));
  return JSON.stringify(own.sort());
}
