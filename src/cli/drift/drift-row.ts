import { type Difference, showValue } from '../../drift/difference.js';
import type { Step } from '../../drift/plan.js';
import { refOfStep } from '../../drift/plan.js';
import { harmless } from '../../kube/json-escapes.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';

/** One field of a child that is not as its operator has it, as a machine reads it. */
export interface DriftRow {
  readonly customResource: string;
  readonly child: string;
  /** Empty for the child as a whole. */
  readonly field: string;
  readonly desired?: unknown;
  /** Absent where there is nothing. */
  readonly observed?: unknown;
  /** Absent where nobody owns the field now: it was removed. */
  readonly writer?: { readonly manager: string; readonly operation: string; readonly time?: string };
  /** What the controller does about it: `enforce` puts it back. */
  readonly mode: 'enforce' | 'report';
}

/**
 * What a controller would find drifted. What a rule ignores is none, and neither is what it is about to write anyway.
 *
 * `isPruning` is false where it leaves alone what is not composed any more, for it doubts that this is meant.
 */
export function driftRows(cr: KubeObject, steps: readonly Step[], isPruning: boolean): DriftRow[] {
  const customResource = show(refOf(cr));
  return steps.flatMap((step) => {
    const child = show(refOfStep(step));
    const row = (mode: DriftRow['mode']) => (difference: Difference) => ({
      customResource,
      child,
      ...partsOf(difference),
      mode,
    });
    const whole = (desired: string | undefined, observed: string | undefined): Difference => ({
      path: '',
      trail: [],
      desired,
      observed,
      by: undefined,
    });
    switch (step.type) {
      case 'create':
        return [row('enforce')(whole('there', undefined))];
      case 'prune':
        return [row(isPruning ? 'enforce' : 'report')(whole(undefined, 'there'))];
      case 'apply':
        return [...step.drift.map(row('enforce')), ...step.reported.map(row('report'))];
      case 'keep':
      case 'leave':
      case 'hold':
        return step.reported.map(row('report'));
      default:
        return [];
    }
  });
}

function partsOf({ path, desired, observed, by }: Difference) {
  return {
    field: path,
    ...(desired === undefined ? {} : { desired }),
    ...(observed === undefined ? {} : { observed }),
    ...(by === undefined
      ? {}
      : {
          writer: { manager: by.manager, operation: by.operation, ...(by.time === undefined ? {} : { time: by.time }) },
        }),
  };
}

const heads = ['CUSTOM RESOURCE', 'CHILD', 'FIELD', 'DESIRED', 'OBSERVED', 'WRITTEN BY', 'AT', 'MODE'];
const widest = 60;

/** The rows as kubectl would print them. */
export function driftTable(rows: readonly DriftRow[]): string {
  const cells = rows.map(({ customResource, child, field, desired, observed, writer, mode }) => [
    customResource,
    child,
    field === '' ? '(all of it)' : field,
    field === '' ? wordFor(desired, 'none') : cut(showValue(desired)),
    field === '' ? wordFor(observed, 'missing') : cut(showValue(observed)),
    writer ? `${writer.manager} (${writer.operation})` : '',
    writer?.time ?? '',
    mode,
  ]);
  const shown = cells.map((row) => row.map((cell) => harmless(cell).replaceAll('\n', '\\n')));
  const widths = heads.map((head, column) =>
    shown.reduce((width, row) => Math.max(width, (row[column] as string).length), head.length),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('   ')
      .trimEnd();
  return `${[heads, ...shown].map(line).join('\n')}\n`;
}

/** Of a child as a whole nothing is shown but whether it is there. */
function wordFor(value: unknown, absent: string): string {
  return value === undefined ? absent : 'there';
}

function cut(text: string): string {
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
