import { goJson, goQuote } from '../../schema/go-format.js';
import { labelKey, labelValue } from '../../schema/name-formats.js';
import { badRequest } from '../status-error.js';

type Labels = Readonly<Record<string, string>>;

/** Whether labels are meant by a selector. */
export type LabelQuery = (labels: Labels) => boolean;

/**
 * A label selector as requests have it: `app in (a, b), tier!=web, !canary`. Throws a `StatusError` (400) in the server's
 * words for what cannot be read.
 *
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function labelQuery(text: string): LabelQuery {
  const reader = new Reader(tokensOf(text));
  const requirements: LabelQuery[] = [];
  for (;;) {
    const { type, text: found } = reader.next;
    if (type === 'end') break;
    if (type !== 'word' && type !== '!')
      throw badRequest(`found '${found}', expected: !, identifier, or 'end of string'`);
    requirements.push(requirementOf(reader));
    const after = reader.take();
    if (after.type === 'end') break;
    if (after.type !== ',') throw badRequest(`found '${after.text}', expected: ',' or 'end of string'`);
    const { type: next, text: follows } = reader.next;
    if (next !== 'word' && next !== '!') throw badRequest(`found '${follows}', expected: identifier after ','`);
  }
  return (labels) => requirements.every((holds) => holds(labels));
}

interface Token {
  readonly type: 'word' | 'end' | '!' | ',' | '(' | ')' | '=' | '==' | '!=' | '<' | '>';
  readonly text: string;
}

const pattern = /[ \t\r\n]*(?:(==|!=|[!,()=<>])|([^ \t\r\n!,()=<>]+)|$)/gy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) break;
    const [, mark, word] = match;
    if (mark !== undefined) tokens.push({ type: mark as Token['type'], text: mark });
    else if (word !== undefined) tokens.push({ type: 'word', text: word });
    else break;
  }
  return tokens;
}

const end: Token = { type: 'end', text: '' };

class Reader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The token that is taken next. */
  get next(): Token {
    return this.tokens[this.#at] ?? end;
  }

  take(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }
}

const operators = ['=', '!=', '==', 'in', 'notin', '<', '>'];
const binary = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'].join(', ');

function requirementOf(reader: Reader): LabelQuery {
  const isDenied = reader.next.type === '!';
  if (isDenied) reader.take();
  const { type, text: key } = reader.take();
  if (type !== 'word') throw unreadable(`found '${key}', expected: identifier`);
  const problems = labelKey(key);
  if (problems.length > 0) throw unreadable(`<nil>: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`);
  if (isDenied) return (labels) => !Object.hasOwn(labels, key);
  if (reader.next.type === 'end' || reader.next.type === ',') return (labels) => Object.hasOwn(labels, key);

  const { text: operator } = reader.take();
  if (!operators.includes(operator)) throw unreadable(`found '${operator}', expected: ${binary}`);
  const values = operator === 'in' || operator === 'notin' ? severalValues(reader) : [oneValue(reader)];
  const isCompared = operator === '<' || operator === '>';
  const faults = [...(isCompared ? numberFaults(values) : []), ...valueFaults(key, values)];
  if (faults.length > 0) throw unreadable(faults.length > 1 ? `[${faults.join(', ')}]` : faults.join());
  if (isCompared) return compared(key, operator, values[0] as string);
  const isMeant = (labels: Labels) => Object.hasOwn(labels, key) && values.includes(labels[key] as string);
  return operator === 'notin' || operator === '!=' ? (labels) => !isMeant(labels) : isMeant;
}

function oneValue(reader: Reader): string {
  const { type } = reader.next;
  if (type === 'end' || type === ',') return '';
  const { type: taken, text } = reader.take();
  if (taken !== 'word') throw unreadable(`found '${text}', expected: identifier`);
  return text;
}

/** The values between parentheses; nothing before, between or after commas is the empty value. */
function severalValues(reader: Reader): string[] {
  const open = reader.take();
  if (open.type !== '(') throw unreadable(`found '${open.text}' expected: '('`);
  const first: Token = reader.next;
  if (first.type === ')') {
    reader.take();
    return [''];
  }
  if (first.type !== 'word' && first.type !== ',') {
    throw unreadable(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values: string[] = [];
  let isAfterComma = true;
  for (;;) {
    const { type, text } = reader.take();
    if (type === ')') {
      if (isAfterComma) values.push('');
      return values;
    }
    if (type === ',') {
      if (isAfterComma) values.push('');
      isAfterComma = true;
    } else if (type === 'word') {
      values.push(text);
      isAfterComma = false;
      const follows: Token = reader.next;
      if (follows.type !== ',' && follows.type !== ')') {
        throw unreadable(`found '${follows.text}', expected: ',' or ')'`);
      }
    } else throw unreadable(`found '${text}', expected: ',', or identifier`);
  }
}

function valueFaults(key: string, values: readonly string[]): string[] {
  return [...new Set(values)].sort().flatMap((value, index) => {
    const wrong = labelValue(value);
    return wrong.length > 0 ? [`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${wrong.join('; ')}`] : [];
  });
}

function numberFaults(values: readonly string[]): string[] {
  const problem = `for 'Gt', 'Lt' operators, the value must be an integer`;
  return values.flatMap((value, index) =>
    numberOf(value) === undefined ? [`values[${index}]: Invalid value: ${goJson(value)}: ${problem}`] : [],
  );
}

/** A whole number of 64 bits. */
function numberOf(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function compared(key: string, operator: '<' | '>', value: string): LabelQuery {
  const bound = numberOf(value) ?? 0n;
  return (labels) => {
    const text = Object.hasOwn(labels, key) ? (labels[key] as string) : '';
    const number = numberOf(text);
    if (number === undefined) return false;
    return operator === '<' ? number < bound : number > bound;
  };
}

function unreadable(because: string): Error {
  return badRequest(`unable to parse requirement: ${because}`);
}
