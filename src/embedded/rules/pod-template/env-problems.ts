import type { Container, EnvFromSource, EnvVar } from '../../../../imports/k8s.js';
import { dns1123SubdomainName } from '../../../schema/name-formats.js';
import { configKey } from '../config-key.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { fieldRef, resourceFieldRef } from './downward-problems.js';
import { noBacksteps } from './path-problems.js';

/** https://kubernetes.io/docs/concepts/workloads/pods/ environment of a container. */
export function environmentProblems(found: Problems, path: string, container: Unchecked<Container>): void {
  container.env?.forEach((variable, index) => {
    const at = `${path}.env[${index}]`;
    const { name = '' } = variable;
    if (name === '') found.required(`${at}.name`);
    else found.format(`${at}.name`, name, variableName);
    if (variable.valueFrom) valueFromProblems(found, `${at}.valueFrom`, variable);
  });
  container.envFrom?.forEach((source, index) => {
    envFromProblems(found, `${path}.envFrom`, index, source);
  });
}

/** The name of a variable may have any printable ASCII in it but what ends it. */
function variableName(text: string): readonly string[] {
  const problems: string[] = [];
  if (text === '') problems.push('environment variable name must be non-empty');
  if (/[^\x20-\x3c\x3e-\x7e]/.test(text)) {
    problems.push("a valid environment variable name must consist only of printable ASCII characters other than '='");
  }
  return problems;
}

function valueFromProblems(found: Problems, path: string, { value = '', valueFrom = {} }: Unchecked<EnvVar>): void {
  let sources = 0;
  if (valueFrom.fieldRef) {
    sources++;
    fieldRef(found, `${path}.fieldRef`, valueFrom.fieldRef, 'environment');
  }
  if (valueFrom.resourceFieldRef) {
    sources++;
    resourceFieldRef(found, `${path}.resourceFieldRef`, valueFrom.resourceFieldRef, 'environment');
  }
  if (valueFrom.configMapKeyRef) {
    sources++;
    keyRefProblems(found, `${path}.configMapKeyRef`, valueFrom.configMapKeyRef);
  }
  if (valueFrom.secretKeyRef) {
    sources++;
    keyRefProblems(found, `${path}.secretKeyRef`, valueFrom.secretKeyRef);
  }
  if (valueFrom.fileKeyRef) {
    sources++;
    const { key = '', volumeName = '', path: file = '' } = valueFrom.fileKeyRef;
    const at = `${path}.fileKeyRef`;
    if (key === '') found.required(`${at}.key`);
    else found.format(`${at}.key`, key, variableName);
    if (volumeName === '') found.required(`${at}.volumeName`);
    else found.label(`${at}.volumeName`, volumeName);
    if (file === '') found.required(`${at}.path`);
    else noBacksteps(found, `${at}.path`, file);
  }
  if (sources === 0) {
    const all = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    found.invalid(path, '', `must specify one of: ${all}`);
  } else if (value !== '') found.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (sources > 1) found.invalid(path, '', 'may not have more than one field specified at a time');
}

function keyRefProblems(
  found: Problems,
  path: string,
  { name = '', key = '' }: { name?: string | undefined; key?: string | undefined },
): void {
  found.subdomain(`${path}.name`, name);
  if (key === '') found.required(`${path}.key`);
  else found.format(`${path}.key`, key, configKey);
}

function envFromProblems(found: Problems, path: string, index: number, source: Unchecked<EnvFromSource>): void {
  const at = `${path}[${index}]`;
  if (source.prefix) found.format(`${at}.prefix`, source.prefix, variableName);
  let sources = 0;
  for (const field of ['configMapRef', 'secretRef'] as const) {
    const reference = source[field];
    if (reference === undefined) continue;
    sources++;
    const { name = '' } = reference;
    if (name === '') found.required(`${at}.${field}.name`);
    else found.format(`${at}.${field}.name`, name, (text) => dns1123SubdomainName(text, true));
  }
  // At the path of the whole list, as the server has it.
  if (sources === 0) found.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
  else if (sources > 1) found.invalid(path, '', 'may not have more than one field specified at a time');
}
