import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtInKinds } from '../../../src/embedded/built-in/built-in-kinds.js';
import { tableOf } from '../../../src/embedded/http/table.js';
import type { ServedKind } from '../../../src/embedded/kinds/served-kind.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { shown } from './shown-objects.js';

interface Table {
  readonly columnDefinitions: readonly { name: string; type: string; format: string; priority: number }[];
  /** Null in some tables of nothing. */
  readonly rows: readonly { cells: readonly Json[]; object: KubeObject }[] | null;
}

const kinds = builtInKinds();
const pathOf = ({ group, version, namespaced, plural }: ServedKind) =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${plural}`;
const kindOf = (kind: string, group?: string) => {
  const found = kinds.find((each) => each.kind === kind && (group === undefined || each.group === group));
  if (!found) throw new Error(`${kind} is not served`);
  return found;
};

onRealCluster('a table of a built-in kind', {}, (plane) => {
  let server: AskServer;
  beforeAll(async () => {
    server = new AskServer(plane());
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await server.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account });
    const refused: object[] = [];
    for (const [index, { kind, ...body }] of shown.entries()) {
      const served = kindOf(kind);
      const name = `a-${index}`;
      const metadata = { ...(body as { metadata?: object }).metadata, name };
      const { group, version } = served;
      const object = { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...body, metadata };
      const created = await server.ask('POST', pathOf(served), { body: object });
      if (created.code !== 201) refused.push({ name, kind, ...created });
      if (!('status' in body) || !served.subresources.status) continue;
      const status = await server.ask('PATCH', `${pathOf(served)}/${name}/status`, {
        body: { status: body.status },
        contentType: 'application/merge-patch+json',
      });
      if (status.code !== 200) refused.push({ name, kind, ...status });
    }
    expect(refused).toEqual([]);
    const pod = shown.findIndex((each) => each.kind === 'Pod' && 'metadata' in each);
    await server.ask('DELETE', `/api/v1/namespaces/default/pods/a-${pod}`);
  });
  afterAll(() => server.close());

  it.each(kinds.map((kind) => [kind.group, kind.kind, kind] as const))(
    'has the columns and cells of the server: %s %s',
    async (_group, _kind, kind) => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      const { body } = await server.ask('GET', `${pathOf(kind)}?includeObject=Object`, { headers: { accept } });
      const theirs = body as unknown as Table;
      const objects = (theirs.rows ?? []).map(({ object }) => object);
      const now = Date.now();
      const ours = tableOf(kind, objects, {}, { version: 'v1', contents: 'Object', now }) as Table;
      const columns = ({ columnDefinitions }: Table) =>
        columnDefinitions.map(({ name, type, format, priority }) => ({ name, type, format, priority }));
      expect(columns(ours)).toEqual(columns(theirs));
      expect(cells(ours)).toEqual(cells(theirs));
    },
  );

  it.each([...new Set(shown.map(({ kind }) => kind))])('was looked at with a %s in it', async (kind) => {
    const { body } = await server.ask('GET', pathOf(kindOf(kind)));
    expect((body['items'] as readonly Json[]).length).toBeGreaterThan(0);
  });
});

/** Ages of what was made just now are not compared, nor cells beyond the last column, which the server has for one kind. */
function cells({ rows, columnDefinitions }: Table): readonly (readonly Json[])[] {
  const shownCell = (cell: Json) => (typeof cell === 'string' && /^(\d+s|\d+m(\d+s)?)$/.test(cell) ? 'new' : cell);
  return (rows ?? []).map((row) => row.cells.slice(0, columnDefinitions.length).map(shownCell));
}
