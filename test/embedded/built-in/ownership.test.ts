import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtInKinds } from '../../../src/embedded/built-in/built-in-kinds.js';
import { compare } from '../../../src/embedded/fields/compare.js';
import { FieldSet } from '../../../src/embedded/fields/field-set.js';
import type { ServedKind } from '../../../src/embedded/kinds/served-kind.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { accepted } from './bodies.js';
import { shown } from './shown-objects.js';

type Body = { readonly [field: string]: Json };

const kinds = builtInKinds();
const rootOf = ({ group, version }: ServedKind) => (group === '' ? `api/${version}` : `apis/${group}/${version}`);
const kindOf = (kind: string, apiVersion?: string) => {
  const found = kinds.find(
    (each) => each.kind === kind && (apiVersion === undefined || rootOf(each).endsWith(`/${apiVersion}`)),
  );
  if (!found) throw new Error(`${kind} is not served`);
  return found;
};
const bodies = [
  ...shown.map(({ kind, ...body }) => ({ kind: kindOf(kind), body: body as object })),
  ...accepted.map(({ kind, apiVersion, body }) => ({ kind: kindOf(kind, apiVersion), body: body as object })),
]
  // Of lists with an item without its key the server cannot tell who owns what, and says nothing of the whole object.
  .filter(({ body }) => !JSON.stringify(body).includes('"secrets":[{},'))
  .map(({ kind, body }, index) => ({ kind, body, title: `${kind.kind} ${index}` }));

onRealCluster('the types that built-in kinds are merged by', {}, (plane) => {
  let server: AskServer;
  beforeAll(async () => {
    server = new AskServer(plane());
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await server.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
  });
  afterAll(() => server.close());

  it.each(bodies)('let the author own what the server says: $title', async ({ kind, body }) => {
    const { group, version, plural, namespaced, shape, subresources } = kind;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const labels = { a: 'b' };
    const annotations = { c: 'd' };
    const metadata = { finalizers: ['example.com/a'], ...(body as { metadata?: object }).metadata, name: 'a' };
    const object = { apiVersion, kind: kind.kind, ...body, metadata: { labels, annotations, ...metadata } };
    const path = `/${rootOf(kind)}${namespaced ? '/namespaces/default' : ''}/${plural}?dryRun=All`;
    const answer = await server.ask('POST', path, { body: object });
    expect(answer).toMatchObject({ code: 201 });
    const created = answer.body as unknown as KubeObject;
    const theirs = FieldSet.parse(created.metadata.managedFields?.[0]?.fieldsV1 ?? {}) as FieldSet;
    // Nothing is owned that stands in every object, also in one of which nobody has said anything.
    // The answer has no empty lists any more, which were owned when they were sent.
    const changes = [answer.body, shape.decode(object as Body).object as unknown as Json].map((after) =>
      compare(shape.empty ?? {}, after, shape.fieldType),
    );
    const ignored = subresources.status ? unowned.union(FieldSet.of(['f:status'])) : unowned;
    const ours = changes.reduce((all, { added, modified }) => all.union(added).union(modified), FieldSet.empty);
    // What the server adds after it has found the owner of what was sent belongs to nobody.
    const compared = isAddedTo.has(kind.kind) ? ours.intersection(theirs) : ours.without(ignored);
    expect(compared.toFieldsV1()).toEqual(theirs.toFieldsV1());
  });
});

/** Kinds to which admission, or what happens before a create, adds fields. */
const isAddedTo = new Set(['Pod', 'Job', 'Service', 'PersistentVolumeClaim', 'PersistentVolume', 'Node']);

/** What the server writes, and nobody owns. */
const unowned = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ...['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'].map((name) => [
    'f:metadata',
    `f:${name}`,
  ]),
);
