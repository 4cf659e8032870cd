import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundledProgram } from '../../bundled-program.js';

describe("what an author's code leaves behind", () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-strays-'));
  let program: string;
  beforeAll(async () => {
    program = await bundledProgram('test/runtime/stray-program.ts', folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** In a process of its own, since a test runner hears of it first. */
  const told = async (...args: string[]) => (await promisify(execFile)(process.execPath, [program, ...args])).stdout;

  it.each([
    ['a promise', 'was rejected'],
    ['an async function', 'was rejected'],
    ['an async function in another', 'was rejected'],
    ['a promise in a reaction', 'was rejected'],
    ['a timer', 'threw'],
    ['an interval', 'threw'],
    ['an immediate', 'threw'],
    ['a tick', 'threw'],
    ['a microtask', 'threw'],
    ['a microtask in a microtask', 'threw'],
    ['a microtask in a timer', 'threw'],
    ['a timer in a timer', 'threw'],
    ['an async function in a timer', 'was rejected'],
  ])('is known by whose it is: %s', async (deed, how) => {
    expect(await told(deed)).toBe(`its author: ${how}, a mistake\n`);
    expect(await told(deed, 'in the background')).toBe(`its author: ${how}, a mistake\n`);
  });

  it('is known by whose it is: a request without a listener', async () => {
    expect(await told('a request without a listener')).toMatch(/^its author: threw, .*ECONNREFUSED.*\n$/);
  });

  it.each([
    ['a microtask of nobody', 'threw'],
    ['a timer of nobody', 'threw'],
    ['a promise of nobody', 'was rejected'],
  ])('is not taken for what comes after it: %s', async (deed, how) => {
    expect(await told(deed)).toBe(`nobody: ${how}, a mistake\n`);
    expect(await told(deed, 'in the background')).toBe(`nobody: ${how}, a mistake\n`);
  });
});
