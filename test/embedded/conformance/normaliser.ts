import type { Json } from '../../../src/kube/manifest.js';
import { isMap } from './json-edit.js';
import type { JsonMap } from './operation.js';
import type { Outcome, WatchEvent } from './outcome.js';

/** What a server answered, with everything replaced by a symbol that two servers may choose differently. */
export interface Normal {
  readonly code: number;
  /** An object, a list, or a Status; absent when the target cannot tell. */
  readonly body?: Json;
  readonly warnings: readonly string[];
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Times of grammars lie before 2021. */
const time = /20(?:2[1-9]|[3-9]\d)-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4} \w+)/g;
const address = /\b10\.0\.\d{1,3}\.\d{1,3}\b/g;
/** `resourceVersion: 12`, and within JSON within a message `resourceVersion\":\"12`. */
const versioned =
  /(resource ?version[^0-9a-z<]{1,6}|, current: |in (?:the )?(?:precondition|record|object meta):? \(?)\d+/gi;
/** The whole object, in no order that could be relied on. */
const patched = /Invalid value: "\{\\"(?:[^"\\]|\\.)*\}"/g;
/**
 * A Service without addresses of its own shows no policy for traffic to them, though the server keeps it: but its status
 * does, and a watch when so many watch that the server encodes it once for all.
 */
function isHidden(field: string, { type, externalName }: JsonMap): boolean {
  return field === 'internalTrafficPolicy' && type === 'ExternalName' && externalName !== undefined;
}

const generatedVolume = /kube-api-access-[a-z0-9]{5}\b/g;

/**
 * Replaces what differs from server to server by symbols: uids, times, versions, allocated addresses and ports, generated
 * names. One for each server and trace: the same thing is the same symbol throughout, so that a version that moved, or an
 * address that was kept, can be told from one that was not.
 */
export class Normaliser {
  readonly #symbols = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #versions = new Map<string, string[]>();
  readonly #generated: RegExp[] = [];

  constructor(private readonly prefix: string) {}

  /** Tells that names will come that begin with `generateName`, which the server cuts to leave room for what it adds. */
  expectGenerated(generateName: string): void {
    const start = generateName
      .slice(0, 58)
      .replaceAll(this.prefix, '{ns}')
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    this.#generated.push(new RegExp(`(?<![\\w{])${start}[bcdfghjklmnpqrstvwxz2456789]{5}(?!\\w)`, 'g'));
  }

  outcome({ code, body, warnings }: Outcome): Normal {
    const normal = { code, warnings: warnings.map((warning) => this.#text(warning)) };
    return body === undefined ? normal : { ...normal, body: this.#body(body) };
  }

  event({ type, object }: WatchEvent): Json {
    if (type !== 'BOOKMARK') return { type, object: this.#body(object) };
    const metadata = isMap(object) && isMap(object['metadata']) ? object['metadata'] : {};
    return { type, annotations: metadata['annotations'] ?? {} };
  }

  #body(body: Json): Json {
    if (!isMap(body)) return this.#value(body, '');
    if (Array.isArray(body['items'])) return this.#list(body);
    return this.#value(body, '');
  }

  #list(list: JsonMap): Json {
    const metadata = isMap(list['metadata']) ? list['metadata'] : {};
    return {
      kind: list['kind'] ?? '',
      apiVersion: this.#value(list['apiVersion'] ?? '', ''),
      metadata: {
        resourceVersion: metadata['resourceVersion'] ? '<version>' : '',
        continue: metadata['continue'] ? '<continue>' : '',
        remainingItemCount: metadata['remainingItemCount'] ?? null,
      },
      // Items of built-in kinds do not say what they are, those of custom resources do.
      items: withRandomNamesLast(list['items'] as readonly Json[]).map((item) => {
        if (!isMap(item)) return item;
        const { apiVersion: _, kind: __, ...rest } = item;
        return this.#value(rest, '');
      }),
    };
  }

  #value(value: Json, key: string): Json {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number')
      return /nodePort$/i.test(key) && value >= 30000 ? this.#symbol('port', `${value}`) : value;
    if (Array.isArray(value)) return value.map((item: Json) => this.#value(item, ''));
    if (!isMap(value)) return value;
    const result: Record<string, Json> = {};
    for (const name of Object.keys(value).sort()) {
      const child = value[name] as Json;
      if (isHidden(name, value)) continue;
      if (name === 'metadata' && isMap(child)) result[name] = this.#metadata(child);
      else if (name === 'causes' && Array.isArray(child))
        result[name] = sorted(this.#value(child, '') as readonly Json[]);
      else result[this.#text(name)] = this.#value(child, name);
    }
    return result;
  }

  #metadata(metadata: JsonMap): Json {
    const { resourceVersion, managedFields, generateName, name, uid, ...rest } = metadata;
    const result: Record<string, Json> = { ...(this.#value(rest, '') as JsonMap) };
    for (const [key, value] of Object.entries({ generateName, name, uid })) {
      if (value !== undefined) result[key] = this.#value(value, key);
    }
    if (typeof resourceVersion === 'string') {
      result['resourceVersion'] = this.#version(typeof uid === 'string' ? uid : '', resourceVersion);
    }
    if (Array.isArray(managedFields)) result['managedFields'] = this.#managedFields(managedFields as JsonMap[]);
    return result;
  }

  /** By who wrote what, for their order depends on when. */
  #managedFields(entries: readonly JsonMap[]): Json {
    const result: Record<string, Json> = {};
    for (const { time, fieldsV1, manager, operation, subresource, apiVersion, ...rest } of entries) {
      const who = [manager, operation, subresource, apiVersion].filter((part) => part !== undefined).join(' ');
      result[this.#text(who in result ? `${who} again` : who)] = {
        ...(this.#value(rest, '') as JsonMap),
        ...(time === undefined ? {} : { time: '<time>' }),
        ...(fieldsV1 === undefined ? {} : { fieldsV1: this.#value(fieldsV1, '') }),
      };
    }
    return result;
  }

  /** Versions of one object, counted as they are seen. */
  #version(uid: string, version: string): string {
    const seen = this.#versions.get(uid) ?? [];
    this.#versions.set(uid, seen);
    if (!seen.includes(version)) seen.push(version);
    return `<version ${seen.indexOf(version) + 1}>`;
  }

  #text(text: string): string {
    // Most text is short and plain.
    if (text.length < 6) return text;
    let result = text.replaceAll(this.prefix, '{ns}');
    for (const name of this.#generated) result = result.replace(name, (found) => this.#symbol('name', found));
    result = result
      .replace(uuid, (found) => (found.startsWith('00000000') ? found : this.#symbol('uid', found)))
      .replace(time, '<time>')
      .replace(address, (found) => this.#symbol('address', found))
      .replace(generatedVolume, 'kube-api-access-<suffix>');
    result = result.replace(versioned, '$1<version>').replace(patched, 'Invalid value: "{…}"');
    if (/\bport\b/.test(result)) result = result.replace(/\b3[0-2]\d{3}\b/g, (found) => this.#symbol('port', found));
    return sortedErrors(result);
  }

  #symbol(what: string, value: string): string {
    const known = this.#symbols.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const symbol = `<${what} ${count}>`;
    this.#symbols.set(value, symbol);
    return symbol;
  }
}

/** A LimitRange without a name gets one that is a uid: chance decides where it stands. */
function withRandomNamesLast(items: readonly Json[]): readonly Json[] {
  const isRandom = (item: Json) =>
    isMap(item) && isMap(item['metadata']) && new RegExp(`^${uuid.source}$`).test(`${item['metadata']['name']}`);
  return items.some(isRandom) ? [...items.filter((item) => !isRandom(item)), ...items.filter(isRandom)] : items;
}

/**
 * In which order these come depends on a map of Go, and how often on how many times the server looked; the message of the
 * refusal has the order that counts, and says each once.
 */
function sorted(causes: readonly Json[]): Json {
  const texts = new Set(causes.map((cause) => JSON.stringify(cause)));
  return [...texts].sort().map((text) => JSON.parse(text) as Json);
}

/** So do the lines of an error of server-side apply. */
function sortedErrors(text: string): string {
  const [head, ...lines] = text.split(' errors:\n');
  const errors = lines.join(' errors:\n').split('\n');
  return lines.length === 0 ? text : `${head} errors:\n${errors.sort().join('\n')}`;
}
