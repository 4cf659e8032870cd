import { TerminalError } from '../kube/errors.js';
import type { Manifest } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

type Texts = Readonly<Record<string, unknown>>;

/**
 * A Secret or a ConfigMap with its bytes as the server stores them; any other object as it is.
 *
 * `stringData` moves to `data`: it is for writing only, so that the cluster would never show what was applied. Base64 is
 * spelled as the server does it, without line feeds, since whoever spells it otherwise loses the field to whoever reads it
 * and writes it back.
 */
export function encodedBytes(manifest: Manifest): Manifest {
  if (manifest.apiVersion !== 'v1') return manifest;
  if (manifest.kind === 'ConfigMap') return withSpelled(manifest, 'binaryData');
  if (manifest.kind !== 'Secret') return manifest;
  const { stringData, ...others } = withSpelled(manifest, 'data') as Manifest & { readonly stringData?: Texts };
  if (stringData === undefined) return others;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, base64Of(manifest, key, text)]);
  // As on the server, stringData wins over data.
  const data = Object.fromEntries([...Object.entries((others['data'] ?? {}) as Texts), ...encoded]) as unknown;
  return { ...others, data };
}

/** Throws `TerminalError` for what is no text, which types cannot tell of what was parsed, and does not show it. */
function base64Of(secret: Manifest, key: string, text: unknown): string {
  if (typeof text === 'string') return Buffer.from(text, 'utf8').toString('base64');
  throw new TerminalError(`${show(refOf(secret))}: stringData[${JSON.stringify(key)}] is no text`, {
    hint: 'make it one: String(value), or JSON.stringify(value)',
  });
}

function withSpelled(manifest: Manifest, field: string): Manifest {
  const texts = manifest[field];
  if (typeof texts !== 'object' || texts === null) return manifest;
  // The server decodes it, and overlooks line feeds alone. What it would refuse it has to see.
  const isWrapped = (text: unknown) => typeof text === 'string' && /[\r\n]/.test(text);
  if (!Object.values(texts).some(isWrapped)) return manifest;
  const spelled = Object.entries(texts).map(([key, text]: [string, unknown]) => [
    key,
    isWrapped(text) ? (text as string).replace(/[\r\n]/g, '') : text,
  ]);
  return { ...manifest, [field]: Object.fromEntries(spelled) as unknown };
}
