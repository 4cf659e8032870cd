import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildBinaries } from './build-binaries.js';

const path = process.env['PATH'];
let folder: string;
let built: string;

beforeEach(() => {
  const place = mkdtempSync(join(tmpdir(), 'kilter-build-'));
  folder = join(place, 'cache', 'v1');
  built = join(place, 'built');
  writeFileSync(built, '');
  // What Go does here: a file at the place that it is told, which takes a moment.
  const go = join(place, 'bin', 'go');
  mkdirSync(join(place, 'bin'));
  writeFileSync(go, `#!/bin/sh\nsleep 0.05\necho "$7" >>'${built}'\necho built >"$6"\n`);
  chmodSync(go, 0o755);
  process.env['PATH'] = [join(place, 'bin'), path].join(delimiter);
});

afterEach(() => {
  process.env['PATH'] = path;
});

const builds = () => readFileSync(built, 'utf8').trim().split('\n').length;

describe('the control plane of the tests', () => {
  it('is built once, by whichever of several processes comes first', async () => {
    const told: string[] = [];
    await Promise.all([1, 2, 3].map(() => buildBinaries(folder, (line) => told.push(line))));
    expect(builds()).toBe(4);
    expect(told).toContainEqual(expect.stringContaining('another process builds'));
    expect(existsSync(join(folder, 'kube-apiserver'))).toBe(true);
    expect(existsSync(`${folder}.building`)).toBe(false);
  });

  it('is built by another when whoever was at it was killed', async () => {
    mkdirSync(`${folder}.building`, { recursive: true });
    appendFileSync(join(`${folder}.building`, 'etcd'), 'half of it');
    const longAgo = new Date(Date.now() - 90_000);
    utimesSync(`${folder}.building`, longAgo, longAgo);
    await buildBinaries(folder, () => {});
    expect(readFileSync(join(folder, 'etcd'), 'utf8')).toBe('built\n');
  });
});
