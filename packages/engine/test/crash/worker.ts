import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { crashWorkflows, versionIds } from './definitions.ts'
import { openCrashEngine } from './open-crash-engine.ts'

/**
 * A process of a crash test. Starts the given number of executions, runs all claimable ones, and kills itself by SIGKILL at the given boundary.
 * Arguments: connection string, ledger, number of the boundary (0: none), executions to start, account.
 * Prints `ACK id` for each acknowledged execution and `IDLE` when all executions have ended.
 */
const [url = '', ledger = '', killAt = '0', count = '0', accountId = randomUUID()] = process.argv.slice(2)

let passed = 0
const { pool, engine } = await openCrashEngine({
  url,
  workflows: crashWorkflows(),
  maintainsQueue: false,
  warn: (message, details) =>
    say(`WARN ${message} ${JSON.stringify(details, (_key, value: unknown) => (value instanceof Error ? value.stack : value))}`),
  boundary() {
    passed += 1
    if (passed === Number(killAt)) process.kill(process.pid, 'SIGKILL')
  },
})
const start = {
  accountId,
  workflowId: versionIds.main,
  versionId: versionIds.main,
  trigger: 'manual',
  actor: 'system:crash',
  input: { ledger },
}
for (let index = 0; index < Number(count); index++) {
  // In sequence, so that the boundaries have the same order in every process.
  say(`ACK ${(await engine.start(start)).id}`)
}
setInterval(() => void sayWhenIdle(), 50)
setInterval(() => void answer(), 50)

/** Replies to all open questions. Several processes may reply to the same one; only the first reply counts. */
async function answer(): Promise<void> {
  const { rows } = await pool.query<{ account_id: string; execution_id: string; position: string; arguments: string }>(
    `select account_id, execution_id, position, arguments from waits where topic = 'ask'`,
  )
  for (const row of rows) {
    const asked: unknown = JSON.parse(row.arguments)
    const question = typeof asked === 'object' && asked !== null && 'question' in asked ? String(asked.question) : ''
    const delivery = { accountId: row.account_id, executionId: row.execution_id, position: row.position, topic: 'ask' }
    await engine.sendMessage({ ...delivery, value: { answer: question } })
  }
}

async function sayWhenIdle(): Promise<void> {
  const { rows } = await pool.query<{ left: number }>(
    `select count(*)::int as left from executions where state not in ('completed', 'faulted', 'cancelled')`,
  )
  if (rows[0]?.left === 0) say(`IDLE ${passed}`)
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
