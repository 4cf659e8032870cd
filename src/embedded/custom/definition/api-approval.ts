import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import { isOfFormat } from '../../../schema/formats.js';
import type { CustomDefinition } from '../custom-definition.js';

const annotation = 'api-approved.kubernetes.io';
const seeAlso = 'see https://github.com/kubernetes/enhancements/pull/1111';

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** Groups of Kubernetes itself need somebody's approval: https://github.com/kubernetes/enhancements/pull/1111 */
export function approvalProblems(definition: CustomDefinition, old?: CustomDefinition): readonly FieldProblem[] {
  if (!isProtected(definition.spec.group ?? '')) return [];
  const approval = approvalOf(definition);
  if (old && approvalOf(old) === approval) return [];
  const path = `metadata.annotations[${annotation}]`;
  const said = `protected groups must have approval annotation "${annotation}"`;
  if (approval === 'missing') return [problemWithoutValue('FieldValueRequired', path, `${said}, ${seeAlso}`)];
  if (approval !== 'invalid') return [];
  const detail = `${said} with either a URL or a reason starting with "unapproved", ${seeAlso}`;
  return [problem('FieldValueInvalid', path, definition.metadata.annotations?.[annotation], detail)];
}

export function isProtected(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

export function approvalOf({ metadata }: CustomDefinition): Approval {
  const value = metadata.annotations?.[annotation] ?? '';
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  return /^[a-z][-+.a-z0-9]*:\/\/[^/]/i.test(value) && isOfFormat('uri', value) ? 'approved' : 'invalid';
}
