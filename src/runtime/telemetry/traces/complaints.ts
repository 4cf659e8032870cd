import type { DiagLogger } from '@opentelemetry/api';
import type { Log } from '../log.js';

/** Of so many kinds is told: an author's own spans may be wrong in many ways. */
const most = 50;

/** What OpenTelemetry complains of by itself, told once in the same words: of most it would tell with each batch of spans. */
export class Complaints implements DiagLogger {
  readonly #told = new Set<string>();

  constructor(
    private readonly log: Log,
    /** So many spans found no room. Whether somebody else tells of it. */
    private readonly dropped: (spans: number) => boolean,
  ) {}

  error(...words: unknown[]): void {
    this.#tell(words);
  }

  warn(...words: unknown[]): void {
    this.#tell(words);
  }

  info(): void {}
  debug(): void {}
  verbose(): void {}

  #tell(words: readonly unknown[]): void {
    const trouble = words
      .map((word) => (word instanceof Error ? word.message : word))
      .filter((word) => typeof word === 'string')
      .join(' ');
    // It is said nowhere else.
    const dropped = /^Dropped (\d+) spans /.exec(trouble)?.[1];
    if (dropped !== undefined && this.dropped(Number(dropped))) return;
    const kind = trouble.replaceAll(/[0-9a-f]{16,}|\d+/g, '');
    if (this.#told.has(kind) || this.#told.size === most) return;
    this.#told.add(kind);
    this.log.warn('Noticed trouble with traces', { trouble });
  }
}
