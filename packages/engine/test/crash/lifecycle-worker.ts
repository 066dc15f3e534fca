import { writeSync } from 'node:fs'
import { lifecycle, lifecycleWorkflows, versionId } from './lifecycle-workflow.ts'
import { openCrashEngine } from './open-crash-engine.ts'

/**
 * A process that runs one execution of the lifecycle test and kills itself by SIGKILL at the given commit boundary, or at the end.
 * Arguments: connection string, URL of the outside service, account, number of the boundary (0: none). Prints `PASSED n` at the end.
 */
const [url = '', outside = '', accountId = '', killAt = '0'] = process.argv.slice(2)

let passed = 0
const { engine } = await openCrashEngine({
  url,
  workflows: lifecycleWorkflows(),
  maintainsQueue: false,
  lifecycle,
  warn: (message, details) => process.stderr.write(`${message} ${String(details)}\n`),
  boundary(name) {
    if (!name.endsWith('-submitted') && !name.endsWith('-committed')) return
    passed += 1
    if (passed === Number(killAt)) process.kill(process.pid, 'SIGKILL')
  },
})
const start = { accountId, workflowId: versionId, versionId, trigger: 'manual', actor: 'system:crash', input: { url: outside } }
const { id } = await engine.start(start)
await engine.outcome(accountId, id, 30_000)
writeSync(1, `PASSED ${passed}\n`)
process.kill(process.pid, 'SIGKILL')
