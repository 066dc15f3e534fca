// Prints what failed and, as the last line, "N passed, N failed" from Vitest's JSON reports. Fails when a test failed, a file did not load, or nothing ran. The
// first report is that of the whole; what fails in the second one, of the tests in a clone that stands alone, counts too, and what passes there is not counted
// twice.
import { readFileSync } from 'node:fs'

const [report, status, aloneReport, aloneStatus] = process.argv.slice(2)
const whole = count(report, status)
const alone = count(aloneReport, aloneStatus)
const failures = whole.failed + alone.failed
for (const failure of [...whole.failures, ...alone.failures]) console.log(`failed: ${failure}`)
process.exitCode = failures === 0 ? 0 : 1
console.log(`${whole.passed} passed, ${failures} failed${whole.skipped > 0 ? `, ${whole.skipped} skipped` : ''}`)

/** Vitest also fails for an error outside of every test; it counts as one, as does a run of nothing, so that the line does not say that all is well. */
function count(path, code) {
  const { failed, ...others } = readReport(path)
  return { ...others, failed: failed === 0 && (code !== '0' || others.passed === 0) ? 1 : failed }
}

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(path, 'utf8'))
    const unloaded = testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.every((result) => result.status !== 'failed'),
    )
    return {
      passed: numPassedTests,
      failed: numFailedTests + unloaded.length,
      skipped: numPendingTests,
      failures: [
        ...testResults.flatMap((file) =>
          file.assertionResults.flatMap((result) => (result.status === 'failed' ? [nameTest(file, result)] : [])),
        ),
        ...unloaded.map((file) => `${file.name}: ${firstLine(file.message)}`),
      ],
    }
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [] }
  }
}

function nameTest(file, { fullName, failureMessages }) {
  return `${file.name}: ${fullName}: ${firstLine(failureMessages[0])}`
}

function firstLine(text) {
  return text?.split('\n', 1)[0].slice(0, 600) ?? 'no message'
}
