import { latest } from './store.js';

/**
 * The latest version that an API server has shown, whatever it was of: etcd counts one for all that is in it. A kind that nobody
 * changes is as new by an earlier one, so that alone it says no more than that somebody is there to be asked.
 */
export class NewestVersion {
  #version = '';

  /** Empty before anything was shown. */
  get value(): string {
    return this.#version;
  }

  saw(version: string): void {
    this.#version = latest(this.#version, version);
  }

  /** The API server has not what it had: its versions begin anew. */
  lose(): void {
    this.#version = '';
  }
}
