import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import { render } from '../../src/gitops/render.js';
import { writeFiles } from '../../src/gitops/write-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-files-'));
  write('site');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

/** Renders a chart of this name. */
function write(chart: string): void {
  const app = new App();
  new ApiObject(new Chart(app, chart), 'a', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  writeFiles(folder, render(app));
}

describe('an output directory', () => {
  it('holds nothing of an earlier render', () => {
    writeFileSync(at('site/gone.yaml'), '');
    writeFileSync(at('.DS_Store'), '');
    write('page');
    expect(existsSync(at('site'))).toBe(false);
    expect(existsSync(at('page/configmap-a.yaml'))).toBe(true);
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
});
