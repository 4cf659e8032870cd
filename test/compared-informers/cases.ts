/** Longer than most files: a table of faults, one after the other. */
import { strict as assert } from 'node:assert';
import { eventually } from '../cluster/eventually.js';
import { type Fault, oldList, refusal } from '../cluster/proxy-rules.js';
import { lists, resumes, type Stage, watches } from './stage.js';

/** What may happen between an informer and its API server, and must cost nobody anything. */
export interface InformerCase {
  /** Of the catalogue of faults. */
  readonly id: string;
  readonly title: string;
  /** How many times as fast time goes for an informer that takes it from outside, where the fault takes minutes. */
  readonly hurry?: number;
  /** For how many seconds of its clock ours may wait until it shows what is there. Default: two, which is one try later. */
  readonly waits?: number;
  /** Makes it happen. Rejects when the informer gets it wrong; that it is in sync in the end is looked at after it. */
  play(stage: Stage, scale: Scale): Promise<void>;
}

/** How much of a fault: fewer repetitions where time is the machine's own. */
export interface Scale {
  readonly failures: number;
}

const objects = ['a', 'gone', 'again'];
const errorLine = (code: number, reason: string) =>
  `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason } })}\n`;

/** The next watch is answered so, after the present one has ended. */
const atTheNextWatch = (fault: Fault) => async (stage: Stage) => {
  await stage.started(...objects);
  const rule = stage.proxy.on({ ...watches, times: 1 }, fault);
  await stage.finishWatch();
  await eventually(() => assert.equal(rule.hits, 1), 100);
  await stage.meanwhile();
};
/** The version that is watched is gone, and the list that follows is answered so. */
const atTheNextList =
  (fault: Fault, times = 1) =>
  async (stage: Stage) => {
    await stage.started(...objects);
    const rule = stage.proxy.on({ ...lists, times }, fault);
    stage.proxy.say(watches, errorLine(410, 'Expired'));
    stage.proxy.end(watches, 'close');
    await stage.meanwhile();
    await eventually(() => assert.equal(rule.hits, times), 100);
  };
/** Something ends or spoils the event of a change, while the change itself is not made again. */
const atTheNextEvent = (bytes: (chunk: Buffer) => Buffer, end?: 'reset' | 'close') => async (stage: Stage) => {
  await stage.started(...objects);
  stage.proxy.alterNext(watches, { bytes, ...(end ? { end } : {}) });
  await stage.change('a');
};
const half = (chunk: Buffer) => chunk.subarray(0, Math.floor(chunk.length / 2));
const tooMany = refusal(429, 'TooManyRequests', { retryAfterSeconds: 1 });

