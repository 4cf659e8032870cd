import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

it('tells when a folder comes that is not there', async () => {
  watch.follow([join(folder, 'missing/below')]);
  await eventually(() => expect(changes).toEqual(['opened']));
  mkdirSync(join(folder, 'missing'));
  await eventually(() => expect(changes).toEqual(['opened', 'changed']));
});

it('tells of changes in a folder that went and came back', async () => {
  const gone = join(folder, 'gone');
  mkdirSync(gone);
  watch.follow([gone]);
  await eventually(() => expect(changes).toEqual(['opened']));
  rmSync(gone, { recursive: true });
  await eventually(() => expect(changes).toEqual(['opened', 'changed']));
  watch.follow([gone]);
  await eventually(() => expect(changes).toEqual(['opened', 'changed', 'opened']));
  mkdirSync(gone);
  await eventually(() => expect(changes).toHaveLength(4));
  watch.follow([gone]);
  await eventually(() => expect(changes).toHaveLength(5));
  writeFileSync(join(gone, 'a'), '');
  await eventually(() => expect(changes.slice(5)).toEqual(['changed']));
});

it('watches nothing once it is closed, whoever asks it to, so that the process can end', async () => {
  await eventually(() => expect(watchersOfTheProcess()).toBe(0));
  watch.follow([folder]);
  expect(watchersOfTheProcess()).toBe(1);
  watch.close();
  watch.follow([folder]);
  await eventually(() => expect(watchersOfTheProcess()).toBe(0));
});
