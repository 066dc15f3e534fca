import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { crashWorkflows, versionIds } from './definitions.ts'
import { openCrashEngine } from './open-crash-engine.ts'

/**
 * A process of a crash test. Starts executions when told to, runs whatever there is, and dies by SIGKILL at the boundary that it was given.
 * Arguments: connection string, ledger, number of the boundary (0: none), executions to start, account.
 * Says `ACK id` for each execution that was acknowledged, `IDLE` when nothing is left to run.
 */
const [url = '', ledger = '', killAt = '0', count = '0', accountId = randomUUID()] = process.argv.slice(2)

let passed = 0
const { pool, engine } = await openCrashEngine({
  url,
  workflows: crashWorkflows(),
  keepsHouse: false,
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
  // One after the other, so that the boundaries come in the same order in every process.
  say(`ACK ${(await engine.start(start)).id}`)
}
setInterval(() => void sayWhenIdle(), 50)
setInterval(() => void answer(), 50)

/** Answers what is asked, by as many processes as there are; who dies after it has answered may not have said so. */
async function answer(): Promise<void> {
  const { rows } = await pool.query<{ account_id: string; execution_id: string; position: string; arguments: string }>(
    `select account_id, execution_id, position, arguments from waits where topic = 'ask'`,
  )
  for (const row of rows) {
    const asked: unknown = JSON.parse(row.arguments)
    const question = typeof asked === 'object' && asked !== null && 'question' in asked ? String(asked.question) : ''
    const delivery = { accountId: row.account_id, executionId: row.execution_id, position: row.position, topic: 'ask' }
    await engine.deliver({ ...delivery, value: { answer: question } })
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
