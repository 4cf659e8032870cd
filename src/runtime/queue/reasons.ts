/** A storm of events for one key says no more by being told one by one. */
const mostTold = 10;

/** Why a key is to be worked on: the first few reasons in the order in which they came, each once, and how many more. */
export class Reasons {
  readonly #told = new Set<string>();
  #more = 0;

  add(reason: string): this {
    if (this.#told.has(reason)) return this;
    if (this.#told.size < mostTold) this.#told.add(reason);
    else this.#more++;
    return this;
  }

  addAll({ told, more }: Reasons): this {
    for (const reason of told) this.add(reason);
    this.#more += more;
    return this;
  }

  get told(): ReadonlySet<string> {
    return this.#told;
  }

  /** How often something else was a reason. */
  get more(): number {
    return this.#more;
  }

  /** As a line of the log has them. */
  get words(): readonly string[] {
    return this.#more === 0 ? [...this.#told] : [...this.#told, `and ${this.#more} more`];
  }
}
