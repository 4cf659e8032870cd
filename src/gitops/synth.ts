import type { App } from 'cdk8s';
import { render } from './render.js';
import { writeFiles } from './write-files.js';

/**
 * Writes what `app` holds into its output directory, for Argo CD and for whoever reviews it: in place of `app.synth()`,
 * which knows neither waves nor sync options and writes one file a chart.
 *
 * The directory is that of the app: its `outdir`, else `CDK8S_OUTDIR`, which `cdk8s synth` sets, else `dist`.
 *
 * **Guarantees.** Afterwards the directory holds what `render` gives, and nothing else but hidden files: what an earlier call
 * left is removed. Nothing is touched where an error is thrown before everything is rendered.
 *
 * **Errors.** `DefinitionError` for what `render` refuses. `OperatorError` where the directory holds what no call of
 * this wrote, so that a mistyped directory costs nothing; that of `app.synth()` is such, too. And for what the file system has
 * against it.
 */
export function synth(app: App): void {
  writeFiles(app.outdir, render(app));
}
