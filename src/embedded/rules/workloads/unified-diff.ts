/** A block of lines that both texts have: where it begins in each, and how long it is. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Step {
  readonly kind: 'equal' | 'replace' | 'delete' | 'insert';
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

const context = 3;

/** The difference of two texts as `diff -u` shows it, found as the API server finds it: by longest common blocks. */
export function unifiedDiff(a: string, b: string): string {
  const before = a.split('\n');
  const after = b.split('\n');
  let text = '';
  for (const group of groups(steps(before, after))) {
    const first = group[0]!;
    const last = group.at(-1)!;
    text += `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@\n`;
    for (const { kind, a: from, b: to } of group) {
      if (kind === 'equal') {
        for (const line of before.slice(...from)) text += ` ${line}\n`;
        continue;
      }
      if (kind !== 'insert') for (const line of before.slice(...from)) text += `-${line}\n`;
      if (kind !== 'delete') for (const line of after.slice(...to)) text += `+${line}\n`;
    }
  }
  return text;
}

function range(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function steps(a: readonly string[], b: readonly string[]): readonly Step[] {
  const found: Step[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    const kind = i < match.a && j < match.b ? 'replace' : i < match.a ? 'delete' : j < match.b ? 'insert' : undefined;
    if (kind !== undefined) found.push({ kind, a: [i, match.a], b: [j, match.b] });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) found.push({ kind: 'equal', a: [match.a, i], b: [match.b, j] });
  }
  return found;
}

function matches(a: readonly string[], b: readonly string[]): readonly Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const search = (aStart: number, aEnd: number, bStart: number, bEnd: number): void => {
    const match = longest(a, b, places, [aStart, aEnd], [bStart, bEnd]);
    if (match.size === 0) return;
    if (aStart < match.a && bStart < match.b) search(aStart, match.a, bStart, match.b);
    found.push(match);
    const [i, j] = [match.a + match.size, match.b + match.size];
    if (i < aEnd && j < bEnd) search(i, aEnd, j, bEnd);
  };
  search(0, a.length, 0, b.length);
  return merged(found);
}

function merged(found: readonly Match[]): readonly Match[] {
  const blocks: Match[] = [];
  for (const match of found) {
    const last = blocks.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b) {
      blocks[blocks.length - 1] = { ...last, size: last.size + match.size };
    } else blocks.push(match);
  }
  return blocks;
}

/** Where each line stands. In a long text, lines that stand in too many places begin no block. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  });
  if (lines.length >= 200) {
    const most = Math.floor(lines.length / 100) + 1;
    for (const [line, at] of places) if (at.length > most) places.delete(line);
  }
  return places;
}

function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aStart, aEnd]: readonly [number, number],
  [bStart, bEnd]: readonly [number, number],
): Match {
  let best: Match = { a: aStart, b: bStart, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aStart; i < aEnd; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bStart) continue;
      if (j >= bEnd) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  while (i > aStart && j > bStart && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aEnd && j + size < bEnd && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

/** Steps with a few equal lines around them, apart from others that are far away. */
function groups(all: readonly Step[]): readonly (readonly Step[])[] {
  const found: Step[][] = [];
  let group: Step[] = [];
  all.forEach((step, index) => {
    let { a, b } = step;
    if (step.kind === 'equal') {
      if (index === 0) [a, b] = [tail(a), tail(b)];
      if (index === all.length - 1) [a, b] = [head(a), head(b)];
      if (a[1] - a[0] > context * 2) {
        group.push({ kind: 'equal', a: head(a), b: head(b) });
        found.push(group);
        group = [];
        [a, b] = [tail(a), tail(b)];
      }
    }
    group.push({ ...step, a, b });
  });
  if (group.length > 1 || (group.length === 1 && group[0]!.kind !== 'equal')) found.push(group);
  return found;
}

function head([start, end]: readonly [number, number]): readonly [number, number] {
  return [start, Math.min(end, start + context)];
}

function tail([start, end]: readonly [number, number]): readonly [number, number] {
  return [Math.max(start, end - context), end];
}
