import type { Json } from '../../../src/kube/manifest.js';
import { grammarOf } from './grammar/grammars.js';
import { sentinelOf } from './grammar/selectors.js';
import { at, edited, inOrder, isMap } from './json-edit.js';
import { moment } from './moment.js';
import { type Normal, Normaliser } from './normaliser.js';
import type { Edit, JsonMap, Operation } from './operation.js';
import type { OpenWatch, Outcome, WatchEvent } from './outcome.js';
import { settledDefinition } from './settled-definition.js';
import type { Target } from './target.js';

const definitions = '/customresourcedefinitions';
const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
const sentinelMark = 'conformance/sentinel';

/**
 * One trace on one server: replaces symbols by what this server answered, keeps its watches open, and at the end sees to
 * it that every watch has been told everything.
 */
export class Session {
  readonly #answers = new Map<number, Json>();
  /** The latest object seen at each place. */
  readonly #objects = new Map<string, JsonMap>();
  readonly #watches = new Map<number, { readonly operation: Operation; readonly watch: OpenWatch; events: Json[] }>();
  readonly #normaliser: Normaliser;
  /** Where the operation goes whose symbols are being replaced. */
  #here = '';
  /** The latest version seen of each resource. */
  readonly #latest = new Map<string, bigint>();

  constructor(
    private readonly target: Target,
    private readonly prefix: string,
  ) {
    this.#normaliser = new Normaliser(prefix);
  }

  /** Makes the namespaces that `operations` name, with the account that Pods need. */
  async begin(operations: readonly Operation[]): Promise<void> {
    const text = JSON.stringify(operations);
    const namespaces = [this.prefix, ...(text.includes('"{ns}-b"') ? [`${this.prefix}-b`] : [])];
    for (const name of namespaces) {
      await this.#must({ id: 0, verb: 'create', resource: 'v1/namespaces', body: { metadata: { name } } });
      if (!text.includes('"v1/pods"')) continue;
      const body = { metadata: { name: 'default' } };
      await this.#must({ id: 0, verb: 'create', resource: 'v1/serviceaccounts', namespace: name, body });
    }
  }

  async step(operation: Operation): Promise<Normal> {
    this.#here = placeOf(operation);
    const resolved = this.#resolve(operation as unknown as Json) as unknown as Operation;
    const generateName = at(resolved.body, ['metadata', 'generateName']);
    if (typeof generateName === 'string') this.#normaliser.expectGenerated(generateName);
    if (resolved.query?.['resourceVersion'] === '0') await this.#freshen(resolved);
    const outcome =
      operation.verb === 'watch'
        ? await this.#watch(operation.id, resolved)
        : operation.verb === 'settle'
          ? await settledDefinition(resolved, this.target, this.prefix)
          : await this.target.send(resolved);
    if (outcome.code === 200 && operation.resource.endsWith(definitions)) await this.#cleaned(resolved);
    if (outcome.body !== undefined) {
      this.#answers.set(operation.id, outcome.body);
      if (isObject(outcome.body) && operation.subresource !== 'scale') this.#objects.set(this.#here, outcome.body);
      this.#note(resolved.resource, outcome.body);
    }
    return this.#normaliser.outcome(outcome);
  }

  /** The events of each watch, once all that happened has been told to it; undefined for one that stayed silent. */
  async finish(): Promise<Map<number, readonly Json[] | undefined>> {
    const told = new Map<number, readonly Json[] | undefined>();
    for (const [id, { operation, watch, events }] of this.#watches) {
      told.set(id, (await this.#drain(operation, watch, events)) ? events : undefined);
    }
    return told;
  }

  /** Closes what is open, and removes what others would run into: cluster-wide objects, addresses and ports. */
  async end(operations: readonly Operation[]): Promise<void> {
    for (const { watch } of this.#watches.values()) watch.close();
    for (const resource of new Set(operations.map((operation) => operation.resource))) {
      const grammar = grammarOf(resource);
      const isOurs = { query: { labelSelector: `trace=${this.prefix}` } };
      if (grammar && !grammar.namespaced && resource !== 'v1/namespaces') {
        await this.target.send({ id: 0, verb: 'deletecollection', resource, ...isOurs });
      }
      if (resource !== 'v1/services') continue;
      for (const namespace of [this.prefix, `${this.prefix}-b`]) {
        await this.target.send({ id: 0, verb: 'deletecollection', resource, namespace });
      }
    }
  }

  async #must(operation: Operation): Promise<void> {
    const { code, body } = await this.target.send(operation);
    if (code !== 201) throw new Error(`${this.target.name} refused to begin: ${code} ${JSON.stringify(body)}`);
  }

  async #watch(id: number, operation: Operation): Promise<Outcome> {
    const watch = await this.target.watch(operation);
    if ('code' in watch) return watch;
    const open = { operation, watch, events: [] as Json[] };
    this.#watches.set(id, open);
    const { sendInitialEvents, allowWatchBookmarks, resourceVersion = '0' } = operation.query ?? {};
    const isAsked = sendInitialEvents === 'true';
    if (isAsked || (allowWatchBookmarks === 'true' && resourceVersion === '0')) {
      // What happens before the bookmark that ends the initial events may be told before or after it.
      for (let tries = 0; tries < 40; tries++) {
        const event = await watch.next(isAsked ? 5000 : 1000);
        if (!event) break;
        if (!isPlainBookmark(event)) open.events.push(this.#normaliser.event(event));
        if (event.type === 'BOOKMARK' || event.type === 'ERROR') break;
      }
    }
    return { code: 200, warnings: [] };
  }

  /** Definitions go when a controller of the server has removed their objects, which takes as long as it takes. */
  async #cleaned({ resource, verb, name, query = {} }: Operation): Promise<void> {
    if (!verb.startsWith('delete') || query['dryRun'] !== undefined) return;
    for (let tries = 0; tries < 200; tries++) {
      const selection = { labelSelector: `trace=${this.prefix}` };
      const read =
        name === undefined ? ({ verb: 'list', query: selection } as const) : ({ verb: 'get', name } as const);
      const { body } = await this.target.send({ id: 0, resource, ...read });
      if (!JSON.stringify(body).includes(cleanup)) return;
      await moment();
    }
  }

  /** Version 0 is whatever a server remembers: lets it remember all that this trace did. */
  async #freshen({ resource, namespace }: Operation): Promise<void> {
    const latest = this.#latest.get(resource);
    if (latest === undefined) return;
    const query = { resourceVersion: `${latest}`, resourceVersionMatch: 'NotOlderThan', limit: '1' };
    await this.target.send({ id: 0, verb: 'list', resource, ...(namespace === undefined ? {} : { namespace }), query });
  }

