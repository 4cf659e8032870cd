import type { Json } from '../../../../src/kube/manifest.js';
import type { JsonMap } from '../operation.js';

/** What bodies of a kind are made of: good values, plausible edits of them, and what the server must refuse. */
export interface KindGrammar {
  /** `apps/v1/deployments` */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Bodies that the server takes, without apiVersion, kind and metadata. */
  readonly bases: readonly JsonMap[];
  readonly fields: readonly Field[];
  /** Edits of the status, for kinds with such a subresource. */
  readonly status?: readonly Field[];
  readonly scale?: boolean;
  readonly fieldSelectors?: readonly string[];
  /** Instead of `a`, `b` and `c`. */
  readonly names?: readonly string[];
  /** Names that this kind refuses, beside those that all refuse. */
  readonly badNames?: readonly string[];
  /** How often it is chosen, beside 1. */
  readonly weight?: number;
  /** After a create it is the server's turn, for a moment. */
  readonly settles?: boolean;
  /** Its writes are only tried (`dryRun`), for they would meddle with others. */
  readonly dry?: boolean;
}

/** A place in a body, with values for it. */
export interface Field {
  readonly path: readonly (string | number)[];
  readonly good: readonly Json[];
  readonly bad: readonly Json[];
}

/** `field('spec.ports.0.port', [80], [0])`: steps are parted by dots, and a number is an index. */
export function field(
  path: string | readonly (string | number)[],
  good: readonly Json[],
  bad: readonly Json[] = [],
): Field {
  const steps =
    typeof path === 'string' ? path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)) : path;
  return { path: steps, good, bad };
}

/** The same fields, further down. */
export function under(path: string, fields: readonly Field[]): Field[] {
  const steps = field(path, []).path;
  return fields.map((each) => ({ ...each, path: [...steps, ...each.path] }));
}

export function apiVersionOf({ resource }: Pick<KindGrammar, 'resource'>): string {
  return resource.slice(0, resource.lastIndexOf('/'));
}
