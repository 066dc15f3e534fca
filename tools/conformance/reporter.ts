import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { missingConformance } from './locate.ts'

/** Prints at the end of a run how many tests were skipped because the conformance data is missing, and how to get it. */
export class ConformanceReporter implements Reporter {
  readonly #print: (line: string) => void

  constructor(options?: { readonly print?: (line: string) => void }) {
    this.#print = options?.print ?? console.log
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = modules.map((module) => [...module.children.allTests()].filter(lacksConformance).length)
    const tests = counts.reduce((sum, count) => sum + count, 0)
    const files = counts.filter((count) => count > 0).length
    if (tests > 0) this.#print(`\nSkipped ${tests} tests and groups of tests in ${files} files. ${missingConformance}\n`)
  }
}

function lacksConformance(testCase: TestCase): boolean {
  const result = testCase.result()
  return result.state === 'skipped' && result.note === missingConformance
}
