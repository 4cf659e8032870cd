import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StateFile } from '../../../src/cli/dev/state-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = () => join(folder, '.kilter/state.json');
async function locked() {
  const file = new StateFile(pathOf());
  await file.lock();
  return file;
}

describe('a state file', () => {
  it('is nothing before it is written, and then what was written last', async () => {
    const file = await locked();
    expect(await file.read()).toBeUndefined();
    await file.write('first');
    await file.write('second');
    expect(await file.read()).toBe('second');
  });

  it('is for its owner alone, and no matter of version control', async () => {
    const file = await locked();
    await file.write('with keys in it');
    expect(statSync(pathOf()).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, '.kilter/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('is said to be where none can be', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(new StateFile(join(folder, 'file/state.json')).lock()).rejects.toMatchObject({
      name: 'OperatorError',
      message: `making the folder ${join(folder, 'file')} failed`,
    });
  });

  it('is said to be where nothing can be written beside it', async () => {
    const path = join(folder, 'a'.repeat(255));
    await expect(new StateFile(path).lock()).rejects.toMatchObject({
      name: 'OperatorError',
      message: `locking the cluster state ${path} failed`,
      hint: 'name a file with --state in a folder that this user can write to',
    });
  });

  it('is as it was when the process dies between the write and the rename', async () => {
    await (await locked()).write('before');
    const never = new Promise<never>(() => {});
    let written = () => {};
    const atRename = new Promise<void>((resolve) => {
      written = resolve;
    });
    const rename = () => {
      written();
      return never;
    };
    void new StateFile(pathOf(), { rename }).write('after');
    await atRename;

    const next = new StateFile(pathOf());
    expect(await next.read()).toBe('before');
    await next.write('later');
    expect(await next.read()).toBe('later');
    expect(readdirSync(join(folder, '.kilter'))).not.toContain('state.json.new');
  });

  it('is as it was when a write fails, which is said', async () => {
    await (await locked()).write('before');
    const rename = () => Promise.reject(new Error('EXDEV'));
    await expect(new StateFile(pathOf(), { rename }).write('after')).rejects.toMatchObject({
      message: `writing the cluster state ${pathOf()} failed`,
      cause: new Error('EXDEV'),
    });
    expect(await new StateFile(pathOf()).read()).toBe('before');
  });

  it('is had by one process at a time', async () => {
    const first = await locked();
    await expect(new StateFile(pathOf()).lock()).rejects.toMatchObject({
      message: `the cluster state ${pathOf()} is in use by process ${process.pid}`,
      hint: expect.stringContaining('--state'),
    });
    await first.unlock();
    await new StateFile(pathOf()).lock();
  });

  it.each([
    ['', () => spawnSync(process.execPath, ['--version']).pid],
    [', and we have its number, as in a container', () => process.pid],
  ])('is free again when who had it has died%s', async (_, pidOf) => {
    await (await locked()).unlock();
    writeFileSync(`${pathOf()}.lock`, String(pidOf()));
    const file = await locked();
    await expect(new StateFile(pathOf()).lock()).rejects.toThrow('is in use by');
    expect(readFileSync(`${pathOf()}.lock`, 'utf8')).toBe(String(process.pid));
    expect(readdirSync(join(folder, '.kilter')).sort()).toEqual(['.gitignore', 'state.json.lock']);
    await file.unlock();
  });

  it('is of the faster where two find that who had it has died', async () => {
    await (await locked()).unlock();
    const lock = `${pathOf()}.lock`;
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock, String(dead));
    // Between the look at it and what comes of that.
    const slow = async (from: string, to: string) => {
      writeFileSync(lock, String(process.ppid));
      await rename(from, to);
    };
    await expect(new StateFile(pathOf(), { rename: slow }).lock()).rejects.toThrow(
      `is in use by process ${process.ppid}`,
    );
    expect(readFileSync(lock, 'utf8')).toBe(String(process.ppid));
    expect(readdirSync(join(folder, '.kilter')).sort()).toEqual(['.gitignore', 'state.json.lock']);
  });
});
