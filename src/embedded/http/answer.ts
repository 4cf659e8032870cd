import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { writeYaml } from './yaml-text.js';

/** What is answered, before it becomes bytes. */
export interface Answer {
  readonly code: number;
  /** Data, or text that is sent as it is. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly format?: 'json' | 'yaml';
  /** Each becomes a `Warning` header. */
  readonly warnings?: readonly string[];
}

/** Smaller answers are not worth compressing; the server's own threshold. */
const compressedBytes = 128 * 1024;

/** Sends an answer in one piece, and nothing to somebody who has gone. */
export async function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { code, body, headers, warnings = [], format = 'json' } = answer;
  const isText = typeof body === 'string';
  const text = isText ? body : format === 'yaml' ? writeYaml(body) : jsonText(body, isPretty(request));
  response.statusCode = code;
  response.setHeader('Cache-Control', 'no-cache, private');
  response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : `application/${format}`);
  if (isText || code === 403) response.setHeader('X-Content-Type-Options', 'nosniff');
  if (warnings.length > 0) response.setHeader('Warning', warnings.map(warningOf));
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);

  const size = Buffer.byteLength(text);
  // Text goes out in one piece with the head, which bytes do not: what is UTF-8 in the head already would be made so again.
  let content: string | Buffer = warnings.some(isBeyondAscii) ? Buffer.from(text) : text;
  if (size >= compressedBytes && acceptsGzip(request)) {
    content = await compressed(text);
    response.setHeader('Content-Encoding', 'gzip');
    response.appendHeader('Vary', 'Accept-Encoding');
  }
  if (response.destroyed) return;
  response.setHeader('Content-Length', typeof content === 'string' ? size : content.length);
  response.end(request.method === 'HEAD' ? undefined : content);
}

function jsonText(body: object, pretty: boolean): string {
  return pretty ? JSON.stringify(body, undefined, 2) : `${JSON.stringify(body)}\n`;
}

const people = /^(curl|Wget|Mozilla\/5\.0)/;

/** Asked for, or asked by a person at a browser or a command line. */
function isPretty({ url = '', headers }: IncomingMessage): boolean {
  const asked = /[?&]pretty=([^&]+)/.exec(url)?.[1];
  if (asked !== undefined) return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked);
  return people.test(headers['user-agent'] ?? '');
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(coding));
}

function compressed(text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(text, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** https://www.rfc-editor.org/rfc/rfc7234#section-5.5: code 299, no agent, a quoted text. */
function warningOf(text: string): string {
  const quoted = text.replace(/[\\"]/g, '\\$&').replace(controls, ' ');
  // Headers are bytes, and the server's are UTF-8.
  return `299 - "${Buffer.from(quoted).toString('latin1')}"`;
}

function isBeyondAscii(text: string): boolean {
  return Buffer.byteLength(text) > text.length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the header.
const controls = /[\u0000-\u001f\u007f]/g;
