/** Longer than most files: every hard shape of a definition stands beside what becomes of it. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { build } from 'esbuild';
import type { TypedClass } from '../../src/index.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { packageRoot } from '../cluster/package-root.js';
import { untilServed } from '../cluster/until-served.js';
import { compiled, kilterFromHere } from './compiled.js';
import { runKilter } from './run-kilter.js';

const tricky = join(packageRoot, 'test/cli/tricky.yaml');
const hostile = join(packageRoot, 'test/cli/hostile.yaml');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-import-crd-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function imported(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runKilter(['import', 'crd', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

type Untyped = Readonly<Record<string, unknown>>;

/** Runs a generated module. */
async function loaded(text: string): Promise<Readonly<Record<string, TypedClass<Untyped>>>> {
  const { outputFiles } = await build({
    stdin: { contents: text, loader: 'ts', resolveDir: join(packageRoot, 'test/cli') },
    write: false,
    bundle: true,
    format: 'cjs',
    // The class that this process has, so that its charts know the constructs.
    external: ['constructs', 'kilter'],
  });
  const kilter = await import('../../src/index.js');
  const module: { exports: Record<string, TypedClass<Untyped>> } = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0]!.text)(module, module.exports, () => kilter);
  return module.exports;
}

describe('kilter import crd', () => {
  it('gives structures, choices, ports, maps and lists types that hold authors to the definition', async () => {
    const text = await imported(tricky, '--from', kilterFromHere);
    const use = `
      import type { Construct } from 'constructs';
      import { Tricky, TrickyV1alpha1, Wide, type TrickyObject, type TrickySpec, type TrickySpecItems } from './imported.js';
      import type { Observed } from '${kilterFromHere}';

      const items: readonly TrickySpecItems[] = [{ name: 'a', weight: undefined }];
      export const spec: TrickySpec = {
        class: 'a', 'with-dash': 1, '1st': true, "quote'd": '', constructor: '', color: "bl'ue", port: 'http', anything: [1],
        open: { known: '', unknown: 1 }, maybe: null, labels: { a: 'b' }, matrix: [[1]], choices: ['a'], items,
      };
      export const least: TrickySpec = { class: 'a', 'with-dash': 1 };
      export const make = (scope: Construct) => {
        new Tricky(scope, 'a', { metadata: { name: 'a', labels: { a: 'b' } }, spec });
        new TrickyV1alpha1(scope, 'b');
        new Wide(scope, 'c');
        // @ts-expect-error what is required is missing
        new Tricky(scope, 'd', { spec: { class: 'a' } });
        // @ts-expect-error all that is required is missing
        new Tricky(scope, 'd');
        // @ts-expect-error no choice of the definition
        new Tricky(scope, 'e', { spec: { ...least, color: 'green' } });
        // @ts-expect-error a letter wrong, two levels down
        new Tricky(scope, 'f', { spec: { ...least, items: [{ name: 'a', wieght: 1 }] } });
        // @ts-expect-error the controller's to write
        new Tricky(scope, 'g', { spec, status: { phase: 'Ready' } });
      };
      export const phase = (seen: Observed<TrickyObject>): string | undefined => seen.status?.phase;
    `;
    expect(await compiled({ 'imported.ts': text, 'use.ts': use })).toBe('');
  });

  it('tells of a kind whether it says that it is ready, by its columns', async () => {
    const path = join(folder, 'columns.yaml');
    const version = (name: string, jsonPath: string) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object' } },
      additionalPrinterColumns: [{ name: 'Ready', type: 'string', jsonPath }],
    });
    const column = (type: string) => `.status.conditions[?(@.type == "${type}")].status`;
    const spec = {
      group: 'cert.example.com',
      scope: 'Namespaced',
      names: { kind: 'Cert', plural: 'certs' },
      versions: [
        version('v1', column('Ready')),
        version('v1beta1', column('VariablesReady')),
        version('v1alpha1', '.status.ready'),
      ],
    };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'certs' },
      spec,
    };
    writeFileSync(path, JSON.stringify(definition));
    const { Cert, CertV1beta1, CertV1alpha1 } = await loaded(await imported(path));
    expect([Cert, CertV1beta1, CertV1alpha1].map((each) => each?.saysReady)).toEqual([true, undefined, undefined]);
  });

  it('leaves out versions that are not served, and all prose', async () => {
    const text = await imported(tricky);
    expect(text).not.toContain('v0');
    expect(text.split('\n').filter((line) => /\/[/*]|prose|nothing/.test(line))).toEqual([
      '// Generated by kilter import crd. Do not edit.',
    ]);
  });

  it('is not to be led astray by any name or text: what is hostile is data, or is not there', async () => {
    const text = await imported(hostile);
    expect(await compiled({ 'imported.ts': text.replace("'kilter'", `'${kilterFromHere}'`) })).toBe('');

    const classes = Object.entries(await loaded(text)).map(
      ([name, { apiVersion, kind, plural }]) => [name, `${apiVersion} ${kind} ${plural}`] as const,
    );
    expect(Object.fromEntries(classes)).toEqual({
      RecordResource: `example.com'; throw new Error('group'); ///v1 Record records\u2028*/ throw new Error('plural'); /*`,
      Server: 'a.example.com/v1 Server servers',
      AServer: 'a.example.org/v1 Server servers',
      ServerSpec: 'b.example.com/v1 ServerSpec serverspecs',
      ServerObject2: 'b.example.com/v1 ServerObject serverobjects',
      Class: 'c.example.com/v10 class classes',
      ClassV2: 'c.example.com/v2 class classes',
      ClassV2beta1: 'c.example.com/v2beta1 class classes',
      ClassCanary: 'c.example.com/canary class classes',
      Field42: 'c.example.com/v1 42 numbers',
    });
  });

  it('gives the same bytes for the same definitions in another order of fields', async () => {
    const [crd] = JSON.parse(JSON.stringify((await import('yaml')).parseAllDocuments(readFileSync(tricky, 'utf8'))));
    const turned = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, below]) => [key, turned(below)]),
          );
    const [forth, back] = [crd, turned(crd)].map((content) => JSON.stringify(content));
    const fromInput = async (stdin: string | undefined) =>
      (await runKilter(['import', 'crd', '-'], { stdin: stdin! })).stdout;
    expect(back).not.toBe(forth);
    expect(await fromInput(back)).toBe(await fromInput(forth));
    expect(await fromInput(forth)).toContain('export class Tricky ');
  });

  it('passes over what else a file holds, and says so', async () => {
    const stdin = `kind: Namespace\napiVersion: v1\n---\n---\n${readFileSync(tricky, 'utf8')}\n---\n[]\n`;
    const { exitCode, stdout, stderr } = await runKilter(['import', 'crd', '-'], { stdin });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(await imported(tricky));
    expect(stderr).toBe(
      'skipped document 1 of standard input: a Namespace, no CustomResourceDefinition\n' +
        'skipped document 5 of standard input: no object of Kubernetes, no CustomResourceDefinition\n',
    );
  });

  describe('from a URL', () => {
    let server: Server;
    let url: string;
    beforeAll(async () => {
      server = createServer((request, response) => {
        if (request.url === '/crd.yaml') response.end(readFileSync(tricky));
        else if (request.url === '/moved') response.writeHead(302, { location: '/crd.yaml' }).end();
        else if (request.url === '/broken') response.write('kind: ', () => response.destroy());
        else response.writeHead(404).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => void server.close());

    it.each(['/crd.yaml', '/moved'])('gives what a file gives: %s', async (path) => {
      expect(await imported(`${url}${path}`)).toBe(await imported(tricky));
    });

    it('says what the server answered', async () => {
      const { exitCode, stderr } = await runKilter(['import', 'crd', `${url}/none`]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: `error: reading ${url}/none failed: the server answered 404\n`,
      });
    });

    it('says that the answer ended in its midst', async () => {
      const { exitCode, stderr } = await runKilter(['import', 'crd', `${url}/broken`]);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(new RegExp(`^error: reading ${url}/broken failed\n {2}cause: \\S`));
    });

    it('says that nobody answered', async () => {
      const { exitCode, stderr } = await runKilter(['import', 'crd', 'http://127.0.0.1:9/crd.yaml']);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: reading http:\/\/127\.0\.0\.1:9\/crd\.yaml failed\n {2}cause: \S/);
    });
  });

  const crd = (fields: string) => `{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, ${fields}}`;
  const spec = (fields: string) =>
    crd(`spec: {group: a.b, scope: Cluster, names: {kind: A, plural: as}, versions: ${fields}}`);
  const schema = (text: string) => spec(`[{name: v1}, {name: v2, schema: {openAPIV3Schema: ${text}}}]`);
  const at = 'spec.versions[1].schema.openAPIV3Schema.properties';

  it.each([
    [
      'a file without a definition',
      '{kind: Pod}',
      'nothing to import: no CustomResourceDefinition in document 1 of FILE',
    ],
    ['an empty file', '', 'nothing to import: no CustomResourceDefinition in an empty source'],
    ['broken YAML', `${crd('spec: {}')}\n---\na: [`, 'at line 3, column 5\n'],
    [
      'an old version',
      '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1beta1}',
      'document 1 of FILE cannot be imported: apiVersion is "apiextensions.k8s.io/v1beta1", not apiextensions.k8s.io/v1',
    ],
    ['no spec', crd('spec: null'), 'document 1 of FILE cannot be imported: spec.scope is missing'],
    ['a wrong scope', crd('spec: {scope: Galaxy}'), 'spec.scope is "Galaxy", not Namespaced or Cluster'],
    [
      'a group that is no text',
      crd('spec: {scope: Cluster, group: 1, versions: [{name: v1}]}'),
      'spec.group is 1, not a text',
    ],
    ['no versions', crd('spec: {scope: Cluster}'), 'spec.versions is missing'],
    ['a version without a name', spec('[{served: true}]'), 'spec.versions[0].name is missing'],
    ['a version whose name is nothing', spec('[{name: null}]'), 'spec.versions[0].name is null, not a text'],
    ['no version that is served', spec('[{name: v1, served: false}]'), 'spec.versions has none that is served'],
    [
      'a field that is no schema',
      schema('{type: object, properties: {a: null}}'),
      `FILE cannot be imported: ${at}.a is null, not a schema`,
    ],
    [
      'a value that holds itself',
      schema('{type: object, properties: {a: {enum: [&x [*x]]}}}'),
      `FILE cannot be imported: ${at}.a has a value that is no JSON`,
    ],
    [
      'fields that are no map',
      schema('{type: object, properties: [a]}'),
      'spec.versions[1].schema.openAPIV3Schema.properties is a list, not a map of schemas',
    ],
    [
      'items that are no schema',
      schema('{properties: {a: {type: array, items: [1]}}}'),
      `${at}.a.items is a list, not a schema`,
    ],
    [
      'values that are no schema',
      schema('{properties: {a: {type: object, additionalProperties: null}}}'),
      `${at}.a.additionalProperties is null, not a schema`,
    ],
    [
      'the same definition twice',
      `${spec('[{name: v1}]')}\n---\n${spec('[{name: v1}]')}`,
      'document 2 of FILE cannot be imported: a.b/v1 A is defined in document 1 of FILE already',
    ],
    [
      'a bomb of aliases',
      `a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]`,
      'document 1 of FILE cannot be read\n  cause: Excessive alias count',
    ],
  ])('refuses %s', async (_, text, message) => {
    const file = join(folder, 'bad.yaml');
    writeFileSync(file, text);
    const { exitCode, stdout, stderr } = await runKilter(['import', 'crd', file]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message.replaceAll('FILE', file));
    expect(stderr).not.toContain('kilter itself failed');
  });

  it('takes a map of fields in which there is nothing for none, as the API server does', async () => {
    const stdin = schema(
      '{type: object, properties: {spec: {type: object, properties: }, status: {properties: null}}}',
    );
    const { exitCode, stdout } = await runKilter(['import', 'crd', '-'], { stdin });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('readonly spec?: Readonly<Record<string, unknown>> | undefined;');
    expect(await runKilter(['import', 'crd', '-'], { stdin: schema('{type: object, properties: }') })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });

  it('lets an object within an object say what it is, as the API server wants of it', async () => {
    const template =
      '{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {size: {type: integer}}}}}';
    const stdin = schema(`{type: object, properties: {spec: {type: object, properties: {template: ${template}}}}}`);
    const { stdout } = await runKilter(['import', 'crd', '-', '--from', kilterFromHere], { stdin });
    const use = `
      import type { ASpecTemplate } from './imported.js';
      export const metadata = { name: 'a', labels: { a: 'b' } };
      export const good: ASpecTemplate = { apiVersion: 'v1', kind: 'B', metadata, spec: { size: 1 } };
      // @ts-expect-error the server refuses an object that does not say what it is
      export const bad: ASpecTemplate = { spec: { size: 1 } };
    `;
    expect(await compiled({ 'imported.ts': stdout, 'use.ts': use })).toBe('');
  });

  it('takes a null for what it is to the API server: no default, and in no enum', async () => {
    const fields =
      'size: {type: integer, default: null}, mode: {type: string, nullable: true, enum: [a, null]}, odd: {enum: [null], type: string}';
    const stdin = schema(
      `{type: object, properties: {spec: {type: object, required: [size], properties: {${fields}}}}}`,
    );
    const { stdout } = await runKilter(['import', 'crd', '-'], { stdin });
    expect(stdout.split('\n').filter((line) => /readonly (size|mode|odd)/.test(line))).toEqual([
      "  readonly mode?: 'a' | undefined;",
      '  readonly odd?: never | undefined;',
      '  readonly size: number;',
    ]);
  });

  it('refuses a schema of a depth that no API server would take', async () => {
    const nested = (depth: number) => `${'{"type":"array","items":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const stdin = (depth: number) =>
      JSON.stringify({
        kind: 'CustomResourceDefinition',
        apiVersion: 'apiextensions.k8s.io/v1',
        spec: {
          group: 'a.b',
          scope: 'Cluster',
          names: { kind: 'A', plural: 'as' },
          versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties: { spec: JSON.parse(nested(depth)) } } } }],
        },
      });
    expect((await runKilter(['import', 'crd', '-'], { stdin: stdin(50) })).stdout).toContain('readonly spec?: ');
    expect((await runKilter(['import', 'crd', '-'], { stdin: stdin(600) })).stderr).toMatch(
      /^error: document 1 of standard input cannot be imported: ASpec is nested too deeply\n$/,
    );
  });

  it.each(['.', 'crds', 'certficates', 'A.b'])(
    'asks no cluster for %s, which is no file, and names no definition',
    async (source) => {
      expect(await runKilter(['import', 'crd', source, '--kubeconfig', '/nowhere'])).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          `error: ${source} is neither a file nor the name of a CustomResourceDefinition\n` +
          '  hint: name a file, and no folder, or one in the cluster as certificates.cert-manager.io\n',
      });
    },
  );

  it('reads a file that is there, whatever it is called', async () => {
    expect(await runKilter(['import', 'crd', 'LICENSE'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*LICENSE/),
    });
  });
});

onRealCluster('kilter import crd, from a cluster', {}, (plane) => {
  const fromCluster = (name: string) => runKilter(['import', 'crd', name, '--kubeconfig', plane().kubeconfig]);

  it('gives what the file gives that was applied, and classes of which the server takes what they construct', async () => {
    await plane().kubectl(['apply', '-f', tricky]);
    await untilServed(plane(), 'trickies.example.com', 'wides.example.com');
    const [trickies, wides] = [await fromCluster('trickies.example.com'), await fromCluster('wides.example.com')];
    const header = /^.*\n.*\n.*\n\n/;
    expect(`${trickies.stdout}\n${wides.stdout.replace(header, '')}`).toBe(await imported(tricky));

    const { Tricky } = await loaded(trickies.stdout);
    const spec = { class: 'a', 'with-dash': 1, "quote'd": 'b', color: 'line\nbreak', open: { c: 1 }, constructor: 'd' };
    const { manifest } = new Tricky!(new Chart(new App(), 'chart'), 'one', { spec });
    const { stdout } = await plane().kubectl(
      ['create', '--dry-run=server', '--validate=strict', '-o', 'json', '-f', '-'],
      { stdin: JSON.stringify(manifest) },
    );
    expect(JSON.parse(stdout).spec).toEqual({ ...spec, size: 1 });
  });

  it('says how to find the one that is meant', async () => {
    expect(await fromCluster('absent.example.com')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'error: CustomResourceDefinition/absent.example.com is not in the cluster\n' +
        '  hint: "kubectl get crds" lists those that are; and there is no file absent.example.com here\n',
    });
  });
});
