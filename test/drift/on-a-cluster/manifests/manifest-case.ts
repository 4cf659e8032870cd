import type { ApiResource } from '../../../../src/kube/api-resource.js';

/** What an author writes, in whatever way the API server accepts it. The title says what is particular about it. */
export interface ManifestCase {
  readonly title: string;
  readonly resource: ApiResource;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The cases of one kind, by title. */
export function casesOf(resource: ApiResource, bodies: Readonly<Record<string, object>>): ManifestCase[] {
  return Object.entries(bodies).map(([title, body]) => ({
    title: `${resource.kind} ${title}`,
    resource,
    body: body as ManifestCase['body'],
  }));
}
