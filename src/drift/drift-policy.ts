import { groupKindOf, type KindName } from '../kube/api-resource.js';
import type { DriftMode, DriftRule, SensitiveField } from '../kube/drift-mode.js';
import { type FieldPath, fieldPath, isWithin, reaches, valuesOf } from '../kube/field-path.js';
import { isOwnerUid } from '../kube/owner-labels.js';
import { appliedHash } from './hash.js';

interface Rule {
  readonly kind: string | undefined;
  readonly path: FieldPath | undefined;
  readonly mode: DriftMode | undefined;
  readonly strict: boolean | undefined;
}
type FieldRule = Rule & { readonly path: FieldPath };

interface Parts {
  readonly rules: readonly Rule[];
  readonly sensitive: readonly { readonly kind: string | undefined; readonly path: FieldPath }[];
  readonly mode: DriftMode;
  readonly strict: boolean;
}

/** What an operator says of drift. */
export interface DriftPolicyInput {
  readonly mode?: DriftMode | undefined;
  readonly strict?: boolean | undefined;
  readonly rules?: readonly DriftRule[];
  readonly sensitive?: readonly SensitiveField[];
}

/**
 * What one operator does about drift, from its rules, its flag and the custom resource.
 *
 * **Guarantees.** The most specific wins: a field before a kind, a kind before the custom resource, that before the flag.
 * Of several fields the longest counts, of equal ones the last rule.
 */
export class DriftPolicy {
  static readonly enforcing = DriftPolicy.of({});

  private constructor(private readonly parts: Parts) {}

  /** Throws `DefinitionError` for a path that cannot be read. */
  static of({ rules = [], sensitive = [], mode = 'enforce', strict = false }: DriftPolicyInput): DriftPolicy {
    const kindOf = (kind: DriftRule['kind']) => kind && groupKindOf(kind);
    return new DriftPolicy({
      rules: rules.map((rule) => ({
        kind: kindOf(rule.kind),
        path: rule.field === undefined ? undefined : fieldPath(rule.field),
        mode: rule.mode,
        strict: rule.strict,
      })),
      sensitive: sensitive
        .map((said) => (typeof said === 'string' ? { field: said } : said))
        .map(({ kind, field }) => ({ kind: kindOf(kind), path: fieldPath(field) })),
      mode,
      strict,
    });
  }

  /** The same rules, with another mode for whatever they are not about: the operator's flag, or the custom resource. */
  withFallback(mode: DriftMode | undefined): DriftPolicy {
    return mode === undefined || mode === this.parts.mode ? this : new DriftPolicy({ ...this.parts, mode });
  }

  /** The mode of whatever no rule is about, such as what is outside the cluster. */
  get mode(): DriftMode {
    return this.parts.mode;
  }

  /** The mode of a child as a whole. */
  modeOf(child: KindName): DriftMode {
    const kind = groupKindOf(child);
    const rule = this.parts.rules.findLast((each) => each.kind === kind && !each.path && each.mode);
    return rule?.mode ?? this.parts.mode;
  }

  /** Whether what others add to a child is removed, where no rule for a field says otherwise. */
  isStrict(child: KindName): boolean {
    const kind = groupKindOf(child);
    const rule = this.parts.rules.findLast((each) => each.kind === kind && !each.path && each.strict !== undefined);
    return rule?.strict ?? this.parts.strict;
  }

  /** What the rules say of single fields of a child; undefined when they say nothing. */
  fieldsOf(child: KindName): FieldModes | undefined {
    const kind = groupKindOf(child);
    const rules = this.parts.rules.filter(({ kind: of, path }) => path && (of === undefined || of === kind));
    return rules.length === 0 ? undefined : new FieldModes(rules as readonly FieldRule[]);
  }

  /** True when anything in such a child may be shown to nobody. */
  hasSensitive(child: KindName): boolean {
    return this.#sensitiveOf(child).length > 0;
  }

  /** True when the value at `trail` may be shown to nobody, or holds one that may not. */
  isSensitive(child: KindName, trail: readonly string[]): boolean {
    return this.#sensitiveOf(child).some(
      ({ path }) => isWithin(path, trail) || (trail.length > 0 && reaches(path, trail)),
    );
  }

  /** What of `child` may be shown to nobody. */
  sensitiveValues(child: KindName): readonly unknown[] {
    return this.#sensitiveOf(child).flatMap(({ path }) => valuesOf(path, child));
  }

  #sensitiveOf(child: KindName): Parts['sensitive'] {
    const kind = groupKindOf(child);
    return this.parts.sensitive.filter(({ kind: of }) => of === undefined || of === kind);
  }
}

/** The rules for the fields of one kind. */
export class FieldModes {
  constructor(private readonly rules: readonly FieldRule[]) {}

  /** The mode of the place that `trail` leads to, or undefined where no rule is about it. */
  modeOf(trail: readonly string[]): DriftMode | undefined {
    if (isOwnMark(trail)) return undefined;
    return this.#best(trail, ({ mode }) => mode !== undefined)?.mode;
  }

  /** Whether what others add at the place that `trail` leads to is removed, or undefined where no rule says. */
  isStrict(trail: readonly string[]): boolean | undefined {
    return this.#best(trail, ({ strict }) => strict !== undefined)?.strict;
  }

  /** True when a rule leads to the first `depth` segments of `trail` or beyond them, and not just to what they are in. */
  names(trail: readonly string[], depth: number): boolean {
    return this.rules.some(({ path }) => path.steps.length >= depth && isWithin(path, trail));
  }

  #best(trail: readonly string[], isMeant: (rule: FieldRule) => boolean): FieldRule | undefined {
    let best: FieldRule | undefined;
    for (const rule of this.rules) {
      if (!isMeant(rule) || !isWithin(rule.path, trail)) continue;
      if (!best || rule.path.steps.length >= best.path.steps.length) best = rule;
    }
    return best;
  }
}

/**
 * True for what says whose a child is, and what was last applied of it. A rule for all labels, or for all annotations, means
 * those of its author and of others: a child that lost these would be nobody's, or new in every round.
 */
function isOwnMark([first, second, third = '', ...more]: readonly string[]): boolean {
  if (first !== 'f:metadata' || more.length > 0) return false;
  return second === 'f:annotations' ? third === `f:${appliedHash}` : second === 'f:labels' && isOwnerUid(third);
}
