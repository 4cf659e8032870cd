#!/usr/bin/env node
/** The entry that runs in the cluster: watches custom resources of the operators that we ship, and reconciles them. */
// biome-ignore assist/source/organizeImports: it turns slow compilers off, and has to do so before anything else is loaded.
import { runOperators } from './program/run-operators.js';
import { operators } from './operators/all.js';

process.exitCode = await runOperators(operators);
