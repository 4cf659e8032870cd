import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Change, FolderWatch } from '../../../src/cli/dev/folder-watch.js';
import { systemClock } from '../../../src/kube/clock.js';
import { eventually } from '../../cluster/eventually.js';

let folder: string;
let changes: Change[];
let watch: FolderWatch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-watch-'));
  changes = [];
  watch = new FolderWatch(systemClock, (how) => changes.push(how));
});
afterEach(() => {
  watch.close();
  rmSync(folder, { recursive: true });
});

const watchersOfTheProcess = () => process.getActiveResourcesInfo().filter((type) => type === 'FSEventWrap').length;

it('tells once of changes that come together, and before them of what may have come before', async () => {
  watch.follow([folder]);
  await eventually(() => expect(changes).toEqual(['opened']));
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '');
  await eventually(() => expect(changes).toEqual(['opened', 'changed']));
});

it('leaves out a folder that is not there', () => {
  expect(() => watch.follow([join(folder, 'missing')])).not.toThrow();
});

it('watches nothing once it is closed, whoever asks it to, so that the process can end', async () => {
  await eventually(() => expect(watchersOfTheProcess()).toBe(0));
  watch.follow([folder]);
  expect(watchersOfTheProcess()).toBe(1);
  watch.close();
  watch.follow([folder]);
  await eventually(() => expect(watchersOfTheProcess()).toBe(0));
});
