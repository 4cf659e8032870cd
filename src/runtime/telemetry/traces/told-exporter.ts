import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { type Clock, systemClock } from '../../../kube/clock.js';
import { causeText } from '../../../kube/errors.js';
import type { Log } from '../log.js';
import { ToldTrouble } from '../told-trouble.js';

type Exported = Parameters<SpanExporter['export']>[1];

/**
 * An exporter of which is told that it fails, and that it does so no more, with what was lost since that was told last: once, and less
 * and less often where it comes and goes.
 */
export class ToldExporter implements SpanExporter {
  #lost = 0;
  #isFailing = false;
  readonly #trouble: ToldTrouble;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Log,
    clock: Pick<Clock, 'monotonic'> = systemClock,
  ) {
    this.#trouble = new ToldTrouble(clock);
  }

  export(spans: ReadableSpan[], done: Exported): void {
    this.exporter.export(spans, ({ code, error }) => {
      if (code === 0) this.#succeeded();
      else this.#failed(spans.length, error);
      // Whoever batches would tell it as well.
      done({ code: 0 });
    });
  }

  /** So many spans found no room while others were exported. Whether that will be told when exports succeed again. */
  dropped(spans: number): boolean {
    this.#lost += spans;
    return this.#isFailing;
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  #succeeded(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    if (this.#trouble.over() === undefined) return;
    this.log.info('Exported traces again', { lost: this.#lost });
    this.#lost = 0;
  }

  #failed(spans: number, error: unknown): void {
    const cause = causeText(error ?? 'no reason was given');
    if (this.#trouble.failed(new Error(cause))) {
      this.log.warn('Failed to export traces', {
        error: cause,
        hint: 'look at OTEL_EXPORTER_OTLP_ENDPOINT, at the collector behind it, and at NetworkPolicies between',
      });
    }
    this.#isFailing = true;
    this.#lost += spans;
  }
}
