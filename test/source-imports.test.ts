import { describe, expect, it } from '@jest/globals';
import { importsOf } from './source-imports.js';

const at = '/kilter/src/drift/plan.ts';

describe('what a source file imports', () => {
  it.each([
    ["import { a } from './a.js';", './a.js', { file: '/kilter/src/drift/a.ts' }],
    ["import {\n  a,\n  type B,\n} from '../kube/a.js';", '../kube/a.js', { file: '/kilter/src/kube/a.ts' }],
    ["import * as a from 'a';", 'a', {}],
    ["import a, { b } from 'a';", 'a', {}],
    ["import './a.js';", './a.js', { file: '/kilter/src/drift/a.ts' }],
    ["export { a as b } from './a.js';", './a.js', { file: '/kilter/src/drift/a.ts' }],
    ["export * from './a.js';", './a.js', { file: '/kilter/src/drift/a.ts' }],
    ["import type { A } from 'a';", 'a', { isTypeOnly: true }],
    ["export type { A } from 'a';", 'a', { isTypeOnly: true }],
    ["const a = await import('a');", 'a', { isLazy: true }],
    ["const { a } = process.getBuiltinModule('a');", 'a', {}],
    ["const a: typeof import('a') = b;", 'a', { isTypeOnly: true }],
  ])('is found in %j', (source, specifier, expected) => {
    expect(importsOf(at, source)).toEqual([{ specifier, isTypeOnly: false, isLazy: false, ...expected }]);
  });

  it.each([
    "// import { a } from './a.js';",
    "/** As in\n * import { a } from './a.js';\n */",
    "export const from = 'a';",
    "const important = 'a';",
  ])('is not what %j says', (source) => {
    expect(importsOf(at, source)).toEqual([]);
  });
});
