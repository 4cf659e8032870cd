/**
 * Has the collections of a process at rest (`give-back-memory.ts`) take along what a burst had V8 compile, and be the last ones, from
 * when this module is loaded.
 *
 * V8 drops bytecode that was not called for six collections, and the code of its quickest compiler never. Here it drops both after
 * two: in a burst there are few, and what goes on being called is kept. Who is called again is compiled again. And some time after
 * a collection V8 collects twice more by itself, which after ours finds nothing. Node 20 is left as it comes.
 *
 * Among the first that a controller loads, and for as long as it lives: the flags are of the whole process, and whoever turns them
 * later may crash it. In the middle of a collection, which a thread of somebody's may have begun, V8 took code for dropped that was
 * not, or found that it had collected more often than it may. docs/decisions/0045-memory-is-given-back-at-rest.md.
 */
import { setFlagsFromString } from 'node:v8';

const flags = ['--flush-baseline-code', '--bytecode-old-age=2', '--memory-reducer-gc-count=0'];
/** By then V8 collects for no other reason than that it needs room. */
const youngSeconds = 5;

// Not by `engine-version.ts`: what comes first imports nothing of ours.
const isNode20 = Number.parseInt(process.versions.v8, 10) < 12;
if (!isNode20 && process.uptime() < youngSeconds) for (const flag of flags) setFlagsFromString(flag);
