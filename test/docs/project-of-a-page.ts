import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../cluster/package-root.js';
import type { CompiledPackage } from '../compiled-package.js';

/** The files that a page shows, by their paths: a paragraph that begins with one in bold, then its content. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const named = /^\*\*`([^`\n]+)`\*\*.*\n(?:.+\n)*\n```\w*\n([\s\S]*?)^```$/gm;
  return new Map([...page.matchAll(named)].map(([, path = '', text = '']) => [path, text]));
}

/** The packages that a page tells to install from a registry. */
export function packagesOf(page: string): readonly string[] {
  return [...page.matchAll(/^npm install (.*)$/gm)]
    .flatMap(([, names = '']) => names.split(' '))
    .filter((name) => !/^[-.]/.test(name));
}

/** A project of the files that a page shows, in a temporary folder, with the packages that it tells to install and no others. */
export class ProjectOfAPage {
  readonly folder = mkdtempSync(join(tmpdir(), 'kilter-page-'));

  constructor(page: string, kilter: CompiledPackage) {
    for (const [path, text] of filesOf(page)) this.write(path, text);
    for (const name of packagesOf(page)) this.#link(join(packageRoot, 'node_modules', name), `node_modules/${name}`);
    this.#link(kilter.folder, 'node_modules/kilter');
    for (const name of ['tsc', 'esbuild']) {
      this.#link(join(packageRoot, 'node_modules/.bin', name), `node_modules/.bin/${name}`);
    }
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** What the command prints on both. Rejects with both, as `stdout` and `stderr`, where it fails. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    // Not what the test runner says to its own.
    const { CDK8S_OUTDIR: _, NODE_OPTIONS: __, FORCE_COLOR: ___, ...machine } = process.env;
    const env = { ...machine, CDK8S_CHECK_UPGRADE: 'false', CI: '1' };
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: this.folder, env });
    return stdout + stderr;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #link(target: string, path: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    symlinkSync(target, join(this.folder, path));
  }
}
