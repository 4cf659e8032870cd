import type { KubeObject } from '../../kube/manifest.js';
import type { Listed } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { given } from './query.js';
import { apiVersionOf, isTyped } from './typed-kind.js';

/** A list as it is answered: https://kubernetes.io/docs/reference/using-api/api-concepts/#collections */
export function listBody(kind: ServedKind, listed: Listed): object {
  const apiVersion = apiVersionOf(kind);
  if (!isTyped(kind)) {
    const metadata = { continue: '', ...listMetadata(listed) };
    return { apiVersion, items: listed.items, kind: kind.listKind, metadata };
  }
  return { kind: kind.listKind, apiVersion, metadata: listMetadata(listed), items: listed.items.map(withoutType) };
}

export function listMetadata({ resourceVersion, continue: next, remainingItemCount }: Listed): object {
  return { resourceVersion, ...given('continue', next), ...given('remainingItemCount', remainingItemCount) };
}

function withoutType({ apiVersion: _, kind: __, ...content }: KubeObject): object {
  return content;
}
