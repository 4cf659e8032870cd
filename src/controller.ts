#!/usr/bin/env node
/** The entry that runs in the cluster: watches custom resources of the operators that we ship, and reconciles them. */
import { operators } from './operators/all.js';
import { runOperators } from './run-operators.js';

process.exitCode = await runOperators(operators);
