/** Tests are TypeScript modules; swc strips the types, `npm run types` checks them. */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: 'node',
  // Finds or builds the control plane that suites on a real API server run against.
  globalSetup: '<rootDir>/test/cluster/global-setup.js',
  reporters: ['default', '<rootDir>/test/totals-reporter.js'],
  // Each of two workers may have a control plane of its own; more would starve them.
  maxWorkers: 2,
  // Node lets go of no module that was evaluated for a suite. With three gigabytes of them a worker does little but collect
  // garbage, and tests that take two seconds take thirty: it makes room for a new one before.
  workerIdleMemoryLimit: '500MB',
  // A test fails by what it saw. Only one that hangs fails by this, on a machine that is busy with two control planes.
  testTimeout: 120_000,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
};
