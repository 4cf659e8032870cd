import { adoptModes } from '../kube/adopt.js';
import { type DriftRule, driftModes } from '../kube/drift-mode.js';
import { DefinitionError } from '../kube/errors.js';
import { faultOfRule } from '../kube/policy-rule.js';
import { reaches } from '../kube/reach.js';
import {
  flag,
  isKind,
  kindName,
  kinds,
  map,
  mapOfTexts,
  number,
  refuseMisshapen,
  type Shape,
  text,
  texts,
} from '../kube/refuse-misshapen.js';
import { refuseUnknownOptions } from '../kube/unknown-options.js';
import type { DriftInput, OperatorInput } from './operator-input.js';

type Untyped<T> = Partial<Record<keyof T, unknown>>;
type Options = keyof OperatorInput<never, never, never, never, never>;

const known: Readonly<Record<Options, true>> = {
  name: true,
  owns: true,
  reads: true,
  reach: true,
  allowEmpty: true,
  external: true,
  settings: true,
  adopt: true,
  removal: true,
  formerly: true,
  recreate: true,
  rights: true,
  maxConcurrentReconciles: true,
  requeueAfterSeconds: true,
  drift: true,
  compose: true,
  status: true,
};

const shapes: Readonly<Partial<Record<Options, Shape>>> = {
  name: text,
  reads: map,
  allowEmpty: flag,
  external: map,
  settings: mapOfTexts,
  removal: text,
  formerly: texts,
  recreate: kinds,
  maxConcurrentReconciles: number,
  requeueAfterSeconds: number,
  drift: map,
};

/**
 * Throws `DefinitionError` for what the compiler says of the description of an operator. Bundlers, `kilter dev` and most test
 * runners do not ask it; and a misspelt `reach` must not reach further, nor a misspelt `adopt` take what is another's.
 */
export function refuseUntyped(resource: unknown, input: unknown): void {
  if (!isKind(resource) || !('crd' in resource)) {
    throw new DefinitionError('operator cannot be defined: its first argument is no kind by customResource', {
      hint: 'hand it a kind, and then its description: operator(Site, { owns, compose })',
    });
  }
  const subject = `operator of ${resource.kind} cannot be defined`;
  const options = (input ?? {}) as Partial<Record<Options, unknown>>;
  refuseUnknownOptions(subject, '', options, known);
  refuseMisshapen(subject, '', options, shapes);
  const { owns, compose, status, reads = {}, external = {}, rights = [], reach, adopt, drift } = options;
  if (!Array.isArray(owns) || !owns.every(isKind)) {
    throw new DefinitionError(`${subject}: owns is no list of kinds`, {
      hint: 'write classes of kilter/imports/k8s and their like: owns: [ConfigMap]; or [] for none',
    });
  }
  const [strange] = Object.entries({ compose, ...(status === undefined ? {} : { status }) }).filter(
    ([, each]) => typeof each !== 'function',
  );
  if (strange) throw new DefinitionError(`${subject}: ${strange[0]} is no function`);
  for (const [name, read] of Object.entries(reads as Readonly<Record<string, unknown>>)) {
    const { resource: kind, select } = (read ?? {}) as { readonly resource?: unknown; readonly select?: unknown };
    if (isKind(kind) && 'optional' in kind) {
      throw new DefinitionError(
        `${subject}: reads has "${name}", a ${kind.kind} that is optional(), which only owns knows`,
        {
          hint: `read the class itself; for clusters without it, let owns have it: owns: [optional(${kind.kind})]`,
        },
      );
    }
    if (isKind(kind) && typeof select === 'function') continue;
    throw new DefinitionError(`${subject}: reads has "${name}", which says not what is read`, {
      hint: 'write one(Kind, (cr) => ({ name: … })) or many(Kind, (cr) => ({ labels: … }))',
    });
  }
  for (const [name, each] of Object.entries(external as Readonly<Record<string, unknown>>)) {
    const functions = (each ?? {}) as Readonly<Record<string, unknown>>;
    const missing = ['observe', 'ensure', 'remove'].find((one) => typeof functions[one] !== 'function');
    if (missing === undefined) continue;
    throw new DefinitionError(`${subject}: external has "${name}", whose ${missing} is no function`, {
      hint: `write { pollSeconds, observe, ensure, remove }: ${name} is looked at, made, and removed with its custom resource`,
    });
  }
  refuseRights(subject, rights);
  refuseWord(subject, 'reach', reach, reaches);
  refuseWord(subject, 'adopt', adopt, adoptModes);
  refuseDrift(subject, (drift ?? {}) as Untyped<DriftInput>);
}

/** A misspelt mode would enforce what is to be reported, and a misspelt kind or field be about all of them. */
function refuseDrift(subject: string, drift: Untyped<DriftInput>): void {
  refuseUnknownOptions(subject, 'drift.', drift, { mode: true, strict: true, rules: true, sensitive: true });
  refuseMisshapen(subject, 'drift.', drift, { strict: flag });
  refuseWord(subject, 'a mode of drift', drift.mode, driftModes);
  for (const [option, known] of Object.entries({
    rules: { kind: true, field: true, mode: true, strict: true },
    sensitive: { kind: true, field: true },
  } as const)) {
    const said = drift[option as 'rules' | 'sensitive'] ?? [];
    if (!Array.isArray(said)) throw new DefinitionError(`${subject}: drift.${option} is no list`);
    for (const [index, each] of said.entries()) {
      // A field of all kinds is written as itself.
      if (typeof each === 'string' && option === 'sensitive') continue;
      const path = `drift.${option}[${index}].`;
      refuseMisshapen(subject, path, each, { kind: kindName, field: text, strict: flag });
      refuseUnknownOptions(subject, path, each, known);
      if (option === 'sensitive' && (each as Untyped<DriftRule>).field === undefined) {
        throw new DefinitionError(`${subject}: ${path}field is missing`, {
          hint: "write which field may be shown to nobody: { kind: ConfigMap, field: 'data.token' }",
        });
      }
      refuseWord(subject, 'a mode of drift', (each as Untyped<DriftRule> | null)?.mode, driftModes);
    }
  }
}

function refuseRights(subject: string, rights: unknown): void {
  const fault = Array.isArray(rights)
    ? rights.map(faultOfRule).find((each) => each !== undefined)
    : 'is no rule, nor are they a list';
  if (fault === undefined) return;
  throw new DefinitionError(`${subject}: one of its rights ${fault}`, {
    hint: "write rules as a Role has them: [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] }]",
  });
}

function refuseWord(subject: string, option: string, word: unknown, words: readonly unknown[]): void {
  if (word === undefined || words.includes(word)) return;
  throw new DefinitionError(
    `${subject}: ${option} is ${typeof word === 'string' ? JSON.stringify(word) : String(word)}`,
    { hint: `write ${words.join(', ')}` },
  );
}
