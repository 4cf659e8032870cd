import { groupKindOf } from '../kube/api-resource.js';
import type { DriftMode, DriftRule } from '../kube/drift-mode.js';
import { type FieldPath, fieldPath, isWithin } from '../kube/field-path.js';

interface Rule {
  readonly kind: string | undefined;
  readonly path: FieldPath | undefined;
  readonly mode: DriftMode;
}

/**
 * The modes of one operator, from its rules, its flag and the custom resource.
 *
 * **Guarantees.** The most specific wins: a field before a kind, a kind before the custom resource, that before the flag.
 * Of several fields the longest counts, of equal ones the last rule.
 */
export class DriftPolicy {
  static readonly enforcing = DriftPolicy.of([]);

  private constructor(
    private readonly rules: readonly Rule[],
    private readonly fallback: DriftMode,
  ) {}

  /** Throws `DefinitionError` for a path that cannot be read. */
  static of(rules: readonly DriftRule[], fallback: DriftMode = 'enforce'): DriftPolicy {
    const compiled = rules.map(({ kind, field, mode }) => ({
      kind: kind && groupKindOf(kind),
      path: field === undefined ? undefined : fieldPath(field),
      mode,
    }));
    return new DriftPolicy(compiled, fallback);
  }

  /** The same rules, with another mode for whatever they are not about: the operator's flag, or the custom resource. */
  withFallback(mode: DriftMode | undefined): DriftPolicy {
    return mode === undefined || mode === this.fallback ? this : new DriftPolicy(this.rules, mode);
  }

  /** The mode of a child as a whole. */
  modeOf(child: { readonly apiVersion: string; readonly kind: string }): DriftMode {
    const kind = groupKindOf(child);
    const rule = this.rules.findLast((each) => each.kind === kind && each.path === undefined);
    return rule?.mode ?? this.fallback;
  }

  /** What the rules say of single fields of a child; undefined when they say nothing. */
  fieldsOf(child: { readonly apiVersion: string; readonly kind: string }): FieldModes | undefined {
    const kind = groupKindOf(child);
    const rules = this.rules.filter(({ kind: of, path }) => path !== undefined && (of === undefined || of === kind));
    return rules.length === 0 ? undefined : new FieldModes(rules as readonly (Rule & { readonly path: FieldPath })[]);
  }
}

/** The modes of the fields of one kind. */
export class FieldModes {
  constructor(private readonly rules: readonly (Rule & { readonly path: FieldPath })[]) {}

  /** The mode of the place that `trail` leads to, or undefined where no rule is about it. */
  modeOf(trail: readonly string[]): DriftMode | undefined {
    let best: (Rule & { readonly path: FieldPath }) | undefined;
    for (const rule of this.rules) {
      if (!isWithin(rule.path, trail)) continue;
      if (!best || rule.path.steps.length >= best.path.steps.length) best = rule;
    }
    return best?.mode;
  }
}
