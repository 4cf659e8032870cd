import {
  type Attributes,
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Trace } from '../../../client/trace.js';
import { bareHost, portOfUrl } from '../../../kube/url-port.js';
import type { Outcome } from '../../outcome.js';
import type { NamedFunction, TracedReview, TracedRound, Tracing } from '../tracing.js';

/** Whose part a call is, until that has ended: what goes on afterwards, such as Events, is no part of it. */
const current = createContextKey('what is followed');
interface Followed {
  isOver: boolean;
  /** What was begun in it, and has not ended. */
  readonly parts: Set<Span>;
}

export interface TracesOptions {
  readonly tracer: Tracer;
  /** The URL of the API server. */
  readonly server: string;
}

/**
 * Spans of what the runtime does, by the names that OpenTelemetry has for such things, and by ours, which begin with `kilter.`.
 *
 * https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export class Traces implements Tracing {
  readonly #server: Attributes;

  constructor(private readonly options: TracesOptions) {
    this.#server = serverOf(new URL(options.server));
  }

  round({ operator, kind, namespace, name, reasons, id }: TracedRound, body: () => Promise<Outcome>): Promise<Outcome> {
    const attributes = {
      ...objectOf(namespace, name),
      'kilter.operator': operator,
      'kilter.kind': kind,
      'kilter.reasons': [...reasons],
      'kilter.reconcile_id': id,
    };
    return this.#follow(`reconcile ${kind}`, { attributes }, async (span) => {
      const outcome = await body();
      span.setAttribute('kilter.outcome', outcome.type);
      const { failure, ...next } = outcome;
      if ('because' in next && next.because !== undefined) span.setAttribute('kilter.next', next.because);
      if (failure !== undefined) failed(span, failure);
      return outcome;
    });
  }

  computing(what: NamedFunction): (isThrown: boolean) => void {
    // Not what is active: what is ended in its midst would leave it so.
    const span = this.options.tracer.startSpan(what.function, { attributes: functionOf(what) });
    return (isThrown) => {
      if (isThrown) failed(span, 'thrown');
      span.end();
    };
  }

  outside<T>(what: NamedFunction, body: () => Promise<T>): Promise<T> {
    return this.#follow(`external ${what.function}`, { attributes: functionOf(what) }, body);
  }

  reviewing(path: string, headers: Parameters<Tracing['reviewing']>[1]): TracedReview {
    const attributes = { 'http.request.method': 'POST', 'http.route': path, 'url.path': path };
    const asked = propagation.extract(ROOT_CONTEXT, headers);
    const span = this.options.tracer.startSpan(`POST ${path}`, { kind: SpanKind.SERVER, attributes }, asked);
    const inside = trace.setSpan(asked, span);
    return {
      run: (body) => context.with(inside, body),
      ended(code) {
        span.setAttribute('http.response.status_code', code);
        if (code >= 500) failed(span, String(code));
        span.end();
      },
    };
  }

  ids(): object {
    const active = trace.getActiveSpan()?.spanContext();
    // Of one that the sampler left out a collector knows nothing.
    const isKept = active !== undefined && (active.traceFlags & TraceFlags.SAMPLED) !== 0;
    return isKept ? { trace_id: active.traceId, span_id: active.spanId } : {};
  }

  /** For the client: follows its calls that are part of something that is followed. */
  readonly call: Trace = ({ method, path, asked: { subject, verb }, tries }) => {
    const followed = followedNow();
    if (!followed || followed.isOver) return undefined;
    const [kind] = subject.split('/');
    const attributes = {
      ...this.#server,
      'http.request.method': method,
      'url.path': path.split('?')[0],
      'kilter.object': subject,
      ...(tries === 1 ? {} : { 'http.request.resend_count': tries - 1 }),
    };
    const span = this.options.tracer.startSpan(kind ? `${verb} ${kind}` : verb, { kind: SpanKind.CLIENT, attributes });
    return { headers: headersOf(span), ended: (code) => answered(span, code) };
  };

  /** `fetch` for what an author's code asks outside: of a URL, which may hold what is secret, only where it leads to. */
  fetching(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const asked = input instanceof Request ? input : undefined;
      const url = asked?.url ?? String(input);
      // What is none is refused in the words that fetch has for that.
      if (!URL.canParse(url)) return fetch(input, init);
      const method = (init?.method ?? asked?.method ?? 'GET').toUpperCase();
      const attributes = { ...serverOf(new URL(url)), 'http.request.method': method };
      const headers = new Headers(init?.headers ?? asked?.headers);
      const span = this.options.tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes });
      for (const [name, value] of Object.entries(headersOf(span))) headers.set(name, value);
      try {
        // No request of ours between: nothing would hold it while an answer is read, and with it its signal was lost.
        const response = await fetch(input, { ...init, headers });
        answered(span, response.status);
        return response;
      } catch (error) {
        answered(span, undefined);
        throw error;
      }
    };
  }

  #follow<T>(name: string, how: { attributes: Attributes }, body: (span: Span) => Promise<T>): Promise<T> {
    const around = followedNow();
    const followed: Followed = { isOver: false, parts: new Set() };
    return this.options.tracer.startActiveSpan(
      name,
      how,
      context.active().setValue(current, followed),
      async (span) => {
        around?.parts.add(span);
        try {
          return await body(span);
        } catch (error) {
          if (span.isRecording()) failed(span, 'thrown');
          throw error;
        } finally {
          around?.parts.delete(span);
          followed.isOver = true;
          // What never ends would never be told, and is what somebody looks for.
          for (const part of followed.parts) {
            failed(part, 'given up');
            part.end();
          }
          if (span.isRecording()) span.end();
        }
      },
    );
  }
}

function followedNow(): Followed | undefined {
  return context.active().getValue(current) as Followed | undefined;
}

function serverOf(url: URL): Attributes {
  return { 'server.address': bareHost(url.hostname), 'server.port': portOfUrl(url) };
}

function functionOf({ function: name, namespace, name: object }: NamedFunction): Attributes {
  return { 'code.function.name': name, ...objectOf(namespace, object) };
}

function objectOf(namespace: string | undefined, name: string | undefined): Attributes {
  return {
    ...(namespace === undefined ? {} : { 'k8s.namespace.name': namespace }),
    ...(name === undefined ? {} : { 'kilter.name': name }),
  };
}

function headersOf(span: Span): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
  return headers;
}

function answered(span: Span, code: number | undefined): void {
  if (code === undefined) failed(span, 'unanswered');
  else {
    span.setAttribute('http.response.status_code', code);
    if (code >= 400) failed(span, String(code));
  }
  span.end();
}

function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
