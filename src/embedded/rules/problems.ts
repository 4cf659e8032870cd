import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import { goJson, goQuote } from '../../schema/go-format.js';
import { dns1123Label, dns1123Subdomain, type NameFormat, qualifiedName } from '../../schema/name-formats.js';
import { refuse } from './refuse.js';

/** Collects what is wrong with an object, in the order and in the words of the API server. */
export class Problems {
  readonly all: FieldProblem[] = [];

  add(problems: readonly FieldProblem[]): void {
    for (const each of problems) this.all.push(each);
  }

  required(path: string, detail = ''): void {
    this.all.push(refuse.required(path, detail));
  }

  forbidden(path: string, detail = ''): void {
    this.all.push(refuse.forbidden(path, detail));
  }

  invalid(path: string, value: unknown, detail: string): void {
    this.all.push(refuse.invalid(path, value, detail));
  }

  /** For a value that the server prints in a form of its own. */
  invalidShown(path: string, shown: string, detail: string): void {
    const message = detail === '' ? `Invalid value: ${shown}` : `Invalid value: ${shown}: ${detail}`;
    this.all.push({ reason: 'FieldValueInvalid', path, message });
  }

  /** For a value that the server keeps to itself. */
  invalidWithoutValue(path: string, detail: string): void {
    this.all.push(problemWithoutValue('FieldValueInvalid', path, detail));
  }

  duplicate(path: string, value: unknown): void {
    this.all.push(refuse.duplicate(path, value));
  }

  /** For a value that the server prints in a form of its own. */
  duplicateShown(path: string, shown: string, detail = ''): void {
    this.all.push(refuse.duplicateShown(path, shown, detail));
  }

  notFound(path: string, value: unknown, detail = ''): void {
    this.all.push(problem('FieldValueNotFound', path, value, detail));
  }

  notSupported(path: string, value: unknown, supported: readonly string[]): void {
    this.all.push(refuse.notSupported(path, value, supported));
  }

  /** For a value that the server prints in a form of its own. */
  notSupportedShown(path: string, shown: string, supported: readonly string[]): void {
    const message = `Unsupported value: ${shown}: supported values: ${supported.map(goQuote).join(', ')}`;
    this.all.push({ reason: 'FieldValueNotSupported', path, message });
  }

  tooLong(path: string, bytes: number): void {
    this.all.push(refuse.tooLong(path, bytes));
  }

  tooMany(path: string, count: number, most: number): void {
    this.all.push(refuse.tooMany(path, count, most));
  }

  /** A field that is absent counts as 0. */
  nonNegative(path: string, value: number | undefined): void {
    if (value !== undefined && value < 0) this.invalid(path, value, 'must be greater than or equal to 0');
  }

  format(path: string, value: string, format: NameFormat): void {
    for (const message of format(value)) this.invalid(path, value, message);
  }

  label(path: string, value: string): void {
    this.format(path, value, dns1123Label);
  }

  subdomain(path: string, value: string): void {
    this.format(path, value, dns1123Subdomain);
  }

  qualifiedName(path: string, value: string): void {
    this.format(path, value, qualifiedName);
  }
}

/** JSON as Go writes it of a struct whose fields have the order of `keys`; others follow, sorted. */
export function goStruct(value: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  const known = keys.filter((key) => value[key] !== undefined);
  const others = Object.keys(value)
    .filter((key) => !keys.includes(key) && value[key] !== undefined)
    .sort();
  return `{${[...known, ...others].map((key) => `${goJson(key)}:${goJson(value[key])}`).join(',')}}`;
}

/** A label selector as the server prints it. */
export function goSelector(selector: object | undefined): string {
  if (selector === undefined) return 'null';
  const { matchLabels, matchExpressions } = selector as { matchLabels?: object; matchExpressions?: readonly object[] };
  const parts: string[] = [];
  if (matchLabels !== undefined && Object.keys(matchLabels).length > 0) {
    parts.push(`"matchLabels":${goJson(matchLabels)}`);
  }
  if (matchExpressions !== undefined && matchExpressions.length > 0) {
    const shown = matchExpressions.map((each) =>
      goStruct({ key: '', operator: '', ...each } as Record<string, unknown>, ['key', 'operator', 'values']),
    );
    parts.push(`"matchExpressions":[${shown.join(',')}]`);
  }
  return `{${parts.join(',')}}`;
}
