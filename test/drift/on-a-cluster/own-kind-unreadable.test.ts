import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition } from '../../../imports/k8s.js';
import { customResource, many, operator, s } from '../../../src/index.js';
import { ConversionWebhook, type Manner } from '../../cluster/conversion-webhook.js';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

/** Kinds that are stored as v1, and dealt with as v2. */
const kindOf = (kind: string, version: string) =>
  customResource({
    group: 'tales.example.com',
    version,
    kind,
    spec: s.object({ text: s.string({ optional: true }) }),
  });
const [Tale, Source] = [kindOf('Tale', 'v2'), kindOf('Source', 'v2')];
const [StoredTale, StoredSource] = [kindOf('Tale', 'v1'), kindOf('Source', 'v1')];
const definitionOf = (Kind: typeof Tale) => {
  const definition = Kind.crd() as ReturnType<typeof Kind.crd> & { spec: { versions: readonly object[] } };
  const [version] = definition.spec.versions;
  const versions = [
    { ...version, name: 'v1', storage: true },
    { ...version, name: 'v2', storage: false },
  ];
  return { ...definition, spec: { ...definition.spec, versions } };
};

const tale = operator(Tale, {
  owns: [ConfigMap],
  reads: { sources: many(Source, () => ({ labels: { for: 'all' } })) },
  compose(scope, { spec: { text = '' } }, { sources }) {
    const told = sources.map(({ spec }) => spec.text ?? '');
    new ConfigMap(scope, 'default', { data: { text, told: told.join() } });
  },
});

onRealCluster('a custom resource whose own kind, or what it reads, cannot be converted', { audit: true }, (plane) => {
  const stage = new Stage(plane, [definitionOf(Tale), definitionOf(Source)]);
  let webhook: ConversionWebhook;
  let expired: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.start();
    expired = await ConversionWebhook.start(Date.now() - 20 * 365 * 86_400_000);
  });
  afterAll(async () => {
    await webhook?.close();
    await expired?.close();
  });

  afterEach(async () => {
    webhook.recover();
    await stage.stop();
  });

  const convert = (Kind: typeof Tale, { conversion }: ConversionWebhook, conversionReviewVersions = ['v1']) => {
    const body = { ...conversion, webhook: { ...Object(conversion).webhook, conversionReviewVersions } };
    return stage.change(CustomResourceDefinition, Kind.crd().metadata.name, { spec: { conversion: body } });
  };
  const target = { namespace: 'default', name: 'a' };
  const shown = async () => (await stage.get(ConfigMap, target)).data;

  it.each<[string, typeof Tale, readonly (readonly [Manner, string])[]]>([
    [
      'its own kind',
      Tale,
      [
        ['of another uid', 'failed: expected response.uid='],
        ['renaming', 'returned invalid object: must have the same name'],
      ],
    ],
    [
      'what it reads',
      Source,
      [
        ['refusing', 'failed: no such shape'],
        ['broken', 'failed: .*out of memory'],
      ],
    ],
  ])('D-27: %s: nothing is taken for gone, and all is done within seconds of when it can', async (_, Kind, manners) => {
    for (const each of [Tale, Source]) await convert(each, webhook);
    const source = { metadata: { namespace: 'default', name: 'all', labels: { for: 'all' } }, spec: { text: 'then' } };
    await eventually(() => stage.create(StoredSource, source).catch(() => stage.change(StoredSource, 'all', source)));
    await stage.start([tale]);
    await eventually(() => stage.wish(StoredTale, 'a', { text: 'once' }), 30);
    await eventually(async () => expect(await shown()).toEqual({ text: 'once', told: 'then' }), 30);
    await stage.quiet();
    const { uid } = (await stage.get(ConfigMap, target)).metadata;

    const lines = stage.lines.length;
    const told = () =>
      stage.lines
        .slice(lines)
        .filter(({ msg, resource }) => msg === 'Failed to watch' && resource === `${Kind.plural}.${Kind.group}`)
        .map(({ error }) => error);
    const kind = `conversion webhook for tales.example.com/v1, Kind=${Kind.kind} `;
    const writes = await stage.writesDuring(async () => {
      // Of a definition that changes, the server ends all watches, and what is listed anew has to be converted.
      await convert(Kind, expired);
      await eventually(() => expect(told()).toContainEqual(expect.stringContaining('certificate has expired')), 60);
      for (const [index, [manner, words]] of manners.entries()) {
        webhook.manner = manner;
        await convert(Kind, webhook, index % 2 === 0 ? ['v1'] : ['v1', 'v1beta1']);
        // A process that begins now fills no store of it, and asks at once.
        await stage.stop();
        void stage.start([tale]);
        await eventually(() => expect(told()).toContainEqual(expect.stringMatching(new RegExp(kind + words))), 60);
      }
      const others = Kind === Tale ? StoredSource : StoredTale;
      await stage.change(others, others === StoredTale ? 'a' : 'all', { spec: { text: 'now' } });
    });
    expect(writes).toEqual([]);
    expect((await stage.get(ConfigMap, target)).metadata.uid).toBe(uid);
    expect(await shown()).toEqual({ text: 'once', told: 'then' });

    webhook.recover();
    const now = Kind === Tale ? { text: 'once', told: 'now' } : { text: 'now', told: 'then' };
    await eventually(async () => expect(await shown()).toEqual(now), 60);
    expect((await stage.get(ConfigMap, target)).metadata.uid).toBe(uid);
    await eventually(async () => expect(await stage.condition(Tale, 'a')).toMatchObject({ status: 'True' }));
  });
});
