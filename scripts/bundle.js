// `npm run bundle -- [--outdir=build/bundle] [--readable]`: the controller as one program, and what others wrote of it beside it:
// `sbom.cdx.json` for those who look for known faults, and `NOTICES.txt` with the licenses, as they ask for.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { outdir, readable } = parseArgs({
  options: {
    outdir: { type: 'string', default: 'build/bundle' },
    // With the comments, and with the lines as they were.
    readable: { type: 'boolean', default: false },
  },
}).values;

const { metafile } = await build({
  entryPoints: ['src/controller.ts'],
  bundle: true,
  splitting: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outdir,
  outExtension: { '.js': '.mjs' },
  legalComments: 'none',
  // The source stays in memory as it is, comments and all. Names stay, and lines are short, for the traces of errors.
  minifyWhitespace: !readable,
  minifySyntax: !readable,
  lineLimit: 160,
  logLevel: 'warning',
  // For packages that call it.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

execFileSync(process.execPath, ['scripts/in-ascii.js', outdir]);

// Of those that are in the program, and of no others: what is known of a package that is not there alarms in vain.
const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
const folders = [...new Set(inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []))];
const packages = folders
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const refs = new Set(packages.map(({ name, version }) => `${name}@${version}`));

// What is in the program may be of the project's tools, which npm leaves out where `NODE_ENV` is `production`.
const sbomArguments = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application', '--include=dev'];
const sbom = JSON.parse(execFileSync('npm', ['sbom', ...sbomArguments], { encoding: 'utf8', maxBuffer: 2 ** 26 }));
const components = sbom.components
  .filter((component) => refs.has(component['bom-ref']))
  // Whatever it is to the project: it is in the program.
  .map((component) => ({ ...component, scope: 'required', properties: [] }));
const missing = [...refs].filter((ref) => !components.some((component) => component['bom-ref'] === ref));
if (missing.length > 0) throw new Error(`package-lock.json does not know ${missing.join(', ')}: run npm ci`);
// The same for the same sources: without the time, and without a number of its own.
const { serialNumber: _, metadata, dependencies, ...rest } = sbom;
const { timestamp: __, ...said } = metadata;
// npm calls it as the folder is called.
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const root = { ...metadata.component, name, version };
writeJson('sbom.cdx.json', {
  ...rest,
  metadata: { ...said, component: root },
  components,
  dependencies: dependencies
    .filter(({ ref }) => refs.has(ref) || ref === root['bom-ref'])
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
});

writeFileSync(
  join(outdir, 'NOTICES.txt'),
  packages.map((each) => `${each.name} ${each.version}\n\n${licenseOf(each)}\n`).join(`\n${'-'.repeat(80)}\n\n`),
);

function licenseOf({ folder, name, license }) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0 && typeof license !== 'string') throw new Error(`${name} has no license`);
  return files.length === 0
    ? `License: ${license}`
    : files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
}

function writeJson(file, value) {
  writeFileSync(join(outdir, file), `${JSON.stringify(value, null, 2)}\n`);
}
