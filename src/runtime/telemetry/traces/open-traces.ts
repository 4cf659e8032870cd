import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Protocol } from '../../../kube/traces-wanted.js';
import { version } from '../../../kube/version.js';
import type { Log } from '../log.js';
import { Complaints } from './complaints.js';
import { ToldExporter } from './told-exporter.js';
import { Traces } from './traces.js';

export interface OpenTracesOptions {
  readonly protocol: Protocol;
  readonly log: Log;
  /** What the controller is called, unless the environment calls it otherwise. */
  readonly service: string;
  /** This process among those of that service. */
  readonly instance: string;
  /** The pod that it is, and the namespace of that, where they are known. */
  readonly pod: string | undefined;
  readonly namespace: string | undefined;
  /** The URL of the API server. */
  readonly server: string;
}

export interface OpenTraces {
  readonly traces: Traces;
  /** Exports what there is still, and ends. Never rejects. */
  end(): Promise<void>;
}

/**
 * Begins to export traces: where to, how often and how many is said by the variables of the environment that all of
 * OpenTelemetry's exporters know. An author's own spans, made by `@opentelemetry/api`, are exported with ours.
 *
 * **Guarantees.** Nothing waits for an exporter, and one that fails costs nothing but what it should have exported.
 */
export function openTraces(options: OpenTracesOptions): OpenTraces {
  const { log, service, instance, pod, namespace, server } = options;
  const complaints = new Complaints(log, (spans) => exporter.dropped(spans));
  diag.setLogger(complaints, { logLevel: DiagLogLevel.WARN });
  const exporter = new ToldExporter(exporterBy(options.protocol), log);
  const ours = resourceFromAttributes({
    'service.name': service,
    'service.version': version,
    'service.instance.id': instance,
    ...(pod ? { 'k8s.pod.name': pod } : {}),
    ...(namespace ? { 'k8s.namespace.name': namespace } : {}),
  });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return {
    traces: new Traces({ tracer: provider.getTracer('kilter', version), server }),
    async end() {
      await provider.shutdown().catch(() => {});
      for (const each of [trace, context, propagation, diag]) each.disable();
    },
  };
}

function exporterBy(protocol: Protocol): SpanExporter {
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
}
