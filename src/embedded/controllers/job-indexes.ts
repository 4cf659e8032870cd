import type { Pod } from './pod-state.js';

export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The indexes of `1,3-5,7`, as a Job's status has them. */
export function indexesIn(text: string | undefined): Set<number> {
  const found = new Set<number>();
  for (const part of text ? text.split(',') : []) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index++) found.add(index);
  }
  return found;
}

export function indexText(indexes: ReadonlySet<number>): string {
  const parts: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const latest = parts.at(-1);
    if (latest?.[1] === index - 1) latest[1] = index;
    else parts.push([index, index]);
  }
  return parts
    .map(([first, last]) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');
}
