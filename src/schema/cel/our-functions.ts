import type { ASTNode } from '@marcbachmann/cel-js';
import { calendarMethods } from './calendar.js';

/**
 * Methods of which the library's own differ from Kubernetes': its patterns are JavaScript's, it counts code units, folds
 * letters beyond ASCII, writes numbers in its way, and knows fewer durations, times and zones. None can be replaced, so ours
 * have other names, and rules are renamed before they are compiled.
 */
const methods = [
  ...['matches', 'substring', 'indexOf', 'lastIndexOf', 'split', 'lowerAscii', 'upperAscii', 'trim'],
  ...calendarMethods,
];
const calls: Readonly<Record<string, string>> = {
  matches: 'matchesGo',
  duration: 'durationGo',
  timestamp: 'timestampGo',
  has: 'hasField',
  bool: 'boolGo',
  double: 'doubleGo',
  int: 'intGo',
  string: 'stringGo',
  uint: 'uintGo',
};

const ours = new RegExp(
  `\\b(?:(${[...methods, 'duration', 'timestamp', 'bool', 'double', 'int', 'string', 'uint'].join('|')})Go|(has)Field)\\b`,
  'g',
);

/** A text without our names, which only the library has to see. */
export function withTheirFunctions(text: string): string {
  return text.replace(ours, (_, method: string | undefined, macro: string | undefined) => method ?? macro ?? '');
}

/** By how much our names have moved a place of a text. */
export function shiftBefore(text: string, at: number): number {
  const before = text.slice(0, at + 1);
  return before.length - withTheirFunctions(before).length;
}

/** The text of a rule with our names, given all its nodes. */
export function withOurFunctions(source: string, nodes: readonly ASTNode[]): string {
  const places = nodes.flatMap((node) => {
    if (node.op === 'call' && Object.hasOwn(calls, node.args[0])) {
      const [name] = node.args;
      return [{ name, start: source.indexOf(name, node.start), ourName: calls[name]! }];
    }
    if (node.op === 'rcall' && methods.includes(node.args[0])) {
      const [name, receiver] = node.args;
      return [{ name, start: source.indexOf(name, receiver.end), ourName: `${name}Go` }];
    }
    return [];
  });
  return places
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { name, start, ourName }) => text.slice(0, start) + ourName + text.slice(start + name.length),
      source,
    );
}