const definitions = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const definitionOf = (group: string) => ({
  apiVersion: definitions.apiVersion,
  kind: definitions.kind,
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

export const cases: readonly InformerCase[] = [
  {
    id: 'C-01, fault 1',
    title: 'in-stream ERROR 410, then the end',
    async play(stage) {
      await stage.started(...objects);
      stage.proxy.say(watches, errorLine(410, 'Expired'));
      stage.proxy.end(watches, 'close');
      await stage.meanwhile();
    },
  },
  {
    id: 'C-01',
    title: 'in-stream ERROR 410 among more objects than anybody looks at often',
    async play(stage) {
      // Their names come after those of the others, so that these are not the last of the list.
      for (let batch = 0; batch < 125; batch++) {
        await Promise.all(Array.from({ length: 16 }, (_, index) => stage.create(`many-${batch}-${index}`)));
      }
      await stage.started(...objects);
      stage.proxy.say(watches, errorLine(410, 'Expired'));
      stage.proxy.end(watches, 'close');
      await stage.meanwhile();
    },
  },
  { id: 'C-02, fault 2', title: 'HTTP 410 on the next watch', play: atTheNextWatch(refusal(410, 'Expired')) },
  {
    id: 'C-03',
    title: 'the version that is watched is too large for the server',
    play: atTheNextWatch(refusal(504, 'Timeout', { retryAfterSeconds: 1 })),
  },
  {
    id: 'C-04, fault 3',
    title: 'LIST 500 once, when it lists anew',
    play: atTheNextList(refusal(500, 'InternalError')),
  },
  {
    id: 'C-04',
    title: 'LIST 503 again and again, from the start',
    waits: 60,
    hurry: 30,
    async play(stage, { failures }) {
      for (const name of objects) await stage.create(name);
      const rule = stage.proxy.on({ ...lists, times: failures }, refusal(503, 'ServiceUnavailable'));
      await stage.start();
      await eventually(() => assert.equal(rule.hits, failures), 110);
    },
  },
  {
    id: 'C-05, fault 4',
    title: 'LIST 429 with Retry-After, at the start',
    async play(stage) {
      for (const name of objects) await stage.create(name);
      const rule = stage.proxy.on({ ...lists, times: 1 }, tooMany);
      await stage.start();
      await eventually(() => assert.equal(rule.hits, 1));
      const again = await eventually(() => {
        const [first, second] = stage.proxy.seen(lists);
        assert.ok(first && second, 'it has not listed again');
        return second.arrivedAt - (first.endedAt ?? 0);
      }, 100);
      assert.ok(again >= 995, `it came back after ${Math.round(again)} ms, and was asked to wait for 1 s`);
    },
  },
  { id: 'fault 5', title: 'the next watch is answered with 500', play: atTheNextWatch(refusal(500, 'InternalError')) },
  {
    id: 'C-05, fault 6',
    title: 'the next watch is answered with 429: waits, and lists nothing anew',
    async play(stage) {
      await stage.started(...objects);
      const listed = stage.proxy.seen(lists).length;
      const rule = stage.proxy.on({ ...resumes, times: 1 }, tooMany);
      await stage.finishWatch();
      await eventually(() => assert.equal(rule.hits, 1), 100);
      await stage.meanwhile();
      await stage.inSync(100);
      assert.equal(stage.proxy.seen(lists).length, listed, 'it listed anew');
    },
  },
  { id: 'C-06, fault 7', title: 'a reset in the midst of an event', play: atTheNextEvent(half, 'reset') },
  { id: 'C-06', title: 'an end in the midst of an event', play: atTheNextEvent(half, 'close') },
  {
    id: 'fault 8',
    title: 'in-stream ERROR 500, then the end',
    async play(stage) {
      await stage.started(...objects);
      stage.proxy.say(watches, errorLine(500, 'InternalError'));
      stage.proxy.end(watches, 'close');
      await stage.meanwhile();
    },
  },
  {
    id: 'C-07, fault 9',
    title: 'a line that is cut off, and the next one whole',
    play: atTheNextEvent((chunk) => Buffer.concat([half(chunk), Buffer.from('\n')])),
  },
  { id: 'C-07', title: 'a garbled line', play: atTheNextEvent((chunk) => Buffer.from(`{,,${chunk.toString()}`)) },
  {
    id: 'C-09, fault 10',
    title: 'the connection lives, and nothing comes any more',
    waits: 90,
    hurry: 30,
    async play(stage) {
      await stage.started(...objects);
      stage.proxy.end(watches, 'stall');
      await stage.meanwhile();
    },
  },
  {
    id: 'C-09',
    title: 'the next watch is accepted and never answered',
    waits: 90,
    hurry: 30,
    async play(stage) {
      await stage.started(...objects);
      const rule = stage.proxy.on({ ...watches, times: 1 }, { type: 'silence' });
      await stage.finishWatch();
      await eventually(() => assert.equal(rule.hits, 1), 100);
      await stage.meanwhile();
    },
  },
  {
    id: 'C-11, fault 11',
    title: 'the new list shows the past',
    async play(stage) {
      await stage.started(...objects);
      const past = await stage.ground.admin.list(stage.resource, { namespace: stage.namespace });
      await stage.meanwhile();
      await stage.inSync();
      // In either form, whichever is asked for.
      const rules = [true, false].map((watch) => stage.proxy.on({ ...lists, watch }, oldList(stage.resource, past)));
      stage.proxy.say(watches, errorLine(410, 'Expired'));
      stage.proxy.end(watches, 'close');
      await eventually(() => assert.ok(rules.some(({ hits }) => hits > 0)), 100);
    },
  },
  {
    id: 'C-12',
    title: 'a watch comes late, and all at once',
    async play(stage) {
      const rule = stage.proxy.on({ ...resumes, times: 1 }, { type: 'hold events' });
      await stage.started(...objects);
      stage.proxy.end(watches, 'close');
      await eventually(() => assert.equal(rule.hits, 1), 100);
      await stage.meanwhile();
      for (let round = 0; round < 5; round++) await stage.change('a');
      rule.release();
    },
  },
  ...([400, 422] as const).map((code) => ({
    id: 'C-15',
    title: `streaming lists are not supported, and refused with ${code}`,
    async play(stage: Stage) {
      const match = { watch: true, path: 'sendInitialEvents=true', times: Number.POSITIVE_INFINITY };
      stage.proxy.on(match, refusal(code, 'Invalid'));
      await stage.started(...objects);
      await stage.meanwhile();
    },
  })),
  {
    id: 'C-16',
    title: 'a streaming list never says that it is complete',
    waits: 120,
    hurry: 30,
    async play(stage) {
      const silent = (chunk: Buffer) =>
        Buffer.from(
          chunk
            .toString()
            .split('\n')
            .filter((line) => !line.includes('k8s.io/initial-events-end'))
            .join('\n'),
        );
      const match = { watch: true, path: 'sendInitialEvents=true' };
      stage.proxy.on({ ...match, times: Number.POSITIVE_INFINITY }, { type: 'rewrite', bytes: silent });
      for (const name of objects) await stage.create(name);
      await stage.start();
      await eventually(() => assert.ok(stage.proxy.requests.some(({ code }) => code === 200)));
      // A server that streams no list refuses to.
      const isStreamed = stage.proxy.requests.some(({ path, code }) => path.includes(match.path) && code === 200);
      if (isStreamed) assert.equal(stage.informer.isSynced, false, 'it claims to be synced');
    },
  },
  {
    id: 'C-17',
    title: 'the token of a paged list expires',
    async play(stage) {
      const many = Array.from({ length: 510 }, (_, index) => `page-${index}`);
      for (let start = 0; start < many.length; start += 30) {
        await Promise.all(many.slice(start, start + 30).map((name) => stage.create(name)));
      }
      const streamed = { watch: true, path: 'sendInitialEvents=true', times: Number.POSITIVE_INFINITY };
      stage.proxy.on(streamed, refusal(400, 'BadRequest'));
      const paged = stage.proxy.on({ path: 'continue=' }, refusal(410, 'Expired'));
      await stage.start();
      await stage.inSync(60);
      // Whoever does not page has nothing that expires.
      if (stage.proxy.seen({ path: 'limit=' }).length > 0) assert.equal(paged.hits, 1);
    },
  },
  {
    id: 'C-18',
    title: 'an event of a megabyte, in small pieces',
    async play(stage) {
      stage.proxy.on({ ...watches, times: Number.POSITIVE_INFINITY }, { type: 'split', bytes: 4093 });
      await stage.started(...objects);
      await stage.change('a', { large: '🦭é'.repeat(150_000) });
      await stage.inSync(100);
      assert.equal(
        stage.informer.list().find(({ metadata }) => metadata?.name === 'a')?.data?.['large']?.length,
        450_000,
      );
    },
  },
  {
    id: 'C-18, fault 12',
    title: 'a raw U+2028, and characters whose bytes come apart',
    async play(stage) {
      const raw = (chunk: Buffer) => Buffer.from(chunk.toString().replaceAll('\\u2028', '\u2028'));
      stage.proxy.on({ ...watches, times: Number.POSITIVE_INFINITY }, { type: 'rewrite', bytes: raw });
      stage.proxy.on({ ...watches, times: Number.POSITIVE_INFINITY }, { type: 'split', bytes: 7 });
      await stage.started(...objects);
      await stage.change('a', { text: '🦭\u2028é' });
      await stage.inSync(100);
      assert.equal(stage.informer.list().find(({ metadata }) => metadata?.name === 'a')?.data?.['text'], '🦭\u2028é');
    },
  },
  {
    id: 'C-19',
    title: 'the kind is deleted while it is watched, and comes again',
    waits: 20,
    async play(stage) {
      const group = `${stage.namespace}.example.com`;
      const definition = definitionOf(group);
      const { admin } = stage.ground;
      stage.resource = { apiVersion: `${group}/v1`, kind: 'Widget', plural: 'widgets', namespaced: true };
      const install = async () => {
        await eventually(() => admin.create(definitions, definition, { fieldManager: 'suite' }));
        await eventually(() => admin.list(stage.resource, { namespace: stage.namespace }));
      };
      await install();
      for (const name of objects) await eventually(() => stage.create(name));
      await stage.start();
      await stage.inSync();
      await admin.delete(definitions, { name: definition.metadata.name });
      await eventually(() => assert.rejects(admin.list(stage.resource, { namespace: stage.namespace })));
      const asked = stage.proxy.requests.length;
      await eventually(() => assert.ok(stage.proxy.requests.length >= asked + 3), 100);
      // Waits longer each time: a kind that is not there is nothing to ask for without a pause.
      const [first = 0, ...rest] = stage.proxy.requests.slice(asked).map(({ arrivedAt }) => arrivedAt);
      assert.ok((rest.at(-1) ?? 0) - first > 500, 'it asks without a pause');
      await install();
      await eventually(() => stage.create('a'));
    },
  },
  {
    id: 'C-21',
    title: 'the token was rotated, and the old one is refused',
    async play(stage) {
      stage.token = await stage.newToken();
      await stage.started(...objects);
      const old = `Bearer ${stage.token}`;
      stage.token = await stage.newToken();
      assert.notEqual(`Bearer ${stage.token}`, old);
      const refused = stage.proxy.on(
        { when: ({ authorization }) => authorization === old, times: Number.POSITIVE_INFINITY },
        // The new one is there, though nobody has looked since.
        { type: 'before sent', run: () => stage.giveCredentials(), next: 'forward' },
      );
      stage.proxy.on(
        { when: ({ authorization }) => authorization === old, times: Number.POSITIVE_INFINITY },
        refusal(401, 'Unauthorized'),
      );
      await stage.finishWatch();
      await eventually(() => assert.ok(refused.hits > 0), 100);
      await stage.meanwhile();
    },
  },
  {
    id: 'C-22',
    title: 'the authority of the server was rotated',
    waits: 4,
    async play(stage) {
      await stage.started(...objects);
      stage.proxy.rotate();
      await stage.meanwhile();
      stage.giveCredentials();
    },
  },
  {
    id: 'C-23',
    title: 'every connection is reset, as when the server is rolled over',
    async play(stage) {
      await stage.started(...objects);
      for (let round = 0; round < 3; round++) {
        stage.proxy.dropConnections();
        await stage.change('a');
      }
      await stage.meanwhile();
    },
  },
];
