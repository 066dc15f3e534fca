import { randomBytes } from 'node:crypto'
import { createProcessTerminal } from '#terminal/process-terminal.ts'
import { runDemo } from './demo.ts'

const terminal = createProcessTerminal()
const controller = new AbortController()
terminal.onInterrupt(() => controller.abort(new Error('Stopped by Ctrl-C.')))
const deadlineMs = 240_000
const timer = setTimeout(() => controller.abort(new Error(`The demo did not end within ${deadlineMs / 1000} s.`)), deadlineMs)
try {
  const passed = await runDemo({
    output: terminal.stdout,
    now: () => performance.now(),
    password: randomBytes(18).toString('base64url'),
    signal: controller.signal,
  })
  process.exitCode = passed ? 0 : 1
} catch (error) {
  terminal.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  clearTimeout(timer)
}
