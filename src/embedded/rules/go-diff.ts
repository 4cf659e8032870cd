/**
 * How two texts differ, line by line, as the API server shows it in some of its refusals: in the unified format, with
 * three lines around each change, and without the names of files.
 */
export function unifiedDiff(a: string, b: string): string {
  const [before, after] = [a, b].map((text) => text.split('\n').map((line) => `${line}\n`)) as [string[], string[]];
  return hunksOf(editsOf(before, after))
    .map((hunk) => {
      const [kept, taken] = ['-', '+'].map((sign) => hunk.lines.filter((line) => line.sign !== opposite(sign)).length);
      const head = `@@ -${rangeOf(hunk.from, kept!)} +${rangeOf(hunk.to, taken!)} @@\n`;
      return head + hunk.lines.map(({ sign, text }) => sign + text).join('');
    })
    .join('');
}

interface Line {
  readonly sign: string;
  readonly text: string;
}

interface Hunk {
  /** Where it begins, in lines from 0, before and after. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
}

const context = 3;

function opposite(sign: string): string {
  return sign === '-' ? '+' : '-';
}

function rangeOf(start: number, length: number): string {
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** The lines of both in one; what goes comes before what is new in its place. */
function editsOf(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  const add = (sign: string, all: readonly string[]) => {
    for (const text of all) lines.push({ sign, text });
  };
  let [i, j] = [0, 0];
  for (const { a, b, size } of [...matchesOf(before, after), { a: before.length, b: after.length, size: 0 }]) {
    add('-', before.slice(i, a));
    add('+', after.slice(j, b));
    add(' ', before.slice(a, a + size));
    [i, j] = [a + size, b + size];
  }
  return lines;
}

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** What both have in common: the longest run of equal lines, the first of several, and then the same on either side. */
function matchesOf(before: readonly string[], after: readonly string[]): readonly Match[] {
  const search = (aFrom: number, aTo: number, bFrom: number, bTo: number): readonly Match[] => {
    let best: Match = { a: aFrom, b: bFrom, size: 0 };
    for (let a = aFrom; a < aTo; a++) {
      for (let b = bFrom; b < bTo; b++) {
        let size = 0;
        while (a + size < aTo && b + size < bTo && before[a + size] === after[b + size]) size++;
        if (size > best.size) best = { a, b, size };
      }
    }
    if (best.size === 0) return [];
    return [...search(aFrom, best.a, bFrom, best.b), best, ...search(best.a + best.size, aTo, best.b + best.size, bTo)];
  };
  return search(0, before.length, 0, after.length);
}

function hunksOf(lines: readonly Line[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [from, to, start] = [0, 0, 0];
  const changes = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const skip = (end: number) => {
    for (; start < end; start++) {
      if (lines[start]!.sign !== '+') from++;
      if (lines[start]!.sign !== '-') to++;
    }
  };
  for (let index = 0; index < changes.length; ) {
    const first = changes[index]!;
    let last = first;
    while (index < changes.length && changes[index]! <= last + 2 * context + 1) last = changes[index++]!;
    skip(Math.max(first - context, 0));
    hunks.push({ from, to, lines: lines.slice(start, last + context + 1) });
  }
  return hunks;
}
