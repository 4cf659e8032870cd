const most = 1000;

/**
 * Which warnings of the API server have been told, and which fields that it drops. The same one comes with each write of a child, and
 * with that of a thousand custom resources, and tells of the operator: it is told once, by its kind and words.
 */
export class ToldWarnings {
  readonly #told = new Set<string>();

  /** True when it was not told before, or so long ago that a thousand others were since. */
  isNews(kind: string, warning: string): boolean {
    const said = `${kind} ${warning}`;
    const isNews = !this.#told.delete(said);
    this.#told.add(said);
    if (this.#told.size > most) {
      const [oldest = ''] = this.#told;
      this.#told.delete(oldest);
    }
    return isNews;
  }
}
