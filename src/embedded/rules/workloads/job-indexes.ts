/** How many indexes a text such as `1,3-5` has, or, in the server's words, why it is none. */
export function countIndexes(text: string, completions: number): number | string {
  let total = 0;
  let last: number | undefined;
  for (const [first, end] of text === '' ? [] : intervals(text, completions)) {
    if (typeof first === 'string') return first;
    if (last !== undefined && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

/** The first index that both texts have. */
export function firstInBoth(completed: string, failed: string, completions: number): number | undefined {
  if (completed === '' || failed === '') return undefined;
  const inBoth: number[] = [];
  for (const [first, end] of intervals(completed, completions)) {
    for (const [otherFirst, otherEnd] of intervals(failed, completions)) {
      if (typeof first === 'string' || typeof otherFirst === 'string') continue;
      if (first <= otherEnd && otherFirst <= end) inBoth.push(Math.max(first, otherFirst));
    }
  }
  return inBoth.length === 0 ? undefined : Math.min(...inBoth);
}

function intervals(text: string, completions: number): readonly (readonly [number | string, number])[] {
  return text.split(',').map((part) => intervalOf(part, completions));
}

/** First and last index, or why there are none. */
function intervalOf(text: string, completions: number): readonly [number | string, number] {
  const ends = text.split('-');
  if (ends.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return [`the fragment ${JSON.stringify(text)} ${rule}`, 0];
  }
  const numbers: number[] = [];
  for (const end of ends) {
    const number = /^[+-]?[0-9]+$/.test(end) ? Number(end) : undefined;
    if (number === undefined) return [`cannot convert string to integer for index: ${JSON.stringify(end)}`, 0];
    if (number >= completions) return [`too large index: ${JSON.stringify(end)}`, 0];
    numbers.push(number);
  }
  const [first = 0, last = first] = numbers;
  if (numbers.length === 2 && first >= last) {
    return [`non-increasing order, previous: ${first}, current: ${last}`, 0];
  }
  return [first, last];
}
