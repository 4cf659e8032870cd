import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { asError } from '../../kube/errors.js';
import type { Log } from '../log.js';

type Exported = Parameters<SpanExporter['export']>[1];

/** An exporter of which is told once that it fails, and once that it does so no more, with what was lost meanwhile. */
export class ToldExporter implements SpanExporter {
  #lost = 0;

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

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  #succeeded(): void {
    if (this.#lost > 0) this.log.info('Exported traces again', { lost: this.#lost });
    this.#lost = 0;
  }

  #failed(spans: number, error: unknown): void {
    if (this.#lost === 0) {
      this.log.warn('Failed to export traces', {
        error: asError(error ?? 'no reason was given').message,
        hint: 'look at OTEL_EXPORTER_OTLP_ENDPOINT, at the collector behind it, and at NetworkPolicies between',
      });
    }
    this.#lost += spans;
  }
}
