// Prints "N passed, N failed" from Vitest's JSON report, and fails when a test failed, a file did not load, or nothing ran.
import { readFileSync } from 'node:fs'

const [report, status] = process.argv.slice(2)
const { passed, failed } = count(report)
process.exitCode = failed === 0 && passed > 0 && status === '0' ? 0 : 1
// Vitest also fails for an error outside of every test; it counts as one, so that the line does not say that all is well.
console.log(`${passed} passed, ${failed === 0 && process.exitCode !== 0 ? 1 : failed} failed`)

function count(path) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, 'utf8'))
    const unloaded = testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.every((result) => result.status !== 'failed'),
    )
    return { passed: numPassedTests, failed: numFailedTests + unloaded.length }
  } catch {
    return { passed: 0, failed: 0 }
  }
}
