type Part = { readonly text: string } | { readonly value: unknown };

/**
 * `value`, which is plain data, as JSON.
 *
 * **Guarantees.** However deeply it is nested, the stack does not end: an API server takes ten thousand levels.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepText(value);
  }
}

function deepText(whole: unknown): string {
  const written: string[] = [];
  /** What is still to be written, the next one last. */
  const left: Part[] = [{ value: whole }];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if ('text' in part) written.push(part.text);
    else if (typeof part.value !== 'object' || part.value === null) written.push(JSON.stringify(part.value) ?? 'null');
    else for (const each of partsOf(part.value).reverse()) left.push(each);
  }
  return written.join('');
}

function partsOf(value: object): Part[] {
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, below]) => isList || below !== undefined);
  const parts = entries.flatMap(([key, below], index): Part[] => [
    { text: `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}` },
    { value: below },
  ]);
  return [{ text: isList ? '[' : '{' }, ...parts, { text: isList ? ']' : '}' }];
}
