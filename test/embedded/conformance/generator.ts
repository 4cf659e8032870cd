// Longer than most files: every verb has a case of its own, and they share what is known of the trace so far.
import type { Json } from '../../../src/kube/manifest.js';
import { Bodies, type Part } from './bodies.js';
import { ChangingDefinition } from './changing-definition.js';
import { grammars } from './grammar/grammars.js';
import { apiVersionOf, type KindGrammar } from './grammar/kind-grammar.js';
import { dryKinds, otherKinds } from './grammar/other-kinds.js';
import { parts } from './grammar/parts.js';
import { badFieldSelectors, badLabelSelectors, labelSelectors } from './grammar/selectors.js';
import { typedGrammar } from './grammar/typed.js';
import type { Operation, PatchKind, Trace } from './operation.js';
import { Patches } from './patches.js';
import { Random } from './random.js';

const weights = {
  create: 13,
  apply: 20,
  updateRead: 11,
  updateWhole: 6,
  merge: 8,
  strategic: 7,
  json: 7,
  status: 8,
  scale: 4,
  get: 3,
  list: 6,
  watch: 5,
  delete: 7,
  deletecollection: 2,
  finalize: 3,
  odd: 4,
};

const pages: readonly Readonly<Record<string, string>>[] = [
  { limit: '1' },
  { limit: '2' },
  { limit: '1', resourceVersionMatch: 'Exact' },
];

/**
 * The trace of a seed: what several managers do to a few objects of one or two kinds, at times to those of a definition
 * that changes meanwhile. With `typed` it is of any field that the types of these kinds have, instead of those that
 * somebody wrote down.
 */
export function traceOf(seed: string, kinds: readonly string[] = [], { typed = false } = {}): Trace {
  const random = new Random(seed);
  const isOfParts = kinds.length === 0 ? !typed && random.chance(0.06) : kinds.includes('parts');
  const generator = isOfParts
    ? new Generator(random, parts, new ChangingDefinition(random))
    : new Generator(random, typed ? typedKinds(random, kinds) : chosenOf(random, grammars, kinds));
  return { seed, operations: generator.operations() };
}

function typedKinds(random: Random, kinds: readonly string[]): readonly KindGrammar[] {
  const candidates = [
    ...grammars.filter(({ settles, resource }) => !settles && !resource.includes('conformance')),
    ...otherKinds,
    ...dryKinds.map((grammar) => ({ ...grammar, dry: true })),
  ];
  return chosenOf(random, candidates, kinds).map((grammar) => typedGrammar(grammar, random));
}

function chosenOf(random: Random, all: readonly KindGrammar[], kinds: readonly string[]): readonly KindGrammar[] {
  const candidates = all.filter(
    ({ kind, resource }) => kinds.length === 0 || kinds.some((name) => name === kind || resource.endsWith(`/${name}`)),
  );
  if (candidates.length === 0) throw new Error(`no grammar for ${kinds.join(', ')}`);
  const [first, second] = [
    weightedKind(random, candidates),
    random.chance(0.2) ? weightedKind(random, candidates) : undefined,
  ];
  return second === undefined || areStrangers(first, second) ? [first] : [first, second];
}

function weightedKind(random: Random, candidates: readonly KindGrammar[]): KindGrammar {
  const byResource = Object.fromEntries(candidates.map(({ resource, weight }) => [resource, weight ?? 1]));
  const resource = random.weighted(byResource);
  return candidates.find((grammar) => grammar.resource === resource) as KindGrammar;
}

/** What a LimitRange says of Pods and claims comes to them when the server's admission has heard of it, sooner or later. */
function areStrangers(...kinds: readonly KindGrammar[]): boolean {
  const names = kinds.map(({ kind }) => kind);
  return (
    (names.includes('LimitRange') || names.includes('ResourceQuota')) &&
    (names.includes('Pod') || names.includes('PersistentVolumeClaim'))
  );
}

class Generator {
  readonly #operations: Operation[] = [];
  /** Operations that answer with an object of this resource and place, the latest last. */
  readonly #objects = new Map<string, number[]>();
  readonly #lists: number[] = [];
  /** Each is used once: which of two names with one beginning comes first is chance. */
  readonly #prefixes = ['gen-', 'gen', 'a'.repeat(62), 'Bad_', 'x.'];
  #next = 1;

  constructor(
    private readonly random: Random,
    private readonly chosen: readonly KindGrammar[],
    /** Of the chosen kinds, when it belongs to the trace. */
    private readonly definition?: ChangingDefinition,
  ) {}

