import { goEscaped } from '../kube/json-escapes.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { isMap } from '../kube/plain-map.js';
import type { DriftPolicy } from './drift-policy.js';
import { isSecret, masked } from './hidden.js';
import { entriesOf } from './ownership.js';

/** Shorter texts are everywhere, and tell nobody anything. */
const fewestCharacters = 4;
/** One that is shorter is taken for a secret only where it is a word of its own. */
const unmistakable = 8;
/** Of more parts than that none is looked for in another spelling, of the longest texts first: it would take long. */
const mostSpelled = 5000;
/** So do more texts than that themselves, whatever is in them. */
const mostTexts = 5000;
/** No more of an error is told anywhere, and what takes long to look through nobody reads. */
const mostCharacters = 4096;
/** So many characters are looked at for all errors of a round together, which takes a tenth of a second. */
const mostLookedAt = 200_000_000;
/** Who quotes so many parts quotes nothing else. */
const mostFound = 100;
const ellipsis = /…|\.{3}/;
const excerpt = /^\s*(…|\.{3})?(.*?)(…|\.{3})?\s*$/s;
/** What stands in quotes, or around them. */
const quotedParts = /[^"'`]+/g;
const notTold = 'its words are not told, since too many of them may be secret';

/** Texts that may be shown to nobody, wherever somebody quotes them. */
export class Secrets {
  #parts: ReadonlySet<string> | undefined;
  #left = mostLookedAt;

  private constructor(
    private readonly texts: ReadonlySet<string>,
    /** What everybody knows, whatever some Secret holds. */
    private readonly open: ReadonlySet<string>,
  ) {}

  static of(texts: Iterable<string>): Secrets {
    return new Secrets(new Set(texts), new Set());
  }

  /** All that Secrets among `objects` hold, and what the policy says is sensitive. What these and their owners are called is open. */
  static in(objects: Iterable<Manifest>, policy: DriftPolicy): Secrets {
    const texts = new Set<string>();
    const open = new Set<string>();
    for (const object of objects) {
      for (const word of namesIn(object)) open.add(word);
      if (isSecret(object)) {
        for (const text of leavesOf(object['data'])) texts.add(text).add(decoded(text));
        for (const text of leavesOf(object['stringData'])) texts.add(text);
      }
      for (const text of leavesOf(policy.sensitiveValues(object))) texts.add(text);
    }
    return new Secrets(texts, open);
  }

  /**
   * `error` as it may be told, and of its class, by which is decided what comes next. It is the same one where there is
   * nothing to hide.
   */
  without<E extends Error>(error: E): E {
    const { message, hint } = error as E & { readonly hint?: unknown };
    const told = this.hiddenIn(message);
    const advised = typeof hint === 'string' ? this.hiddenIn(hint) : hint;
    if (told === message && advised === hint) return error;
    return Object.create(error, {
      message: { value: told },
      stack: { value: `${error.name}: ${told}` },
      cause: { value: undefined },
      ...(advised === hint ? {} : { hint: { value: advised } }),
    }) as E;
  }

  /**
   * `said` with `(hidden)` in place of whatever it quotes: the whole of a text, a line, what a line sets, or what its JSON
   * holds, as it is, in base64, or escaped as in JSON or in an address.
   *
   * What somebody has turned into something else, a hash or a part of a word, it cannot know. Where it would take long to tell
   * what is secret, nothing of it is told: whoever may write a Secret holds nobody up by it.
   */
  hiddenIn(said: string): string {
    const told = this.#hiddenIn(said);
    // Not before: what is cut in the midst of a secret shows its beginning, which nobody would recognise any more.
    return told.length > mostCharacters && this.texts.size > 0 ? `${told.slice(0, mostCharacters)}…` : told;
  }

  /** A value of JSON with the same done to all that it holds, however long that is; the keys of maps are no values. */
  hiddenInValue(value: unknown): unknown {
    if (this.texts.size === 0) return value;
    try {
      return this.#hiddenInValue(value);
    } catch {
      // It is too deep.
      return masked;
    }
  }

  #hiddenInValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#hiddenIn(value);
    if (typeof value === 'number') return this.#hiddenIn(String(value)) === String(value) ? value : masked;
    if (Array.isArray(value)) return value.map((item) => this.#hiddenInValue(item));
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#hiddenInValue(item)]));
  }

  #hiddenIn(said: string): string {
    if (this.texts.size === 0) return said;
    if (this.texts.size > mostTexts) return notTold;
    this.#parts ??= this.#allParts();
    this.#left -= this.#parts.size * said.length;
    if (this.#left < 0) return notTold;
    // The longest first: a shorter one may be a part of it.
    const found = [...this.#parts].filter((part) => said.includes(part)).sort((a, b) => b.length - a.length);
    if (found.length > mostFound) return notTold;
    const whole = this.#withoutExcerpts(said);
    if (whole === undefined) return notTold;
    return withoutJson(found.reduce((rest, text) => rest.replace(placesOf(text), masked), whole));
  }

  /** Without what of a text is shown between ellipses, as parsers quote a long line. Undefined where to look for it takes too long. */
  #withoutExcerpts(said: string): string | undefined {
    if (!ellipsis.test(said)) return said;
    const isExcerpt = (part: string) => {
      const [, from = '', shown = '', to = ''] = excerpt.exec(part) ?? [];
      if (from + to === '' || shown.length < fewestCharacters || this.#left < 0) return false;
      for (const text of this.texts) this.#left -= text.length;
      return [...this.texts].some((text) => text.includes(shown));
    };
    const hidden = said
      .split('\n')
      .map((line) =>
        isExcerpt(line) ? masked : line.replace(quotedParts, (part) => (isExcerpt(part) ? masked : part)),
      )
      .join('\n');
    return this.#left < 0 ? undefined : hidden;
  }

  #allParts(): ReadonlySet<string> {
    const isOne = (part: string) => part.length >= fewestCharacters && !this.open.has(part);
    const inTexts = [...this.texts].map((text) => [...new Set(partsOf(text))].filter(isOne));
    let left = mostSpelled;
    const all = inTexts
      .sort((a, b) => a.length - b.length)
      .flatMap((parts) => {
        left -= parts.length;
        return left < 0 ? parts : parts.flatMap(spellingsOf);
      });
    return new Set(all);
  }
}

/** What it and its owners are called, and who writes it. */
function namesIn(object: Manifest): readonly string[] {
  const { name, namespace = '', ownerReferences = [] } = object.metadata;
  const owners = ownerReferences.flatMap((owner) => [owner.kind, owner.name]);
  const writers = entriesOf(object as KubeObject).flatMap(({ manager }) => manager ?? []);
  return [object.kind, name, namespace, ...owners, ...writers];
}

/** However deep: the API server takes ten thousand levels, for which a stack has no room. */
function leavesOf(value: unknown): readonly string[] {
  const leaves: string[] = [];
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string' || typeof each === 'number') leaves.push(String(each));
    else if (typeof each === 'object' && each !== null) for (const item of Object.values(each)) left.push(item);
  }
  return leaves;
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');

function partsOf(text: string): readonly string[] {
  const held = heldBy(text);
  return [text, text.trim(), ...held, ...[text, ...held].flatMap((each) => each.split('\n').flatMap(partsOfLine))];
}

/** `- password: "x"`, `user=ann password=x`. */
function partsOfLine(line: string): readonly string[] {
  const item = line.trim().replace(/^-\s+/, '');
  const from = item.search(/[=:]/) + 1;
  const set =
    from === 0 ? [] : [item.slice(from), ...Array.from(item.matchAll(/[=:]([^\s;,&]+)/g), ([, value = '']) => value)];
  return [line.trim(), item, ...set.map((value) => value.trim().replace(/^(["'])(.*)\1$/, '$2'))];
}

function heldBy(text: string): readonly string[] {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return leavesOf(JSON.parse(text));
  } catch {
    return [];
  }
}

function spellingsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  return [text, bytes.toString('base64'), ...inAddresses(bytes.toString()), json, goEscaped(json)];
}

/** As a part of a path, as what a query says, and as the password before a host: a `URL` escapes other letters in each. */
function inAddresses(text: string): readonly string[] {
  const url = new URL('http://host');
  url.password = text;
  return [encodeURIComponent(text), new URLSearchParams([['', text]]).toString().slice(1), url.password];
}

function placesOf(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return text.length >= unmistakable
    ? new RegExp(literal, 'g')
    : new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

/** `JSON.parse` quotes what is around the place at which it gave up. */
function withoutJson(said: string): string {
  const to = said.lastIndexOf(' is not valid JSON');
  const quoted = said.slice(0, Math.max(to, 0)).replace(/\.\.\.$/, '');
  const from = quoted.indexOf('"');
  return from >= 0 && quoted.endsWith('"')
    ? `${said.slice(0, from).replace(/\.\.\.$/, '')}${masked}${said.slice(to)}`
    : said;
}
