/**
 * `npm run test:mutation -- SOURCE [TESTS …]`: changes each expression of a source file and runs the unit tests that reach it. A mutant
 * that no test notices survives. Without TESTS all unit tests that import the file run. It prints the score and each survivor, and
 * writes `out/mutation/report.html`. It is not part of a suite: some survivors are harmless, so each has to be read.
 */
import { Stryker } from '@stryker-mutator/core'

const [source, ...tests] = process.argv.slice(2)
if (source === undefined) {
  console.error('Usage: npm run test:mutation -- electron/contract/points-calculation.ts [test/unit/…]')
  process.exit(1)
}
if (tests.length > 0) process.env['TILLPOINTS_MUTATION_TESTS'] = tests.join(' ')

const results = await new Stryker({
  mutate: [source],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
  coverageAnalysis: 'perTest',
  reporters: ['clear-text', 'html'],
  htmlReporter: { fileName: 'out/mutation/report.html' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: 'out/mutation/sandbox',
  ignorePatterns: ['/out', '/.git'],
  concurrency: 2
}).runMutationTest()
const left = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
console.log(`${source}: ${String(results.length - left.length)} of ${String(results.length)} mutants killed`)
