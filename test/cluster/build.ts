/** `npm run cluster:build`: builds the control plane of the tests ahead of time, and tells where it is. */
import { findBinaries } from './binaries.js';

const folder = await findBinaries((line) => process.stderr.write(`${line}\n`));
process.stdout.write(`${folder}\n`);
