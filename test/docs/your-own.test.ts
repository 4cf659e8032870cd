import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { packageRoot } from '../cluster/package-root.js';
import { type CompiledPackage, compilePackage, declareTypes } from '../compiled-package.js';
import { readManifests } from '../install/read-manifests.js';
import { filesOf, ProjectOfAPage, packagesOf } from './project-of-a-page.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');
const page = read('docs/your-own.md');

/** The code that stands on the page without a file to it, by how it begins. */
const part = (start: string) => new RegExp(`^\`\`\`ts\\n(${start}[\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

describe('the project on the page about an operator of your own', () => {
  let kilter: CompiledPackage;
  let project: ProjectOfAPage;
  beforeAll(async () => {
    kilter = await compilePackage();
    await declareTypes(kilter.folder);
    project = new ProjectOfAPage(page, kilter);
  }, 240_000);
  afterAll(() => {
    project?.remove();
    kilter?.remove();
  });

  const compiler = (...options: readonly string[]) =>
    project.run('node_modules/.bin/tsc', ...options).catch(({ stdout }: { readonly stdout: string }) => stdout);
  const npm = (script: string) => project.run('npm', 'run', '--silent', script);

  it('is whole', () => {
    expect([...filesOf(page).keys()].sort()).toEqual([
      '.dockerignore',
      'Dockerfile',
      'cdk8s.yaml',
      'package.json',
      'src/controller.ts',
      'src/main.ts',
      'src/operators/all.ts',
      'src/operators/site.test.ts',
      'src/operators/site.ts',
      'tsconfig.json',
    ]);
  });

  it('installs the undici that kilter has, and the tarball that npm pack makes', () => {
    const { name, version, dependencies } = JSON.parse(read('package.json')) as {
      readonly name: string;
      readonly version: string;
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const { overrides } = JSON.parse(project.read('package.json')) as { readonly overrides: unknown };
    expect(overrides).toEqual({ undici: dependencies['undici'] });
    expect(page).toContain(`npm install ./vendor/${name}-${version}.tgz `);
    expect(packagesOf(page)).toContain('cdk8s');
  });

  it('may be a library: the types of what it exports can be written into declarations', async () => {
    project.write(
      'src/library.ts',
      `import { type CustomResourceOf, many, one, operator, optional, s } from 'kilter';
      import { type Connection, client } from 'kilter/client';
      import { render } from 'kilter/gitops';
      import { ConfigMap, Pod, Secret } from 'kilter/imports/k8s';
      import { startCluster } from 'kilter/testing';
      import { Site, site } from './operators/site.js';
      export const texts = [s.string(), s.string({ default: 'a' }), s.enum(['a']), s.intOrString(), s.quantity()] as const;
      export const others = [s.boolean(), s.int32(), s.int64(), s.number(), s.preserved<Date>()] as const;
      export const window = s.object({ from: s.int32({ default: 1 }), labels: s.map(s.string({ nullable: true })) });
      export const lists = [s.array(window), s.set(s.string()), s.listMap(window, { keys: ['from'] })] as const;
      export const reads = {
        page: one(ConfigMap, (cr: CustomResourceOf<typeof Site>) => ({ name: cr.spec.page })),
        pods: many(Pod, () => ({ labels: {} })),
      };
      export const owns = [ConfigMap, optional(Secret)];
      export const reader = operator(Site, { owns, reads, compose() {} });
      export const operators = [site, reader];
      export const problems = (page: string) => Site.validate({ spec: { page } });
      export const schema = () => window.structural();
      export const policies = () => Site.policies;
      export const sites = (connection: Connection) => client(Site, connection, { manager: 'library' });
      export const files = render;
      export const started = async () => {
        const cluster = await startCluster();
        const controller = await cluster.run(site);
        const jane = cluster.server.cluster({ name: 'jane', groups: [] });
        return { cluster, controller, server: cluster.server, jane, site: await cluster.get(Site, 'a') };
      };
      export class Home extends Site {}\n`,
    );
    expect(await compiler('--declaration', '--emitDeclarationOnly', '--outDir', 'build/types')).toBe('');
    project.write(
      'src/user.ts',
      `import type { In } from 'kilter';
      import type { window } from '../build/types/library.js';
      export const written: In<typeof window> = { labels: { a: null } };
      // @ts-expect-error from is a number
      export const wrong: In<typeof window> = { from: 'a', labels: {} };\n`,
    );
    expect(await compiler('--noEmit', '--rootDir', '.')).toBe('');
    for (const file of ['library', 'user']) project.write(`src/${file}.ts`, 'export {};\n');
  });

  it('compiles with the types of the package, and the types hold', async () => {
    expect(await project.run('node_modules/.bin/tsc')).toBe('');
    project.write('src/wrong.ts', "import { synth } from 'kilter/gitops';\nsynth('dist');\n");
    await expect(project.run('node_modules/.bin/tsc', '--noEmit')).rejects.toMatchObject({
      stdout: expect.stringContaining('src/wrong.ts(2,7): error TS2345'),
    });
    project.write('src/wrong.ts', 'export {};\n');
  });

  it('renders an install for Argo CD and kustomize', async () => {
    await npm('synth');
    const manifests = readManifests(join(project.folder, 'dist'));
    const annotations = manifests.map(({ kind, metadata }) => [
      kind,
      metadata.annotations?.['argocd.argoproj.io/sync-wave'],
      metadata.annotations?.['argocd.argoproj.io/sync-options'],
    ]);
    expect(annotations).toContainEqual([
      'CustomResourceDefinition',
      '-10',
      'ServerSideApply=true,Prune=confirm,Delete=confirm',
    ]);
    expect(annotations).toContainEqual(['Deployment', '0', undefined]);
    expect(annotations).toContainEqual(['Site', '5', 'SkipDryRunOnMissingResource=true']);
    expect(annotations.filter(([, wave]) => wave === undefined)).toEqual([]);

    const { resources } = parse(project.read('dist/site-operator/Kustomization')) as { readonly resources: string[] };
    expect(resources.slice(0, 2)).toEqual([
      'namespace-site-operator-system.yaml',
      'customresourcedefinition-sites.web.example.com.yaml',
    ]);
    expect(parse(project.read('dist/Kustomization'))).toMatchObject({ resources: ['site-operator'] });
    for (const folder of page.matchAll(/-k (dist\/\S+)$/gm))
      expect(project.has(`${folder[1]}/Kustomization`)).toBe(true);
  });

  it('renders the same by cdk8s synth', async () => {
    const before = readManifests(join(project.folder, 'dist'));
    const printed = await project.run(process.execPath, join(packageRoot, 'node_modules/.bin/cdk8s'), 'synth');
    expect(printed).toContain('dist/site-operator/deployment-site-operator.yaml');
    expect(readManifests(join(project.folder, 'dist'))).toEqual(before);
  });

  it('has a test that passes, and fails when the operator does not do what it should', async () => {
    expect(await npm('test')).toMatch(/pass 2\n/);
    const operator = project.read('src/operators/site.ts');
    expect(operator).toContain('replicas: spec.replicas,');
    project.write('src/operators/site.ts', operator.replace('replicas: spec.replicas,', 'replicas: 2,'));
    await expect(npm('test')).rejects.toMatchObject({ stdout: expect.stringMatching(/fail 1\n/) });
    project.write('src/operators/site.ts', operator);
  });

  it('has a controller that is bundled and starts, which it does not without its banner', async () => {
    await npm('bundle');
    const bundle = 'build/bundle/controller.mjs';
    expect(await project.run(process.execPath, bundle, '--help')).toContain('only these, of site');

    const { scripts } = JSON.parse(project.read('package.json')) as { readonly scripts: { readonly bundle: string } };
    const [program = '', ...args] = scripts.bundle.replace(/ "--banner.*$/, '').split(' ');
    await project.run(`node_modules/.bin/${program}`, ...args);
    const [message] = /Dynamic require of .*? is not supported/.exec(page)!;
    await expect(project.run(process.execPath, bundle, '--help')).rejects.toMatchObject({
      stderr: expect.stringContaining(message),
    });
  });

  it('has an image of what is bundled, on the base of ours, for a user that is not root', () => {
    const ours = read('Dockerfile');
    const file = project.read('Dockerfile');
    const bases = [...file.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases).toEqual([...ours.matchAll(/^ARG \w+=(.*)$/gm)].map(([, base]) => base));
    expect(/^USER .*$/m.exec(file)?.[0]).toBe(/^USER .*$/m.exec(ours)?.[0]);
    const [, from, to] = /^COPY --from=build \/site-operator\/(\S+) (\S+)$/m.exec(file)!;
    const { scripts } = JSON.parse(project.read('package.json')) as { readonly scripts: { readonly bundle: string } };
    expect(scripts.bundle).toContain(` --outdir=${from} `);
    const [, program = ''] = /^ENTRYPOINT \["\/nodejs\/bin\/node", "(.*)"\]$/m.exec(file)!;
    expect(project.has(program.replace(`${to}`, `${from}`))).toBe(true);
  });

  it('has words that compile and mean what is said of them', async () => {
    project.write(
      'src/words.ts',
      `import { customResource, labelValue, many, one, operator, s } from 'kilter';
      import { ConfigMap, Pod } from 'kilter/imports/k8s';
      import { Site } from './operators/site.js';
      import { randomBytes } from 'node:crypto';
      import { Namespace, RoleBinding, Secret } from 'kilter/imports/k8s';
      const Cluster = customResource({ group: 'a.example.com', version: 'v1', kind: 'Cluster', namespaced: false, spec: s.object({}) });
      const Thing = customResource({ group: 'a.example.com', version: 'v1', kind: 'Thing',\n${part('spec:')}});
      operator(Site, { name: 'other', owns: [],\n${part('reads:')} compose() {}, status: () => ({ readyReplicas: 0 }) });
      operator(Site, { name: 'third',\n${part('reads: . login')} status: () => ({ readyReplicas: 0 }) });
      const bound = operator(Cluster, {\n${part('owns: .Namespace')} compose() {} });
      const Gallery = customResource({ group: 'a.example.com', version: 'v1', kind: 'Gallery',
        spec: s.object({ pages: s.map(s.string()) }), status: s.object({ pages: s.int32() }) });
      const gallery = operator(Gallery, {\n${part('owns:')}});
      const hung = gallery.composition({ apiVersion: Gallery.apiVersion, kind: Gallery.kind,
        metadata: { name: 'g', namespace: 'a', uid: 'u', resourceVersion: '1' }, spec: { pages: { one: '1', two: '2' } } }, {});
      const counted = gallery.status({ one: hung.children[0] as never, two: undefined }, {}, { metadata: { name: 'g' } } as never);
      const returned = Object.keys(hung.returned);
      const thing = { apiVersion: Thing.apiVersion, kind: Thing.kind, metadata: { name: 'a' } };
      const problems = (spec: object) => Thing.validate({ ...thing, spec });
      const { spec } = Thing.withDefaults({ metadata: { name: 'a' }, spec: { ports: [] } });
      console.log(JSON.stringify({ returned, counted, spec, good: problems({ ports: [] }), bad: problems({ ports: [], window: { from: 6 } }) }));\n`,
    );
    await project.run('node_modules/.bin/tsc');
    expect(JSON.parse(await project.run(process.execPath, 'build/words.js'))).toMatchObject({
      spec: { size: '1Gi', tier: 'bronze', window: { from: 1, to: 5 } },
      good: [],
      returned: ['one', 'two'],
      counted: { pages: 1 },
      bad: [{ message: expect.stringContaining('window.from must be at most window.to') }],
    });
  });
});
