import { fileURLToPath } from 'node:url'

// Apps and agents live in other folders than packages do, so their names are told apart here.
const agents = 'syncboot|syncinsight|synceta|syncverse'
const apps = 'hub|dispatcher|standalone|cli|dashboard'

/** Tests run the TypeScript sources as native ES modules; `*.verify.ts` are the long ones that `npm run verify` runs. */
export default {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testEnvironment: 'node',
  testMatch: [process.env.SYNCHUB_TEST_KIND === 'verify' ? '**/test/**/*.verify.ts' : '**/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.synchub/'],
  modulePathIgnorePatterns: ['<rootDir>/(packages|apps)/.*/dist/', '<rootDir>/.synchub/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  moduleNameMapper: {
    [`^@synchub/(${agents})$`]: '<rootDir>/apps/agents/$1/src/index.ts',
    [`^@synchub/(${apps})$`]: '<rootDir>/apps/$1/src/index.ts',
    '^@synchub/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^@synchub/agent-sdk/testing$': '<rootDir>/packages/agent-sdk/src/testing/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  globalSetup: '<rootDir>/infra/checks/jest/run-setup.mjs',
  globalTeardown: '<rootDir>/infra/checks/jest/run-teardown.mjs',
  maxWorkers: 2,
  // Modules of finished tests stay in a worker's memory; a fresh worker costs less than collecting around them.
  workerIdleMemoryLimit: '600MB',
  // Real processes start and stop in tests and hooks; on two busy cores that takes longer than jest's own five seconds.
  testTimeout: 30_000,
}
