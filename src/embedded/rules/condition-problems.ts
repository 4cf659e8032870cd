import type { Condition } from '../../../imports/k8s.js';
import { mustMatch } from '../../schema/name-formats.js';
import type { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

const statuses = ['False', 'True', 'Unknown'];
const most = { reason: 1024, message: 32 * 1024 } as const;
const notAReason = mustMatch(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);

/** What is wrong with conditions of the form that all kinds share. */
export function conditionProblems(found: Problems, path: string, conditions: readonly Unchecked<Condition>[]): void {
  const types = new Set<string>();
  conditions.forEach((condition, index) => {
    const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition;
    const at = `${path}[${index}]`;
    if (types.has(type)) found.duplicate(`${at}.type`, type);
    types.add(type);
    found.qualifiedName(`${at}.type`, type);
    if (!statuses.includes(status)) found.notSupported(`${at}.status`, status, statuses);
    if (observedGeneration < 0) {
      found.invalid(`${at}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero');
    }
    if (!lastTransitionTime) found.required(`${at}.lastTransitionTime`);
    if (reason === '') found.required(`${at}.reason`);
    else {
      if (!/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason)) found.invalid(`${at}.reason`, reason, notAReason);
      if (Buffer.byteLength(reason) > most.reason) found.tooLong(`${at}.reason`, most.reason);
    }
    if (Buffer.byteLength(message) > most.message) found.tooLong(`${at}.message`, most.message);
  });
}
