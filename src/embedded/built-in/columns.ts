import type { TableColumn } from '../kinds/served-kind.js';

/** The columns of `kubectl get` for a built-in kind, by the name under which it is kept, beside Name and Age. */
export function columnsOf(_resource: string): readonly TableColumn[] {
  return [];
}
