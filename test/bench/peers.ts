import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../cluster/package-root.js';
import { type BenchPlane, peerTrack } from './bench-plane.js';
import type { Contender } from './contender.js';

type Command = readonly [string, ...string[]];

/** The `peer.json` of a peer's folder. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /** What must run for it to be built and started; the first line that one prints is its version. */
  readonly tools: readonly Command[];
  readonly build: readonly Command[];
  /** For people: how long a first build takes on two cores. */
  readonly takes: string;
  /** What it needs in order to run. All else goes when it is built: it may be gigabytes. */
  readonly keeps: readonly string[];
  readonly start: Command;
  readonly notes: string;
}

/** A build that takes longer than this is given up. */
const buildMinutes = 20;

const peersFolder = join(packageRoot, 'test/bench/peers');

export function peerNames(): string[] {
  return readdirSync(peersFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export function readPeer(name: string): Peer {
  return JSON.parse(readFileSync(join(peersFolder, name, 'peer.json'), 'utf8')) as Peer;
}

/**
 * The peer in folder `name`, built on demand into the user's cache. Undefined, and said in one line, where its toolchain
 * is missing or its build fails: a bench without one peer is still a bench.
 */
export async function buildPeer(name: string, progress: (line: string) => void): Promise<Contender | undefined> {
  const peer = readPeer(name);
  const source = join(peersFolder, name);
  const missing = peer.tools.find((tool) => !answers(tool));
  if (missing) {
    progress(`${peer.name} is left out: there is no ${missing[0]}`);
    return undefined;
  }
  const folder = cacheFolder(name, source);
  const built = join(folder, '.built');
  if (!existsSync(built)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    const start = performance.now();
    const tell = () =>
      progress(`building ${peer.name} (${Math.round((performance.now() - start) / 1000)} s; ${peer.takes}, once)`);
    tell();
    const timer = setInterval(tell, 10_000);
    try {
      for (const command of peer.build) await run(command, folder);
    } catch (error) {
      progress(`${peer.name} is left out: ${(error as Error).message}`);
      return undefined;
    } finally {
      clearInterval(timer);
    }
    dropBut(folder, peer.keeps);
    writeFileSync(built, '');
  }
  const { version, notes, start } = peer;
  const launch = (bench: BenchPlane) => ({
    command: start,
    cwd: folder,
    env: { KUBECONFIG: bench.kubeconfig(peerTrack) },
  });
  return { name: peer.name, version, notes, track: peerTrack, launch };
}

/** One folder for each content of the sources, so that a change builds anew. */
function cacheFolder(name: string, source: string): string {
  const hash = createHash('sha256');
  for (const file of filesIn(source)) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(
    cache,
    'kilter',
    'bench',
    `${name}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`,
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort();
}

function answers([program, ...args]: Command): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function run([program, ...args]: Command, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, GOWORK: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: buildMinutes * 60_000,
    });
    let tail = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        tail = (tail + text).slice(-2000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args[0] ?? ''} failed with code ${code}: ${tail.trim()}`));
    });
  });
}

/** Removes from `folder` all that `keeps`, relative paths, does not name. */
function dropBut(folder: string, keeps: readonly string[]): void {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (keeps.includes(entry)) continue;
    const below = keeps.filter((keep) => keep.startsWith(`${entry}/`)).map((keep) => keep.slice(entry.length + 1));
    if (below.length > 0) dropBut(path, below);
    else rmSync(path, { recursive: true, force: true });
  }
}
