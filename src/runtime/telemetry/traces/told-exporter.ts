import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { causeText } from '../../../kube/errors.js';
import type { Log } from '../log.js';

type Exported = Parameters<SpanExporter['export']>[1];

/** An exporter of which is told once that it fails, and once that it does so no more, with what was lost meanwhile. */
export class ToldExporter implements SpanExporter {
  #lost = 0;
  #isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Log,
  ) {}

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
    if (this.#isFailing) this.log.info('Exported traces again', { lost: this.#lost });
    this.#isFailing = false;
    this.#lost = 0;
  }

  #failed(spans: number, error: unknown): void {
    if (!this.#isFailing) {
      this.log.warn('Failed to export traces', {
        error: causeText(error ?? 'no reason was given'),
        hint: 'look at OTEL_EXPORTER_OTLP_ENDPOINT, at the collector behind it, and at NetworkPolicies between',
      });
    }
    this.#isFailing = true;
    this.#lost += spans;
  }
}
