import { writeSync } from 'node:fs'
import { openCrashEngine } from './open-crash-engine.ts'
import { slowWorkflows } from './slow-workflows.ts'

/**
 * A process that runs executions with slow calls until it is killed, or until one of them makes it exit.
 * Arguments: connection string, address of the service, milliseconds of a trial, milliseconds of the calls.
 */
const [url = '', serviceUrl = '', trialMs = '0', ...callsMs] = process.argv.slice(2)
await openCrashEngine({
  url,
  workflows: slowWorkflows(serviceUrl, callsMs.map(Number)),
  boundary: () => undefined,
  maintainsQueue: true,
  warn: (message) => writeSync(2, `${message}\n`),
  functions: new Map([['exit', async () => process.exit(7)]]),
  trialMs: Number(trialMs),
})
writeSync(1, 'ready\n')
