import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { missingConformance } from './locate.ts'
import { ConformanceReporter } from './reporter.ts'

/** The part of a test file that the reporter reads: the results of its tests. */
function moduleOf(...results: readonly object[]): TestModule {
  const tests = results.map((result) => ({ result: () => result }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A whole one is made by Vitest alone.
  return { children: { allTests: () => tests } } as unknown as TestModule
}

function printed(...modules: readonly TestModule[]): string {
  const lines: string[] = []
  new ConformanceReporter({ print: (line) => lines.push(line) }).onTestRunEnd(modules)
  return lines.join('')
}

const lacking = { state: 'skipped', note: missingConformance }

test('what was skipped for want of the data is counted once, with the way to get it', () => {
  const line = printed(moduleOf(lacking, { state: 'passed' }, lacking), moduleOf({ state: 'skipped', note: 'later' }), moduleOf(lacking))
  expect(line).toContain('Skipped 3 tests and groups of tests in 2 files.')
  expect(line).toContain('npm run conformance')
})

test('a run that had all of it says nothing', () => {
  expect(printed(moduleOf({ state: 'passed' }), moduleOf({ state: 'skipped', note: 'later' }))).toBe('')
})
