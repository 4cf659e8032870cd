/**
 * Keeps V8 to its quick compilers, from when this module is loaded: by then nothing may have run for long, so that it is the first
 * that a controller loads.
 *
 * The slow one, which compiles JavaScript and WebAssembly alike, is four megabytes of program that are resident once it has compiled a
 * single function, and what it takes to compile comes on top. Node 26 has a compiler below it, with which up to a thousand custom
 * resources took as much CPU, and more of them a quarter more: a process that is busy for long gets it back (`optimizeNow`).
 * docs/decisions/0043-v8-optimizes-late.md.
 */
import { setFlagsFromString } from 'node:v8';

/** The parser of HTTP is WebAssembly. What the flag for that implies is only implied where it is given to Node itself. */
const flags = ['--no-turbofan', '--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

// Not by `engine-version.ts`: what comes first imports nothing of ours.
if (Number.parseInt(process.versions.v8, 10) > 13) for (const flag of flags) setFlagsFromString(flag);
