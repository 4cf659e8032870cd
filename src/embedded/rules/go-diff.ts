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

/** The lines of both, along the longest sequence that they have in common; what goes comes before what is new. */
function editsOf(before: readonly string[], after: readonly string[]): readonly Line[] {
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i]![j] =
        before[i] === after[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i]! });
      i++;
      j++;
    } else if (i < before.length && (j === after.length || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push({ sign: '-', text: before[i++]! });
    } else lines.push({ sign: '+', text: after[j++]! });
  }
  return lines;
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
