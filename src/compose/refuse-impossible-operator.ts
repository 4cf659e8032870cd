import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import type { DriftRule } from '../kube/drift-mode.js';
import { DefinitionError } from '../kube/errors.js';
import { mostWorkers } from '../kube/flag-values.js';
import type { Operator } from './operator.js';
import { strangeStep } from './strange-step.js';

/**
 * Throws `DefinitionError` for an operator of `kind` that cannot work, though its types are right: its name, its numbers, a kind
 * that it owns twice, rules of drift about what it does not own.
 */
export function refuseImpossibleOperator(
  { kind }: ApiResource,
  operator: Pick<Operator, 'name' | 'owns' | 'maxConcurrentReconciles' | 'requeueAfterSeconds' | 'external' | 'drift'>,
): void {
  const { name, owns, maxConcurrentReconciles, requeueAfterSeconds, external, drift } = operator;
  const subject = `operator "${name}" of ${kind} cannot be defined`;
  if (!/^[a-z0-9]([-a-z0-9.]{0,50}[a-z0-9])?$/.test(name)) {
    throw new DefinitionError(`${subject}: its name goes into labels and names`, {
      hint: 'use lower-case letters, digits and dashes, at most 52 of them',
    });
  }
  if (
    !Number.isInteger(maxConcurrentReconciles) ||
    maxConcurrentReconciles < 1 ||
    maxConcurrentReconciles > mostWorkers
  ) {
    throw new DefinitionError(`${subject}: maxConcurrentReconciles is ${maxConcurrentReconciles}`, {
      hint: `write a whole number from 1 to ${mostWorkers}`,
    });
  }
  const polls = Object.entries(external).map(([id, { pollSeconds }]) => [`pollSeconds of ${id}`, pollSeconds] as const);
  const requeues = requeueAfterSeconds === undefined ? [] : [['requeueAfterSeconds', requeueAfterSeconds] as const];
  for (const [what, seconds] of [...requeues, ...polls]) {
    if (seconds > 0 && Number.isFinite(seconds)) continue;
    throw new DefinitionError(`${subject}: ${what} is ${seconds}`, { hint: 'write a number of seconds above 0' });
  }
  const seen = new Map<string, ApiResource>();
  for (const owned of owns) {
    const twin = seen.get(groupKindOf(owned));
    if (twin) {
      throw new DefinitionError(`${subject}: it owns ${owned.kind} as ${twin.apiVersion} and as ${owned.apiVersion}`, {
        hint: 'both are views of the same objects: keep one',
      });
    }
    seen.set(groupKindOf(owned), owned);
  }
  for (const rule of drift.rules ?? []) {
    if (rule.mode !== undefined || rule.strict !== undefined) continue;
    throw new DefinitionError(
      `${subject}: a drift rule about ${rule.field ?? rule.kind?.kind ?? 'nothing'} says nothing`,
      {
        hint: 'give it a mode, or say whether it is strict',
      },
    );
  }
  const sensitive = (drift.sensitive ?? []).map((said) => (typeof said === 'string' ? { field: said } : said));
  for (const { kind: about, field } of [...(drift.rules ?? []), ...sensitive] as readonly DriftRule[]) {
    const owned = about && seen.get(groupKindOf(about));
    const strange = field === undefined ? undefined : strangeStep(field, owned);
    if (strange) {
      const { name: misspelt, known } = strange;
      throw new DefinitionError(
        `${subject}: a drift rule is about ${field} of ${about?.kind ?? 'every kind'}, where there is no "${misspelt}"`,
        {
          hint:
            known.length === 0
              ? 'take the rule away, or write a key with dots in it as ["a.b"]'
              : `write one of ${known.join(', ')}`,
        },
      );
    }
    if (about && !owned) {
      throw new DefinitionError(
        `${subject}: a drift rule is about ${about.kind} (${about.apiVersion}), which it does not own`,
        {
          hint: 'add it to owns, or take the rule away',
        },
      );
    }
  }
}
