import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import { render } from '../../src/gitops/render.js';
import { writeFiles } from '../../src/gitops/write-files.js';
import { OperatorError } from '../../src/kube/errors.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-files-'));
  write('site');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

/** Renders a chart of this name. */
function write(chart: string, to = folder): void {
  const app = new App();
  new ApiObject(new Chart(app, chart), 'a', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  writeFiles(to, render(app));
}

describe('an output directory', () => {
  it('holds nothing of an earlier render', () => {
    writeFileSync(at('site/gone.yaml'), '');
    writeFileSync(at('.DS_Store'), '');
    write('page');
    expect(existsSync(at('site'))).toBe(false);
    expect(existsSync(at('page/configmap-a.yaml'))).toBe(true);
  });

  it.each(['.git/HEAD', '.gitattributes', 'site/.argocd-source-site.yaml'])('keeps what is hidden: %s', (file) => {
    mkdirSync(at(join(file, '..')), { recursive: true });
    writeFileSync(at(file), '');
    write('page');
    write('site');
    expect(existsSync(at(file))).toBe(true);
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['Kustomization', 'site']);
  });

  it('may hold what is hidden from the start, as a checkout does', () => {
    rmSync(folder, { recursive: true });
    mkdirSync(at('.git'), { recursive: true });
    write('site');
    expect(readdirSync(folder)).toEqual(['.git', 'Kustomization', 'site']);
  });

  it('may be a link to a folder, which is written to', () => {
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    try {
      write('page', link);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(existsSync(at('page/configmap-a.yaml'))).toBe(true);
    } finally {
      rmSync(link);
    }
  });

  it('keeps what it holds where a folder cannot be made, and is written the next time', () => {
    write('site');
    expect(() => write('x'.repeat(300))).toThrow('ENAMETOOLONG');
    expect(existsSync(at('site/configmap-a.yaml'))).toBe(true);
    write('page');
    expect(readdirSync(folder)).toEqual(['Kustomization', 'page']);
  });

  it.each(['', 'below'])('is refused in words where it cannot be one, since there is a file: %j', (below) => {
    writeFileSync(at('.file'), 'mine');
    const directory = join(folder, '.file', below);
    const failing = () => write('site', directory);
    expect(failing).toThrow(OperatorError);
    expect(failing).toThrow(`writing to "${directory}" failed`);
    expect(readFileSync(at('.file'), 'utf8')).toBe('mine');
  });

  it('has files in the place of links, and what is behind these stays', () => {
    const elsewhere = join(folder, '.elsewhere');
    writeFileSync(elsewhere, 'mine');
    write('site');
    rmSync(at('site/configmap-a.yaml'));
    symlinkSync(elsewhere, at('site/configmap-a.yaml'));
    write('site');
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
    expect(lstatSync(at('site/configmap-a.yaml')).isFile()).toBe(true);
  });

  it('stays the same folder, as one that is mounted has to', () => {
    const { ino } = lstatSync(folder);
    write('page');
    expect(lstatSync(folder).ino).toBe(ino);
  });

  it.each(['NOTES.md', 'site/NOTES.md', 'mine/site.yaml', 'site/overlay/site.yaml'])(
    'with something of its author stays as it is: %s',
    (file) => {
      mkdirSync(at(join(file, '..')), { recursive: true });
      writeFileSync(at(file), '');
      expect(() => write('page')).toThrow(/^writing to ".*" refused: no render wrote /);
      expect(existsSync(at(file))).toBe(true);
      expect(existsSync(at('page'))).toBe(false);
    },
  );

  it.each(['', 'mine'])('stays as it is with objects that a kustomization of its author lists: %j', (place) => {
    const mine = mkdtempSync(join(tmpdir(), 'write-files-'));
    try {
      if (place !== '') write('site', mine);
      mkdirSync(join(mine, place), { recursive: true });
      writeFileSync(join(mine, place, 'Kustomization'), 'resources: [site.yaml]');
      if (place !== '') writeFileSync(join(mine, place, 'site.yaml'), 'kind: ConfigMap');
      expect(() => write('page', mine)).toThrow(/^writing to ".*" refused: /);
      expect(readFileSync(join(mine, place, 'Kustomization'), 'utf8')).toBe('resources: [site.yaml]');
      expect(existsSync(join(mine, 'page'))).toBe(false);
    } finally {
      rmSync(mine, { recursive: true });
    }
  });
});
