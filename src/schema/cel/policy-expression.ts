import { celError } from './cel-error.js';
import { type CompiledExpression, compile } from './compile.js';
import type { DeclType } from './decl-type.js';
import { policyEnvironment, typedPolicyEnvironment } from './environment.js';

/** What an expression of a ValidatingAdmissionPolicy sees, as JSON. */
export interface PolicyVariables {
  readonly object: unknown;
  /** Null on a create. */
  readonly oldObject: unknown;
  readonly request: unknown;
}

/** What an expression of a ValidatingAdmissionPolicy says of a write. */
export type PolicyExpression =
  | {
      readonly state: 'known';
      /** Throws an error, in the server's words, where it cannot say. */
      holds(variables: PolicyVariables): boolean;
    }
  /** Uses something that only a server in a cluster can evaluate. */
  | { readonly state: 'unknown'; readonly because: string }
  /** `words`: as the API server puts it. */
  | { readonly state: 'faulty'; readonly words: string };

/**
 * What an expression is worth, before anything is written. It is compiled twice, since the library cannot do both at once: to be
 * evaluated, without types, as `object` has none; and with the type of `request`, which the server checks. The words of a
 * fault are those of the first that finds one.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#validation-expression
 */
export function policyExpression(source: string): PolicyExpression {
  const compiled = compile(source, 'bool', anything, { environment: policyEnvironment(), lenient: undefined });
  if (compiled.state !== 'known') return withoutValue(compiled);
  const typed = compile(source, 'bool', anything, { environment: typedPolicyEnvironment(), lenient: undefined });
  if (typed.state === 'faulty') return withoutValue(typed);
  return {
    state: 'known',
    holds(variables) {
      try {
        return compiled.evaluate(dynamic(variables) as ReadonlyMap<string, unknown>) === true;
      } catch (error) {
        throw new Error(`expression '${source}' resulted in error: ${celError(error)}`);
      }
    },
  };
}

function withoutValue(compiled: Exclude<CompiledExpression, { readonly state: 'known' }>): PolicyExpression {
  if (compiled.state === 'unknown') return { state: 'unknown', because: compiled.because };
  const { words } = compiled;
  const [, name] = /undeclared reference to '(authorizer|namespaceObject|params|variables)'/.exec(words) ?? [];
  if (name !== undefined) return { state: 'unknown', because: name };
  return stricterThanServer.test(words)
    ? { state: 'unknown', because: 'the type of a part' }
    : { state: 'faulty', words };
}

/** Where the library wants to know a type that the server takes as it comes: null, and nothing's elements. */
const stricterThanServer =
  /overlaps with|Cannot index type 'undefined'|undeclared reference to 'flatten'|applied to '.*\b(null|undefined)\b/;

/** Nothing is known of what these expressions see before they see it. */
const anything: DeclType = { kind: 'dyn', schema: {}, maxElements: 0, minBytes: 0 };

/** JSON as CEL sees it of which no schema tells: whole numbers are integers. */
function dynamic(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(dynamic);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return new Map(Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, dynamic(each)]])));
}