  operations(): readonly Operation[] {
    const { random, chosen, definition } = this;
    const count = 6 + random.below(18);
    const first = chosen[0] as KindGrammar;
    for (const step of definition?.created() ?? []) this.#add(step);
    this.#create(first, false);
    while (this.#operations.length < count) {
      if (definition && random.chance(0.25)) for (const step of definition.changed()) this.#add(step);
      else this.#step(definition ? weightedKind(random, chosen) : random.pick(chosen));
    }
    return this.#operations;
  }

  #step(grammar: KindGrammar): void {
    const steps: Readonly<Record<keyof typeof weights, () => void>> = {
      create: () => this.#create(grammar, true),
      apply: () => this.#apply(grammar, 'main'),
      updateRead: () => this.#updateRead(grammar, 'main'),
      updateWhole: () => this.#updateWhole(grammar),
      merge: () => this.#patch(grammar, 'merge', 'main'),
      strategic: () => this.#patch(grammar, 'strategic', 'main'),
      json: () => this.#patch(grammar, 'json', 'main'),
      status: () => this.#status(grammar),
      scale: () => this.#scale(grammar),
      get: () => this.#get(grammar),
      list: () => this.#list(grammar, 'list'),
      watch: () =>
        // When a watch ends because its definition changes, a server chooses.
        grammar.settles || this.definition ? this.#get(grammar) : this.#list(grammar, 'watch'),
      delete: () => this.#delete(grammar),
      deletecollection: () => this.#deleteCollection(grammar),
      finalize: () => this.#finalize(grammar),
      odd: () => this.#odd(grammar),
    };
    steps[this.random.weighted(weights)]();
  }

  #create(grammar: KindGrammar, isAny: boolean): void {
    const { random } = this;
    const place = this.#place(grammar);
    const isGenerated = isAny && !grammar.settles && this.#prefixes.length > 0 && random.chance(0.12);
    let body = new Bodies(grammar, random).whole(isGenerated ? undefined : place.name, place.namespace);
    if (isGenerated) {
      const generateName = this.#prefixes.splice(random.below(this.#prefixes.length), 1)[0] ?? 'other-';
      const prefix = grammar.namespaced ? generateName : `{ns}-${generateName}`;
      body = {
        ...(body as object),
        metadata: { ...(body as { metadata: object }).metadata, generateName: prefix },
      } as Json;
    }
    const { name, ...rest } = place;
    const id = this.#add({ verb: 'create', resource: grammar.resource, ...rest, body, query: this.#writeQuery() });
    this.#remember(grammar, place, id);
    this.#settle(grammar, name);
  }

  #apply(grammar: KindGrammar, part: Part): void {
    const { random } = this;
    const place = this.#place(grammar, 0.85);
    const bodies = new Bodies(grammar, random);
    const body =
      part === 'main' && random.chance(0.45)
        ? bodies.whole(place.name, place.namespace)
        : bodies.partial(place.name, part);
    const force = random.pick<Record<string, string>>([
      {},
      {},
      { force: 'true' },
      { force: 'true' },
      { force: 'false' },
    ]);
    const query = { ...this.#writeQuery(), ...force };
    const subresource = part === 'status' ? { subresource: 'status' } : {};
    const id = this.#add({
      verb: 'patch',
      patch: 'apply',
      resource: grammar.resource,
      ...place,
      ...subresource,
      body,
      query,
    });
    this.#remember(grammar, place, id);
    this.#settle(grammar, place.name);
  }

  #updateRead(grammar: KindGrammar, part: Part): void {
    const { random } = this;
    const known = this.#known(grammar);
    if (!known) {
      this.#create(grammar, true);
      return;
    }
    const { place, ids } = known;
    const from = random.chance(0.75) ? (ids.at(-1) as number) : random.pick(ids);
    const edits = new Bodies(grammar, random).edits(random.pick([0, 1, 1, 2]), part);
    const version = random.weighted({ same: 6, none: 3, wrong: 0.5, garbage: 0.3 });
    const versions = {
      same: [],
      none: [{ path: ['metadata', 'resourceVersion'] }],
      wrong: [{ path: ['metadata', 'resourceVersion'], value: '1' }],
      garbage: [{ path: ['metadata', 'resourceVersion'], value: 'x' }],
    };
    const body = { $from: from, $edits: [...edits, ...versions[version]] } as unknown as Json;
    const subresource = part === 'status' ? { subresource: 'status' } : {};
    const id = this.#add({
      verb: 'update',
      resource: grammar.resource,
      ...place,
      ...subresource,
      body,
      query: this.#writeQuery(),
    });
    this.#remember(grammar, place, id);
  }

  #updateWhole(grammar: KindGrammar): void {
    const place = this.#place(grammar, 0.9);
    const body = new Bodies(grammar, this.random).whole(place.name, place.namespace);
    const id = this.#add({ verb: 'update', resource: grammar.resource, ...place, body, query: this.#writeQuery() });
    this.#remember(grammar, place, id);
  }

  #patch(grammar: KindGrammar, patch: Exclude<PatchKind, 'apply'>, part: Part): void {
    const { random } = this;
    const place = this.#place(grammar, 0.95);
    const body = new Patches(grammar, random, new Bodies(grammar, random)).of(patch, part);
    const subresource = part === 'status' ? { subresource: 'status' } : {};
    const id = this.#add({
      verb: 'patch',
      patch,
      resource: grammar.resource,
      ...place,
      ...subresource,
      body,
      query: this.#writeQuery(),
    });
    this.#remember(grammar, place, id);
  }

  #status(grammar: KindGrammar): void {
    const steps = {
      update: () => this.#updateRead(grammar, 'status'),
      apply: () => this.#apply(grammar, 'status'),
      merge: () => this.#patch(grammar, 'merge', 'status'),
      json: () => this.#patch(grammar, 'json', 'status'),
      strategic: () => this.#patch(grammar, 'strategic', 'status'),
      get: () => {
        this.#add({ verb: 'get', resource: grammar.resource, ...this.#place(grammar, 1), subresource: 'status' });
      },
    };
    steps[this.random.weighted({ update: 4, apply: 3, merge: 3, json: 1, strategic: 1, get: 0.5 })]();
  }

  #scale(grammar: KindGrammar): void {
    const { random } = this;
    if (!grammar.scale) {
      this.#patch(grammar, 'merge', 'main');
      return;
    }
    const place = this.#place(grammar, 1);
    const to = { resource: grammar.resource, ...place, subresource: 'scale' };
    const replicas = random.pick<Json>([0, 1, 2, 5, 5, -1, 'x', null]);
    const spec = random.chance(0.1) ? {} : { replicas };
    const query = this.#writeQuery();
    const head = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
    const steps = {
      get: () => this.#add({ verb: 'get', ...to }),
      update: () => {
        const version = this.#known(grammar)?.ids.at(-1);
        const isVersioned = version !== undefined && random.chance(0.3);
        const metadata = isVersioned ? { ...place, resourceVersion: `{rv ${version}}` } : place;
        return this.#add({ verb: 'update', ...to, body: { ...head, metadata, spec }, query });
      },
      merge: () => this.#add({ verb: 'patch', patch: 'merge', ...to, body: { spec }, query }),
      apply: () => {
        const body = { ...head, metadata: { name: place.name }, spec };
        return this.#add({ verb: 'patch', patch: 'apply', ...to, body, query: { ...query, force: 'true' } });
      },
      json: () => {
        const body = [{ op: 'replace', path: '/spec/replicas', value: replicas }];
        return this.#add({ verb: 'patch', patch: 'json', ...to, body, query });
      },
    };
    steps[random.weighted({ get: 3, update: 3, merge: 3, apply: 1, json: 1 })]();
  }

  #get(grammar: KindGrammar): void {
    const query = this.random.chance(0.2) ? { query: { resourceVersion: this.random.pick(['0', '1', 'x']) } } : {};
    const place = this.#place(grammar, 0.9);
    const id = this.#add({ verb: 'get', resource: grammar.resource, ...place, ...query });
    this.#remember(grammar, place, id);
  }

  #list(grammar: KindGrammar, verb: 'list' | 'watch'): void {
    const { random } = this;
    const query: Record<string, string> = {};
    const isEverywhere = !grammar.namespaced || random.chance(0.15);
    if (random.chance(0.4))
      query['labelSelector'] = random.chance(0.1)
        ? random.pick(badLabelSelectors)
        : random.pick(Object.keys(labelSelectors));
    if (random.chance(0.2)) query['fieldSelector'] = this.#fieldSelector(grammar);
    if (isEverywhere)
      query['labelSelector'] = query['labelSelector'] ? `${query['labelSelector']},trace={ns}` : 'trace={ns}';
    const namespace = isEverywhere ? {} : { namespace: this.#namespace() };
    // How a page of everything ends depends on what other traces have made.
    const isPaged = verb === 'list' && !isEverywhere;
    Object.assign(query, verb === 'list' ? this.#listQuery(grammar, isPaged) : this.#watchQuery(grammar));
    const id = this.#add({ verb, resource: grammar.resource, ...namespace, query });
    if (verb === 'list') this.#lists.push(id);
    const { limit, labelSelector, fieldSelector } = query;
    if (isPaged && limit !== undefined && random.chance(0.6)) {
      const next = {
        limit,
        continue: `{continue ${id}}`,
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      };
      this.#add({ verb, resource: grammar.resource, ...namespace, query: next });
    }
  }

  #fieldSelector(grammar: KindGrammar): string {
    if (this.random.chance(0.1)) return this.random.pick(badFieldSelectors);
    const names = grammar.namespaced
      ? ['metadata.name=a', 'metadata.name!=b', 'metadata.namespace={ns}']
      : ['metadata.name={ns}-a'];
    return this.random.pick([...names, ...(grammar.fieldSelectors ?? [])]);
  }

  #listQuery(grammar: KindGrammar, isPaged: boolean): Record<string, string> {
    const { random } = this;
    const version = this.#anyVersion(grammar);
    return random.chance(0.5)
      ? {}
      : random.pick<Record<string, string>>([
          ...(isPaged
            ? pages.map((page) => ({ ...page, ...(page['resourceVersionMatch'] ? { resourceVersion: version } : {}) }))
            : []),
          { limit: '0' },
          { resourceVersion: '0' },
          { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
          { resourceVersion: '0', resourceVersionMatch: 'Exact' },
          { resourceVersion: version, resourceVersionMatch: 'Exact' },
          { resourceVersion: version, resourceVersionMatch: 'NotOlderThan' },
          { resourceVersion: version },
          { resourceVersion: 'x' },
          { resourceVersionMatch: 'Exact' },
          { resourceVersion: version, resourceVersionMatch: 'Odd' },
          { continue: 'nonsense' },
          { sendInitialEvents: 'true' },
          { limit: 'x' },
        ]);
  }

  #watchQuery(grammar: KindGrammar): Record<string, string> {
    const version = this.#anyVersion(grammar);
    return this.random.pick<Record<string, string>>([
      {},
      {},
      { resourceVersion: '0' },
      { resourceVersion: version },
      { resourceVersion: version },
      { resourceVersion: version, allowWatchBookmarks: 'true' },
      { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' },
      {
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
        resourceVersion: '0',
      },
      {
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
        resourceVersion: version,
      },
      { sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan', resourceVersion: version },
      { sendInitialEvents: 'true' },
      { sendInitialEvents: 'true', resourceVersionMatch: 'Exact' },
      { resourceVersionMatch: 'NotOlderThan' },
      { resourceVersion: 'x' },
    ]);
  }

  #delete(grammar: KindGrammar): void {
    const { random } = this;
    const place = this.#place(grammar, 0.95);
    const latest = this.#objects.get(keyOf(grammar, place))?.at(-1);
    const preconditions = random.weighted({ none: 7, uid: 1, version: 1, wrongUid: 0.5, wrongVersion: 0.5 });
    const chosen: Record<string, Json> =
      preconditions === 'none' || latest === undefined
        ? {}
        : {
            preconditions: {
              none: {},
              uid: { uid: `{uid ${latest}}` },
              version: { resourceVersion: `{rv ${latest}}` },
              wrongUid: { uid: '00000000-0000-0000-0000-000000000009' },
              wrongVersion: { resourceVersion: '1' },
            }[preconditions] as Json,
          };
    if (random.chance(0.4)) chosen['propagationPolicy'] = random.pick(['Background', 'Foreground', 'Orphan', 'Odd']);
    if (random.chance(0.25)) chosen['gracePeriodSeconds'] = random.pick([0, 0, 5, 30, -1]);
    if (random.chance(0.05)) chosen['orphanDependents'] = random.pick([true, false]);
    if (random.chance(0.06)) chosen['dryRun'] = [random.pick(['All', 'Odd'])];
    const isPlain = Object.keys(chosen).length === 0;
    const body = isPlain ? {} : { body: { apiVersion: 'v1', kind: 'DeleteOptions', ...chosen } };
    this.#add({ verb: 'delete', resource: grammar.resource, ...place, ...body });
  }

  #deleteCollection(grammar: KindGrammar): void {
    const { random } = this;
    const query: Record<string, string> = {};
    if (random.chance(0.5)) query['labelSelector'] = random.pick(Object.keys(labelSelectors));
    if (!grammar.namespaced)
      query['labelSelector'] = query['labelSelector'] ? `${query['labelSelector']},trace={ns}` : 'trace={ns}';
    if (random.chance(0.1)) query['dryRun'] = 'All';
    const namespace = grammar.namespaced ? { namespace: '{ns}' } : {};
    this.#add({
      verb: 'deletecollection',
      resource: grammar.resource,
      ...namespace,
      ...(Object.keys(query).length > 0 ? { query } : {}),
    });
  }

  /** Puts finalizers on an object and takes them off, so that deletions wait and go on. */
  #finalize(grammar: KindGrammar): void {
    const place = this.#place(grammar, 1);
    const finalizers = this.random.pick<Json>([
      ['example.com/hold'],
      ['example.com/hold'],
      null,
      null,
      ['example.com/two'],
    ]);
    const id = this.#add({
      verb: 'patch',
      patch: 'merge',
      resource: grammar.resource,
      ...place,
      body: { metadata: { finalizers } },
      query: this.#writeQuery(),
    });
    this.#remember(grammar, place, id);
  }

  /** What goes wrong before the object is looked at. */
  #odd(grammar: KindGrammar): void {
    const { random } = this;
    const { resource } = grammar;
    const place = this.#place(grammar, 1);
    const whole = new Bodies(grammar, random).whole(place.name, place.namespace) as Record<string, Json>;
    const { name: _, ...parent } = place;
    const metadata = whole['metadata'] as Record<string, Json>;
    const query = this.#writeQuery();
    const badName = random.pick([
      'UPPER',
      'a b',
      '-a',
      'a_b',
      '.',
      'a'.repeat(254),
      'a..b',
      ...(grammar.badNames ?? []),
    ]);
    const name = grammar.namespaced ? badName : `{ns}-${badName}`.slice(0, 254);
    random.pick<() => void>([
      () => this.#add({ verb: 'create', resource, ...parent, body: { ...whole, kind: 'Other' }, query }),
      () => this.#add({ verb: 'create', resource, ...parent, body: { ...whole, apiVersion: 'v9' }, query }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...parent,
          body: { ...whole, apiVersion: 'nope.example.com/v1', kind: 'Nope' },
          query,
        }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...parent,
          body: random.pick<Json>([
            [],
            'x',
            5,
            null,
            {},
            { metadata: {} },
            { kind: grammar.kind },
            { apiVersion: apiVersionOf(grammar) },
          ]),
          query,
        }),
      () =>
        this.#add({ verb: 'create', resource, ...parent, body: { ...whole, metadata: { ...metadata, name } }, query }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...parent,
          body: { ...whole, metadata: { ...metadata, namespace: 'elsewhere' } },
          query,
        }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...parent,
          body: { ...whole, metadata: { ...metadata, resourceVersion: '5' } },
          query,
        }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...parent,
          body: { ...whole, metadata: { labels: { trace: '{ns}' } } },
          query,
        }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...(grammar.namespaced ? { namespace: '{ns}-none' } : {}),
          body: whole,
          query,
        }),
      () =>
        this.#add({
          verb: 'update',
          resource,
          ...place,
          body: { ...whole, metadata: { ...metadata, name: 'other' } },
          query,
        }),
      () =>
        this.#add({
          verb: 'update',
          resource,
          ...place,
          body: { ...whole, metadata: { ...metadata, namespace: 'elsewhere' } },
          query,
        }),
      () => this.#add({ verb: 'update', resource, ...place, body: { ...whole, metadata: {} }, query }),
      () => this.#add({ verb: 'update', resource, ...place, body: { ...whole, kind: 'Other' }, query }),
      () => this.#add({ verb: 'patch', patch: 'apply', resource, ...place, body: { ...whole, kind: 'Other' }, query }),
      () =>
        this.#add({
          verb: 'patch',
          patch: 'apply',
          resource,
          ...place,
          body: { ...whole, metadata: { name: 'other' } },
          query,
        }),
      () =>
        this.#add({
          verb: 'patch',
          patch: 'apply',
          resource,
          ...place,
          body: { metadata: { name: place.name } },
          query,
        }),
      () => this.#add({ verb: 'patch', patch: 'apply', resource, ...place, body: whole, query: {} }),
      () =>
        this.#add({
          verb: 'patch',
          patch: 'apply',
          resource,
          ...place,
          body: { ...whole, metadata: { ...metadata, managedFields: [{ manager: 'x' }] } },
          query,
        }),
      () =>
        this.#add({
          verb: 'patch',
          patch: 'apply',
          resource,
          ...place,
          body: { ...whole, metadata: { name: place.name, resourceVersion: '1' } },
          query,
        }),
      () =>
        this.#add({
          verb: 'patch',
          patch: 'apply',
          resource,
          ...place,
          name,
          body: { ...whole, metadata: { name } },
          query,
        }),
      () =>
        this.#add({
          verb: 'patch',
          patch: 'merge',
          resource,
          ...place,
          body: { metadata: { labels: { x: 'y' } } },
          query: { ...query, force: 'true' },
        }),
      () =>
        this.#add({
          verb: 'create',
          resource,
          ...parent,
          body: whole,
          query: { ...query, fieldManager: random.pick(['x'.repeat(129), 'bad\u0001name', '']) },
        }),
      () =>
        this.#add({ verb: 'create', resource, ...parent, body: whole, query: { ...query, fieldValidation: 'Odd' } }),
      () => this.#add({ verb: 'create', resource, ...parent, body: whole, query: { ...query, dryRun: 'Odd' } }),
      () =>
        this.#add({
          verb: 'update',
          resource,
          ...place,
          body: { apiVersion: 'v1', kind: 'Status', status: 'Failure' },
          query,
        }),
      () => this.#add({ verb: 'get', resource, ...place, name }),
      () => this.#add({ verb: 'delete', resource, ...place, name: 'nowhere' }),
      () => this.#add({ verb: 'get', resource, ...place, subresource: 'nonsense' }),
      () => this.#add({ verb: 'get', resource: `${apiVersionOf(grammar)}/nonsenses`, ...place }),
    ])();
  }

  #writeQuery(): Record<string, string> {
    const { random } = this;
    const query: Record<string, string> = { fieldManager: random.pick(['alice', 'alice', 'bob', 'bob', 'carol']) };
    if (random.chance(0.3)) query['fieldValidation'] = random.pick(['Strict', 'Strict', 'Warn', 'Ignore']);
    if (random.chance(0.07)) query['dryRun'] = 'All';
    return query;
  }

  /** Where to: a place that is in use with the given probability, so that operations meet. */
  #place(grammar: KindGrammar, meet = 0.25): { readonly namespace?: string; readonly name: string } {
    const known = this.random.chance(meet) ? this.#known(grammar) : undefined;
    if (known) return known.place;
    const name = this.random.pick(
      grammar.names ?? (grammar.namespaced ? ['a', 'b', 'c'] : ['{ns}-a', '{ns}-b', '{ns}-c']),
    );
    return grammar.namespaced ? { namespace: this.#namespace(), name } : { name };
  }

  #namespace(): string {
    return this.random.chance(0.1) ? '{ns}-b' : '{ns}';
  }

  #known(
    grammar: KindGrammar,
  ):
    | { readonly place: { readonly namespace?: string; readonly name: string }; readonly ids: readonly number[] }
    | undefined {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(`${grammar.resource} `));
    if (keys.length === 0) return undefined;
    const key = this.random.pick(keys);
    const [, namespace, name] = key.split(' ') as [string, string, string];
    return { place: namespace === '' ? { name } : { namespace, name }, ids: this.#objects.get(key) as number[] };
  }

  #remember(grammar: KindGrammar, place: { readonly namespace?: string; readonly name: string }, id: number): void {
    const key = keyOf(grammar, place);
    this.#objects.set(key, [...(this.#objects.get(key) ?? []), id]);
  }

  #anyVersion(grammar: KindGrammar): string {
    return `{rv ${this.#known(grammar)?.ids.at(-1) ?? 1}}`;
  }

  #settle(grammar: KindGrammar, name: string): void {
    if (grammar.settles)
      this.#remember(grammar, { name }, this.#add({ verb: 'settle', resource: grammar.resource, name }));
  }

  #add(operation: Omit<Operation, 'id'>): number {
    const id = this.#next++;
    const isDry = this.chosen.some(({ resource, dry }) => dry && resource === operation.resource);
    const isRead = ['get', 'list', 'watch'].includes(operation.verb);
    const query = isDry && !isRead ? { query: { ...operation.query, dryRun: 'All' } } : {};
    this.#operations.push({ id, ...operation, ...query });
    return id;
  }
}

function keyOf(
  { resource }: KindGrammar,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): string {
  return `${resource} ${namespace ?? ''} ${name}`;
}