  async #drain(operation: Operation, watch: OpenWatch, events: Json[]): Promise<boolean> {
    const last = events.at(-1);
    if (isMap(last) && last['type'] === 'ERROR') return true;
    const isMarked = await this.#markEnd(operation);
    for (;;) {
      const event = await watch.next(isMarked ? 5000 : 300);
      if (!event) return !isMarked;
      if (JSON.stringify(event.object).includes(sentinelMark)) return true;
      if (!isPlainBookmark(event)) events.push(this.#normaliser.event(event));
      if (event.type === 'ERROR') return true;
    }
  }

  /** Makes something happen that the watch has to tell, after everything else. */
  async #markEnd(operation: Operation): Promise<boolean> {
    const grammar = grammarOf(operation.resource);
    if (!grammar) return false;
    const { resource, namespace } = operation;
    const sentinel = sentinelOf(grammar, operation, this.prefix);
    const place = grammar.namespaced ? { namespace: namespace ?? this.prefix } : {};
    const annotations = { [sentinelMark]: `${operation.id}` };
    const body = edited(this.#resolve(sentinel), { path: ['metadata', 'annotations'], value: annotations });
    const created = await this.target.send({ id: 0, verb: 'create', resource, ...place, body });
    if (created.code === 201) return true;
    const name = (sentinel['metadata'] as JsonMap)['name'] as string;
    const patch = { id: 0, verb: 'patch', patch: 'merge', resource, ...place, name } as const;
    return (await this.target.send({ ...patch, body: { metadata: { annotations } } })).code === 200;
  }

  #note(resource: string, body: Json): void {
    const version = isMap(body) && isMap(body['metadata']) ? body['metadata']['resourceVersion'] : undefined;
    if (typeof version !== 'string' || !/^\d+$/.test(version)) return;
    const latest = this.#latest.get(resource);
    if (latest === undefined || BigInt(version) > latest) this.#latest.set(resource, BigInt(version));
  }

  #resolve(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item: Json) => this.#resolve(item));
    if (!isMap(value)) return value;
    if (typeof value['$from'] === 'number') {
      const object = inOrder(this.#object(value['$from']) ?? {});
      const edits = this.#resolve((value['$edits'] ?? []) as Json) as unknown as readonly Edit[];
      return edited(object, ...edits);
    }
    const result: Record<string, Json> = {};
    for (const [key, child] of Object.entries(value)) {
      // As data, whatever its name is.
      Object.defineProperty(result, this.#text(key), {
        value: this.#resolve(child),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return result;
  }

  /** What an operation answered; when it was refused, what is known of the place where the present one goes. */
  #object(id: number): JsonMap | undefined {
    const answer = this.#answers.get(id);
    return isObject(answer) ? answer : this.#objects.get(this.#here);
  }

  #text(text: string): string {
    if (!text.includes('{')) return text;
    return text
      .replaceAll('{ns}', this.prefix)
      .replace(/\{(rv|uid|name|continue) (\d+)\}/g, (_, what: string, id: string) => {
        const answer = what === 'continue' ? this.#answers.get(Number(id)) : this.#object(Number(id));
        const metadata = isMap(answer) && isMap(answer['metadata']) ? answer['metadata'] : {};
        const field = { rv: 'resourceVersion', uid: 'uid', name: 'name', continue: 'continue' }[what] as string;
        return `${metadata[field] ?? (what === 'rv' ? '0' : '')}`;
      });
  }
}

/** When a server sends these it chooses itself. */
function isPlainBookmark({ type, object }: WatchEvent): boolean {
  return type === 'BOOKMARK' && !JSON.stringify(object).includes('initial-events-end');
}

function isObject(answer: Json | undefined): answer is JsonMap {
  return isMap(answer) && isMap(answer['metadata']) && answer['metadata']['uid'] !== undefined;
}

function placeOf({ resource, namespace, name, body }: Operation): string {
  return [resource, namespace, name ?? at(body, ['metadata', 'name'])].join(' ');
}
