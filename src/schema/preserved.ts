import { type CommonOptions, commonPart, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

/**
 * Anything at all, stored as it is written (`x-kubernetes-preserve-unknown-fields`). `T` says what the author expects,
 * without the server checking it.
 *
 * **Beware**: Argo CD's server-side diff goes wrong below such a field (argo-cd#27625), and CEL rules cannot see it.
 */
export function preserved<T = unknown>(
  options: CommonOptions & { readonly default: T & {} },
): Schema<T, T, 'defaulted'>;
export function preserved<T = unknown>(options: CommonOptions & { readonly optional: true }): Schema<T, T, 'optional'>;
export function preserved<T = unknown>(options?: CommonOptions): Schema<T, T, 'required'>;
export function preserved(given?: CommonOptions): Schema<unknown, unknown> {
  const options: CommonOptions = given ?? {};
  return new Schema(
    { 'x-kubernetes-preserve-unknown-fields': true, ...picked<CommonOptions, never>(options), ...commonPart(options) },
    presenceOf(options),
  );
}
