import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import { isOfFormat } from '../../../schema/formats.js';
import { goQuote } from '../../../schema/go-format.js';
import type { CustomDefinition, DefinitionCondition } from '../custom-definition.js';

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

/** What a definition in a group of Kubernetes says of its approval. */
export function approvalCondition(definition: CustomDefinition): DefinitionCondition | undefined {
  if (!isProtected(definition.spec.group)) return undefined;
  const value = definition.metadata.annotations?.[annotation] ?? '';
  const said = `protected groups must have approval annotation "${annotation}"`;
  const conditions: Readonly<Record<Approval, readonly [status: string, reason: string, message: string]>> = {
    missing: ['False', 'MissingAnnotation', `${said}, ${seeAlso}`],
    bypassed: ['False', 'UnapprovedAnnotation', `not approved: ${goQuote(value)}`],
    approved: ['True', 'ApprovedAnnotation', `approved in ${value}`],
    invalid: [
      'False',
      'InvalidAnnotation',
      `${said} with either a URL or a reason starting with "unapproved", ${seeAlso}`,
    ],
  };
  const [status, reason, message] = conditions[approvalOf(definition)];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
}

function isProtected(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function approvalOf({ metadata }: CustomDefinition): Approval {
  const value = metadata.annotations?.[annotation] ?? '';
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  return /^[a-z][-+.a-z0-9]*:\/\/[^/]/i.test(value) && isOfFormat('uri', value) ? 'approved' : 'invalid';
}
