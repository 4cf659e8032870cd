import { CommanderError } from 'commander';
import { causeText, OperatorError } from '../kube/errors.js';
import { harmless } from '../kube/json-escapes.js';

/**
 * An error for standard error: what failed, why, and what to try. As JSON it is one line, with the keys of a log line.
 *
 * Wrong usage names the help of `command`. An error that is none of ours is a fault in kilter, and is shown with its stack.
 */
export function errorText(
  error: unknown,
  { json, colors, command = 'kilter' }: { json: boolean; colors: boolean; command?: string },
): string {
  const { message, cause, hint } = partsOf(error, command);
  if (json) return `${harmless(JSON.stringify({ level: 'error', msg: message, cause, hint }))}\n`;
  const word = colors ? '\u001b[31merror:\u001b[39m' : 'error:';
  const lines = [message, cause && `  cause: ${cause}`, hint && `  hint: ${hint}`];
  return `${word} ${harmless(lines.filter(Boolean).join('\n'))}\n`;
}

interface Parts {
  readonly message: string;
  readonly cause?: string | undefined;
  readonly hint?: string | undefined;
}

function partsOf(error: unknown, command: string): Parts {
  if (error instanceof CommanderError) {
    const [message = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
    return { message, hint: suggestions.join(' ').replace(/^\(|\)$/g, '') || `see ${command} --help` };
  }
  if (error instanceof OperatorError) return { message: error.message, cause: causeOf(error), hint: error.hint };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: `kilter itself failed: ${text}`, hint: 'please report this' };
}

/** What the message does not say already. */
export function causeOf({ message, cause }: Pick<Error, 'message' | 'cause'>): string | undefined {
  if (cause === undefined || cause === null) return undefined;
  const text = causeText(cause) || String(cause);
  return message.includes(text) ? undefined : text;
}
