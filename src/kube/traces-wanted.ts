import type { Environment } from './environment.js';
import { wholeNumberOf } from './flag-values.js';
import { isHttpUrl } from './url-port.js';

/** What the environment says of traces. */
export type Wanted =
  | { readonly type: 'none' }
  /** It asks for what there is not. */
  | { readonly type: 'impossible'; readonly setting: string; readonly because: string; readonly hint: string }
  | {
      readonly type: 'otlp';
      readonly protocol: Protocol;
      /** A URL of http or https; on this machine where it is undefined. */
      readonly endpoint: string | undefined;
    };

/** How traces are written: by default in the first. */
const protocols = ['http/protobuf', 'http/json'] as const;
export type Protocol = (typeof protocols)[number];

/** By less than one span at once the exporter would go on for ever, and the process with it. */
const sizes = ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'OTEL_BSP_MAX_QUEUE_SIZE'];

/**
 * Whether traces are to be exported, and how, by the variables that all of OpenTelemetry's exporters know. Where none names an
 * exporter or where it is, there are none.
 *
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function tracesWanted(env: Environment): Wanted {
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim() || undefined;
  const [endpointSetting, endpoint] = ofTraces(env, 'ENDPOINT');
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true' || exporter === 'none') return { type: 'none' };
  if (exporter === undefined && endpoint === undefined) return { type: 'none' };
  if (exporter !== undefined && exporter !== 'otlp') {
    return {
      type: 'impossible',
      setting: 'OTEL_TRACES_EXPORTER',
      because: `"${exporter}" is not known`,
      hint: 'write otlp, or none',
    };
  }
  const [protocolSetting, protocol = protocols[0]] = ofTraces(env, 'PROTOCOL');
  const known = protocols.find((each) => each === protocol);
  if (known === undefined) {
    return {
      type: 'impossible',
      setting: protocolSetting,
      because: `"${protocol}" is not spoken`,
      hint: `write ${protocols.join(' or ')}, and the port of it, which is 4318 as a rule`,
    };
  }
  // The exporter takes it as it stands, with a space behind it, and shows what it cannot use.
  if (endpoint !== undefined && !(isHttpUrl(endpoint) && URL.canParse(`${env[endpointSetting]}/`))) {
    // It may hold a password, so that nothing shows it.
    return {
      type: 'impossible',
      setting: endpointSetting,
      because: isHttpUrl(endpoint) ? 'there is a space behind it' : 'it is no URL of http or https',
      hint: 'write it as http://collector.observability:4318',
    };
  }
  const size = sizes.find((each) => env[each]?.trim() && wholeNumberOf(env[each].trim()) === undefined);
  if (size !== undefined) {
    return {
      type: 'impossible',
      setting: size,
      because: `"${env[size]}" is no whole number above 0`,
      hint: 'write how many spans, or leave it out',
    };
  }
  return { type: 'otlp', protocol: known, endpoint };
}

/** What says something of the exporter of traces, or else of all exporters, and what it says. */
function ofTraces(env: Environment, what: string): readonly [setting: string, value: string | undefined] {
  const own = `OTEL_EXPORTER_OTLP_TRACES_${what}`;
  const value = env[own]?.trim();
  return value ? [own, value] : [`OTEL_EXPORTER_OTLP_${what}`, env[`OTEL_EXPORTER_OTLP_${what}`]?.trim() || undefined];
}
