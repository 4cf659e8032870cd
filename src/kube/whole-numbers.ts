/**
 * A text of JSON, or a number, whole: what is looked through again from each of its digits takes the square of their time, and
 * anybody who reaches the port of a webhook may send a million of them.
 */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;
/** Of such a whole number JavaScript may have no more than the nearest one. */
const many = /^-?\d{16,}$/;
const anyMany = /\d{16}/;

/**
 * Whole numbers beyond 2^53 as JSON had them, such as are in a field of which a schema tells nothing. Who reads JSON, passes
 * on what he has not touched, and writes it as JSON again, gives them back by this: JavaScript has the nearest number alone.
 *
 * Two that are nearest to one and the same cannot be told apart, and stay as JavaScript has them.
 */
export class WholeNumbers {
  /** By what JavaScript has. */
  readonly #texts = new Map<number, string | undefined>();

  /** Notes those of `json`, which is about to be parsed. */
  note(json: string): void {
    if (!anyMany.test(json)) return;
    for (const [token] of json.matchAll(tokens)) {
      const value = many.test(token) ? Number(token) : 0;
      if (Number.isSafeInteger(value)) continue;
      const known = this.#texts.has(value) ? this.#texts.get(value) : token;
      this.#texts.set(value, known === token ? token : undefined);
    }
  }

  /** `json`, which was written of what was parsed, with the numbers as they were noted. */
  restored(json: string): string {
    if (this.#texts.size === 0) return json;
    return json.replace(tokens, (token) => (many.test(token) ? (this.#texts.get(Number(token)) ?? token) : token));
  }
}
