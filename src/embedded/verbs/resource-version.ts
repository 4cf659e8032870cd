import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import type { Selection } from '../api-server.js';
import { invalid, StatusError, unexplained } from '../status-error.js';

/** A resourceVersion as a number; undefined when none is given. Throws a `StatusError`. */
export function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const number = versionNumberOf(text);
  if (number !== undefined) return Number(number);
  const fault = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw unexplained(500, `${unreadable} ${JSON.stringify(text)}: ${syntax} ${JSON.stringify(text)}: ${fault}`);
}

/** A resourceVersion as the server compares it; undefined for what is none. */
export function versionNumberOf(text: string): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const number = BigInt(text);
  return BigInt.asUintN(64, number) === number ? number : undefined;
}

/** The version that an object to be written says, 0 for none. Throws a `StatusError` (500). */
export function versionSaid({ resourceVersion = '' }: { readonly resourceVersion?: string }): bigint {
  const version = resourceVersion === '' ? 0n : versionNumberOf(resourceVersion);
  if (version !== undefined) return version;
  throw unexplained(500, `${syntax} ${JSON.stringify(resourceVersion)}: invalid syntax`);
}

const unreadable = 'resourceVersion: Invalid value:';
const syntax = 'strconv.ParseUint: parsing';

/** The server does not wait for a version that may never come. */
export function tooLarge(asked: number, current: number): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      retryAfterSeconds: 1,
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    },
  });
}

const match = 'resourceVersionMatch';

/** What the server refuses in the options of a list. */
export function checkListOptions({ resourceVersion = '', resourceVersionMatch = '', ...rest }: Selection): void {
  const problems: FieldProblem[] = [];
  const no = (path: string, detail: string) => problems.push(problemWithoutValue('FieldValueForbidden', path, detail));
  if (resourceVersionMatch !== '') {
    if (resourceVersion === '') no(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (rest.continue) no(match, 'resourceVersionMatch is forbidden when continue is provided');
    if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
      problems.push(notSupported(resourceVersionMatch, '"Exact", "NotOlderThan", ""'));
    }
    if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
      no(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (rest.sendInitialEvents !== undefined) no('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  refuse(problems);
}

/** What the server refuses in the options of a watch. */
export function checkWatchOptions(selection: Selection): void {
  const { resourceVersionMatch = '', sendInitialEvents, ...rest } = withInitialEvents(selection);
  const problems: FieldProblem[] = [];
  const no = (path: string, detail: string) => problems.push(problemWithoutValue('FieldValueForbidden', path, detail));
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    no(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (resourceVersionMatch !== '') {
    if (sendInitialEvents === undefined) {
      no(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    }
    if (resourceVersionMatch !== 'NotOlderThan') problems.push(notSupported(resourceVersionMatch, '"NotOlderThan"'));
    if (rest.continue) no(match, 'resourceVersionMatch is forbidden when continue is provided');
  }
  refuse(problems);
}

/** A watch from no version is one that begins with what there is. */
function withInitialEvents(selection: Selection): Selection {
  const { resourceVersion = '0', resourceVersionMatch, sendInitialEvents } = selection;
  return resourceVersion !== '0' || resourceVersionMatch !== undefined || sendInitialEvents !== undefined
    ? selection
    : { ...selection, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

function notSupported(value: string, values: string): FieldProblem {
  return problem('FieldValueNotSupported', match, value, `supported values: ${values}`);
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', problems);
}
