import { RE2JS } from 're2js';

/** A regular expression of Go's `regexp`, which is RE2: no look-around, no back-references, linear time. */
export interface GoPattern {
  /** True when some part of `text` matches, as everywhere in Kubernetes. */
  matches(text: string): boolean;
  /** The first match. */
  find(text: string): string | undefined;
  /** All matches, or the first `limit` of them. */
  findAll(text: string, limit?: number): string[];
}

/** Those of schemas and rules are few; a rule may also find one in each object that it looks at. */
const compiled = new Map<string, GoPattern>();
const mostKept = 1000;

/** Compiles, or throws an error whose message is Go's own: `error parsing regexp: missing closing ]: `[a``. */
export function go(pattern: string): GoPattern {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const expression = RE2JS.compile(pattern);
  const findAll = (text: string, limit = Number.POSITIVE_INFINITY) => {
    const found: string[] = [];
    const matcher = expression.matcher(text);
    while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
    return found;
  };
  const fresh: GoPattern = {
    matches: (text) => expression.matcher(text).find(),
    find: (text) => findAll(text, 1)[0],
    findAll,
  };
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(pattern, fresh);
  return fresh;
}

/** Why Go cannot compile `pattern`, or undefined when it can. */
export function patternFault(pattern: string): string | undefined {
  try {
    go(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
