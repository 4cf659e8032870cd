import { ApiObject, type App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { DefinitionError } from '../kube/errors.js';
import type { Manifest } from '../kube/manifest.js';
import { forArgo } from './argo.js';
import { fileNames, type Sourced } from './file-name.js';
import { forFlux } from './flux.js';
import { type Folder, folderKustomization, kustomizationFile, topKustomization } from './kustomization.js';
import { toYaml } from './yaml.js';

/** A file to be, with its path below the output directory. */
export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Everything that `app` holds, as files: one folder a chart, one file an object, and a kustomization for each folder and
 * for the whole.
 *
 * **Guarantees.** Pure: equal constructs give equal bytes, whatever their order. Every object carries its sync wave.
 * **Errors.** `DefinitionError` that lists everything the constructs' own validations found, each with its construct.
 */
export function render(app: App): readonly RenderedFile[] {
  validate(app);
  const folders = app.node
    .findAll()
    .filter((construct): construct is Chart => Chart.isChart(construct))
    .map(folderOf)
    .filter(({ files }) => files.length > 0);
  refuseFolders(folders);
  return [
    ...folders.flatMap((folder) => [
      ...folder.files.map(({ name, manifest }) => ({ path: `${folder.path}/${name}`, text: toYaml(manifest) })),
      { path: `${folder.path}/${kustomizationFile}`, text: folderKustomization(folder) },
    ]),
    { path: kustomizationFile, text: topKustomization(folders) },
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function folderOf(chart: Chart): Folder {
  const sources = chart.node
    .findAll()
    .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && Chart.of(construct) === chart)
    .map(
      (object): Sourced => ({
        manifest: forFlux(forArgo(object.toJson() as Manifest)),
        constructPath: object.node.path,
      }),
    );
  const names = fileNames(sources, chart.namespace);
  return {
    path: chart.node.path.replaceAll('/', '-'),
    files: sources.map(({ manifest }, index) => ({ name: names[index]!, manifest })),
  };
}

function validate(app: App): void {
  const problems = app.node
    .findAll()
    .flatMap((construct: Construct) =>
      construct.node.validate().map((problem) => `${construct.node.path}: ${problem}`),
    );
  if (problems.length === 0) return;
  throw new DefinitionError(`rendering failed: ${problems.join('; ')}`);
}

/** Files that two of them had in common would be written once; and what is hidden is not cleared. */
function refuseFolders(folders: readonly Folder[]): void {
  const seen = new Set<string>();
  for (const { path } of folders) {
    // Some file systems take capitals for small letters.
    const folded = path.toLowerCase();
    const hint = 'give one of them another construct id';
    if (seen.has(folded)) throw new DefinitionError(`two charts would be rendered into the folder "${path}"`, { hint });
    if (folded === kustomizationFile.toLowerCase() || path.startsWith('.')) {
      throw new DefinitionError(`a chart cannot be rendered into the folder "${path}"`, {
        hint: 'give it another construct id: that name is hidden, or that of a file',
      });
    }
    seen.add(folded);
  }
}
