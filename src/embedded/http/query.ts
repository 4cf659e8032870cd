import type { Selection } from '../api-server.js';
import { badRequest } from '../status-error.js';

/** The parameters of a request. Of several values of one name the first counts. */
export class Query {
  readonly #values: URLSearchParams;

  constructor(text: string) {
    this.#values = new URLSearchParams(text);
  }

  text(name: string): string | undefined {
    return this.#values.get(name) ?? undefined;
  }

  all(name: string): string[] {
    return this.#values.getAll(name);
  }

  /** As the server reads them: everything but `0` and `false` is true, even nothing. */
  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    return text === undefined ? undefined : text !== '0' && text !== 'false';
  }

  /** Throws a `StatusError` (400) for what is no whole number. */
  integer(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const said = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
    if (!/^[+-]?\d+$/.test(text)) throw badRequest(`${said}: invalid syntax`);
    const value = BigInt(text);
    if (BigInt.asIntN(64, value) !== value) throw badRequest(`${said}: value out of range`);
    return Number(value);
  }

  /** What a list or a watch asks for. */
  selection(): Omit<Selection, 'namespace' | 'signal'> {
    return {
      ...given('labelSelector', this.text('labelSelector') || undefined),
      ...given('fieldSelector', this.text('fieldSelector') || undefined),
      ...given('limit', positive(this.integer('limit'))),
      ...given('continue', this.text('continue') || undefined),
      ...given('resourceVersion', this.text('resourceVersion') || undefined),
      ...given('resourceVersionMatch', this.text('resourceVersionMatch') || undefined),
      ...given('sendInitialEvents', this.flag('sendInitialEvents')),
      ...given('allowWatchBookmarks', this.flag('allowWatchBookmarks')),
      ...given('timeoutSeconds', this.integer('timeoutSeconds')),
    };
  }
}

function positive(limit: number | undefined): number | undefined {
  return limit !== undefined && limit > 0 ? limit : undefined;
}

/** A property that is there only when it has a value. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}
