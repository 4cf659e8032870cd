import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../cluster/package-root.js';

/** A project of somebody who writes operators with kilter, in a temporary folder. */
export class Author {
  readonly folder = mkdtempSync(join(tmpdir(), 'kilter-author-'));

  /** `kilter` is the folder of the package that the project depends on. */
  constructor(kilter: string) {
    this.write('package.json', JSON.stringify({ name: 'author', type: 'module' }));
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(kilter, join(this.folder, 'node_modules/kilter'));
    this.write('src/operators/memcached.ts', memcached);
    this.write('src/operators/all.ts', `export { memcached } from './memcached.js';\n`);
    this.write('samples/cache.yaml', sample('cache', 2));
  }

  get state(): string {
    return join(this.folder, '.kilter/dev-cluster.json');
  }

  get kubeconfig(): string {
    return join(this.folder, '.kilter/kubeconfig');
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** Saves a source in which `from` stands as `to`. */
  edit(file: string, from: string, to: string): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`there is no ${from} in ${file}`);
    this.write(file, text.replace(from, to));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The shipped operator, as an author would have it. */
const memcached = readFileSync(join(packageRoot, 'src/operators/memcached.ts'), 'utf8')
  .replace("'../../imports/k8s.js'", "'kilter/imports/k8s'")
  .replace("'../index.js'", "'kilter'");

export const sample = (name: string, size: number): string =>
  `apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: ${name}}\nspec: {size: ${size}}\n`;
