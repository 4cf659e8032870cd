import type { FieldProblem } from '../../schema/field-problem.js';
import { atMostCharacters, betweenInclusive } from '../../schema/name-formats.js';
import { refuse } from './refuse.js';

/** https://kubernetes.io/docs/reference/networking/service-protocols/ */
const portProtocols = ['SCTP', 'TCP', 'UDP'] as const;

const outOfRange = [betweenInclusive(1, 65535)];

export function portNumber(port: number): readonly string[] {
  return port >= 1 && port <= 65535 ? [] : outOfRange;
}

/** The name of a port of a container, by the rules of IANA for service names. */
export function portName(name: string): readonly string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > 15) problems.push(atMostCharacters(15));
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** A port of a container by number or by name. */
export function portNumberOrName(path: string, port: number | string): readonly FieldProblem[] {
  return refuse.each(path, port, typeof port === 'number' ? portNumber(port) : portName(port));
}

/** What is wrong with a protocol, which rules have defaulted before. */
export function protocolProblems(path: string, protocol: string | undefined): readonly FieldProblem[] {
  if (protocol === undefined || protocol === '') return [refuse.required(path)];
  return (portProtocols as readonly string[]).includes(protocol)
    ? []
    : [refuse.notSupported(path, protocol, portProtocols)];
}
