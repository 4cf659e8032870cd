import type { ApiResource } from './api-resource.js';
import { OperatorError } from './errors.js';

/** Throws `OperatorError` for what has no name, as in JavaScript, where no compiler asks for one. */
export function refuseNameless({ kind }: Pick<ApiResource, 'kind'>, { name }: { readonly name: unknown }): void {
  if (typeof name === 'string') return;
  throw new OperatorError(`${kind} was asked for without a name`, { hint: 'say which object is meant, by a text' });
}
