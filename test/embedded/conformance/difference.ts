import type { Json } from '../../../src/kube/manifest.js';
import { isMap } from './json-edit.js';
import type { Normal } from './normaliser.js';
import type { JsonMap } from './operation.js';
import { brokenOff } from './outcome.js';

/** One way in which two answers are not the same. */
export interface Difference {
  /** What kind of difference it is, without the values of this one case: equal for all that have one cause. */
  readonly aspect: string;
  readonly here: string;
  readonly there: string;
}

/** `there` is the real server's answer. */
export function differences(here: Normal, there: Normal): Difference[] {
  // The server hangs up where its code panics, and only in some places says so first.
  if (there.code === brokenOff && messageOf(here).startsWith('This request caused apiserver to panic.')) return [];
  if (here.code !== there.code) {
    const why = (normal: Normal) =>
      normal.code >= 400 ? `${normal.code} ${template(messageOf(normal))}` : `${normal.code}`;
    return [{ aspect: `answers ${why(here)} | real: ${why(there)}`, here: said(here), there: said(there) }];
  }
  return [...warnings(here, there), ...bodies(here.body, there.body)];
}

export function eventDifferences(here: readonly Json[], there: readonly Json[]): Difference[] {
  const told = (events: readonly Json[]) => events.map((event) => nameOfEvent(event)).join(', ');
  const [types, theirTypes] = [told(here), told(there)];
  if (types !== theirTypes) {
    const shape = (events: readonly Json[]) =>
      events.map((event) => (isMap(event) ? `${event['type']}` : '')).join(' ');
    const [a, b] = [shape(here), shape(there)];
    return [
      { aspect: `events: ${a === b ? 'of other objects' : `${a} | real: ${b}`}`, here: types, there: theirTypes },
    ];
  }
  return withoutConsequences(here.flatMap((event, index) => compared('event', event, there[index] as Json))).slice(
    0,
    5,
  );
}

function nameOfEvent(event: Json): string {
  if (!isMap(event)) return '?';
  const object = isMap(event['object']) ? event['object'] : {};
  const metadata = isMap(object['metadata']) ? object['metadata'] : {};
  return [event['type'], metadata['name'] ?? object['message'] ?? '', metadata['resourceVersion'] ?? '']
    .join(' ')
    .trim();
}

function warnings(here: Normal, there: Normal): Difference[] {
  const only = (a: Normal, b: Normal) => a.warnings.filter((warning) => !b.warnings.includes(warning));
  const found = [
    ...only(here, there).map((warning) => `extra warning: ${template(warning)}`),
    ...only(there, here).map((warning) => `missing warning: ${template(warning)}`),
  ];
  if (found.length === 0 && here.warnings.join() !== there.warnings.join()) found.push('order of warnings');
  return found.map((aspect) => ({ aspect, here: here.warnings.join(' | '), there: there.warnings.join(' | ') }));
}

function bodies(here: Json | undefined, there: Json | undefined): Difference[] {
  if (here === undefined || there === undefined) return [];
  if (isMap(here) && isMap(there) && here['status'] === 'Failure' && there['status'] === 'Failure') {
    return refusals(here, there);
  }
  return withoutConsequences(compared('', here, there));
}

/** Who owns which fields follows from which fields there are. */
function withoutConsequences(found: Difference[]): Difference[] {
  const causes = found.filter(({ aspect }) => !aspect.includes('metadata.managedFields'));
  return causes.length > 0 ? causes : found;
}

/** Problem by problem, for a request may have several, and each has a cause of its own. */
function refusals(here: JsonMap, there: JsonMap): Difference[] {
  const texts = { here: `${here['message']}`, there: `${there['message']}` };
  if (texts.here === texts.there) return compared('Status', here, there);
  if (isUndeclared(texts.here) && isUndeclared(texts.there)) return [];
  const [ours, theirs] = [causesOf(here), causesOf(there)];
  const found = [
    ...ours.filter((cause) => !theirs.includes(cause)).map((cause) => `extra problem: ${template(cause)}`),
    ...theirs.filter((cause) => !ours.includes(cause)).map((cause) => `missing problem: ${template(cause)}`),
  ];
  if (found.length === 0) {
    const isOrder = ours.length > 1 && [...ours].sort().join() === [...theirs].sort().join();
    if (isOrder && isOfCustomResource(there)) return [];
    found.push(isOrder ? 'order of problems' : `message: ${template(texts.here)} | real: ${template(texts.there)}`);
  }
  return found.map((aspect) => ({ aspect, ...texts }));
}

/** Of several things that an apply cannot say, the real server tells those that a Go map gives it before the first such. */
function isUndeclared(message: string): boolean {
  return message.startsWith('failed to create typed patch object') && message.includes('field not declared in schema');
}

/** The order of their problems is that of a Go map. */
function isOfCustomResource(status: JsonMap): boolean {
  const group = isMap(status['details']) ? `${status['details']['group'] ?? ''}` : '';
  return group.includes('.') && !group.endsWith('k8s.io');
}

function causesOf(status: JsonMap): string[] {
  const details = isMap(status['details']) ? status['details'] : {};
  const causes = Array.isArray(details['causes']) ? (details['causes'] as readonly JsonMap[]) : [];
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

function compared(path: string, here: Json | undefined, there: Json | undefined): Difference[] {
  if (here === there) return [];
  const one = (what: string): Difference[] => [
    { aspect: `${path} ${what}`.trim(), here: shown(here), there: shown(there) },
  ];
  if (here === undefined) return one('missing');
  if (there === undefined) return one('extra');
  if (Array.isArray(here) && Array.isArray(there)) {
    if (here.length !== there.length) return one(`has ${here.length} items | real: ${there.length}`);
    return here.flatMap((item, index) => compared(`${path}[*]`, item, there[index]));
  }
  if (isMap(here) && isMap(there)) {
    return [...new Set([...Object.keys(here), ...Object.keys(there)])].flatMap((key) =>
      compared(path === '' ? key : `${path}.${keyShown(key)}`, here[key], there[key]),
    );
  }
  return one('differs');
}

/** Names of managers and the like are alike in what they mean. */
function keyShown(key: string): string {
  return key
    .replace(/^(?:alice|bob|carol)\b/, '<manager>')
    .replace(/^(\S+ (?:Apply|Update)(?: status| scale)?) \S+$/, '$1');
}

function messageOf({ body }: Normal): string {
  return isMap(body) ? `${body['message']}` : '';
}

function said(normal: Normal): string {
  return normal.code >= 400 ? `${normal.code} ${messageOf(normal)}` : `${normal.code}`;
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** A message without the values in it. */
export function template(message: string): string {
  const short = message
    .replace(/\{"(?:[^"\\]|\\.)*":.*?\}(?=: |$)/g, '{…}')
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\[\d+\]/g, '[*]')
    .replace(/<(\w+) \d+>/g, '<$1>')
    .replace(/(?<![\w.])-?\d+(\.\d+)?\b/g, 'N');
  return short.length > 220 ? `${short.slice(0, 220)}…` : short;
}
