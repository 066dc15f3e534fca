import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { locateConformance } from './tools/conformance/locate.ts'
import { ConformanceReporter } from './tools/conformance/reporter.ts'
import { LongestFirst } from './tools/testing/longest-first.ts'
import { thresholds } from './tools/testing/coverage-thresholds.ts'

const report = process.env['TEST_REPORT']
const jsonReporter = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }]

const scripts = 'packages/engine/src/effects/script/**/*.test.ts'

export default defineConfig(({ mode }) => {
  /** Files are isolated by what they own (a database copied from a template, a port), not by a fresh process: 1.3 s against 15.1 s for 60 files. */
  const shared = {
    pool: 'threads',
    isolate: false,
    // A test that hangs fails; one on a busy machine does not.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 180_000 } },
    // The message of a failure names the parts that differ, also where only its first line is shown.
    chaiConfig: { truncateThreshold: 600 },
    setupFiles: 'tools/testing/set-up.ts',
    // `deep`: random tests take as long as they need (npm run test:deep).
    provide: { conformance: locateConformance(import.meta.dirname, process.env), deep: mode === 'deep' },
  } as const
  return {
    test: {
      // Most tests wait for processes and databases more than they compute: three files at a time keep two cores busy.
      maxWorkers: Math.max(3, availableParallelism()),
      sequence: { sequencer: LongestFirst },
      // Continuous integration reads the result of each test from this file.
      reporters: ['default', new ConformanceReporter(), ...(report === undefined ? [] : [jsonReporter(report)])],
      // `npm run coverage`; a part of the tests with `-- --coverage.include 'packages/jq/src/**' packages/jq`.
      coverage: {
        provider: 'v8',
        include: ['packages/*/src/**/*.ts'],
        exclude: ['**/*.test.ts', '**/testing/**', '**/testing-*.ts', '**/laws/**'],
        reporter: ['text-summary', 'json-summary', 'html'],
        thresholds,
      },
      projects: [
        {
          test: {
            ...shared,
            name: 'pure',
            include: [
              'packages/{jq,dsl,contract,client,web}/{src,test}/**/*.test.ts',
              'packages/web/build/**/*.test.ts',
              'tools/**/*.test.ts',
            ],
          },
        },
        {
          test: {
            ...shared,
            name: 'database',
            include: ['packages/{engine,server,cli}/{src,test}/**/*.test.ts'],
            exclude: [scripts],
            globalSetup: ['packages/server/src/testing/global-setup.ts'],
          },
        },
        // The memory of each sandbox counts as memory of its thread, so V8 collects the whole heap again and again: ten times as slow among the modules of a server.
        {
          test: { ...shared, name: 'scripts', include: [scripts], isolate: true },
        },
        // Journeys in a Chromium, after the tests that need no browser; skipped without one.
        {
          test: {
            ...shared,
            name: 'browser',
            include: ['packages/web/e2e/**/*.test.ts'],
            globalSetup: ['packages/server/src/testing/global-setup.ts'],
            // A journey waits for its browser, its server and the database in turn.
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
          },
        },
        // Tests that measure how long requests take, after all others and alone.
        {
          test: {
            ...shared,
            name: 'measured',
            include: ['bench/**/*.test.ts', 'packages/server/bench/*.test.ts'],
            maxWorkers: 1,
            sequence: { groupOrder: 2 },
          },
        },
      ],
    },
  }
})
