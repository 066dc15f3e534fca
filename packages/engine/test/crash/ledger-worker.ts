import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { BoundaryName } from '#durable/ports/boundary.ts'
import { replyTo } from './outside-values.ts'
import { compileGenerated, generateWorkflows } from './generate-workflows.ts'
import { openCrashEngine } from './open-crash-engine.ts'
import type { WorkerCommand, WorkerLine } from './worker-lines.ts'

/**
 * A process of a ledger run: accepts and runs executions and replies to their questions, until it is killed or kills itself at a boundary.
 * Arguments: connection string, seed of the workflows.
 */
const [url = '', seed = '0'] = process.argv.slice(2)
const ANSWER_MS = 250

let dieAt: BoundaryName | undefined
const { pool, engine } = await openCrashEngine({
  url,
  workflows: compileGenerated(generateWorkflows(Number(seed))),
  maintainsQueue: true,
  // Kills are five times as frequent as the shortest quiet time before a trial in production.
  trialMs: 3_000,
  warn: (message, details) => say({ say: 'warning', message, details: describe(details) }),
  boundary(name) {
    if (name !== dieAt) return
    say({ say: 'dying', at: name })
    process.kill(process.pid, 'SIGKILL')
  },
})
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The runner writes these lines.
createInterface({ input: process.stdin }).on('line', (line) => obey(JSON.parse(line) as WorkerCommand))
setInterval(() => {
  answer().catch((error: unknown) => say({ say: 'warning', message: 'questions could not be answered', details: describe(error) }))
}, ANSWER_MS)
say({ say: 'ready' })

function obey(command: WorkerCommand): void {
  if (command.do === 'die') dieAt = command.at
  else if (command.do === 'start') void start(command)
  else
    engine
      .retry(command.accountId, command.id, { actor: 'system:crash' })
      .catch((error: unknown) => say({ say: 'warning', message: 'a dead letter could not be replayed', details: describe(error) }))
}

async function start({ token, accountId, versionId, input }: Extract<WorkerCommand, { do: 'start' }>): Promise<void> {
  try {
    const idempotency = { key: `start-${token}`, digest: `${versionId} ${input.n}` }
    const { id, replayed } = await engine.start({
      accountId,
      workflowId: versionId,
      versionId,
      trigger: 'manual',
      actor: 'system:crash',
      input,
      idempotency,
    })
    say({ say: 'acknowledged', token, id, replayed })
  } catch (error) {
    say({ say: 'refused', token, reason: describe(error) })
  }
}

/** Replies to all open questions. Several processes may reply to the same one; only the first reply counts. */
async function answer(): Promise<void> {
  const { rows } = await pool.query<{ account_id: string; execution_id: string; position: string; arguments: string }>(
    `select account_id, execution_id, position, arguments from waits where topic = 'ask'`,
  )
  for (const row of rows) {
    const asked: unknown = JSON.parse(row.arguments)
    const question = typeof asked === 'object' && asked !== null && 'question' in asked ? Number(asked.question) : Number.NaN
    const delivery = { accountId: row.account_id, executionId: row.execution_id, position: row.position, topic: 'ask' }
    await engine.sendMessage({ ...delivery, value: { answer: replyTo(question) } })
  }
}

function describe(details: unknown): string {
  return JSON.stringify(details, (_key, value: unknown) => (value instanceof Error ? (value.stack ?? value.message) : value)) ?? ''
}

function say(line: WorkerLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
