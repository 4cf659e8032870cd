/** Which error was told last of each custom resource, so that trying again in vain does not fill the log. */
export class ToldErrors {
  readonly #told = new Map<string, string>();

  /** True when this is not what was told last. */
  isNews(key: string, message: string): boolean {
    if (this.#told.get(key) === message) return false;
    this.#told.set(key, message);
    return true;
  }

  /** All is well, or gone: the next error is news, whatever it is. */
  forget(key: string): void {
    this.#told.delete(key);
  }
}
