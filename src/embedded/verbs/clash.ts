import { goQuote } from '../../schema/go-format.js';
import { writerOf } from '../fields/managed-fields.js';
import type { FieldClash } from '../fields/ownership.js';
import { showPath } from '../fields/show-path.js';
import { StatusError } from '../status-error.js';

/** How the server refuses an apply of what others own: https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts */
export function clash(clashes: readonly FieldClash[]): StatusError {
  const byManager = [...clashes].sort((a, b) => (a.manager < b.manager ? -1 : 1));
  const each = byManager.flatMap(({ manager, fields }) =>
    fields.paths().map((path) => ({ manager: showManager(manager), field: showPath(path) })),
  );
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: clashMessage(each),
    details: {
      causes: each.map(({ manager, field }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${manager}`,
        field,
      })),
    },
  });
}

function clashMessage(clashes: readonly { readonly manager: string; readonly field: string }[]): string {
  const [first] = clashes;
  if (clashes.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  const managers = [...new Set(clashes.map(({ manager }) => manager))];
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...clashes.filter((each) => each.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${clashes.length} conflicts: ${lines.join('\n')}`;
}

function showManager(id: string): string {
  const { manager, operation, apiVersion, subresource } = writerOf(id);
  const through = subresource === undefined ? '' : ` with subresource ${goQuote(subresource)}`;
  const how = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${goQuote(manager)}${through}${how}`;
}
