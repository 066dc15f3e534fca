import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { newUuid } from '#testing/uuid.ts'
import { lifecycle, lifecycleWorkflows } from './lifecycle-workflow.ts'
import { openCrashEngine } from './open-crash-engine.ts'

const script = fileURLToPath(new URL('./lifecycle-worker.ts', import.meta.url))
const LANES = 2
/** `npm run crash` kills at every boundary, the test command at every tenth one. */
const STEP = inject('deep') ? 1 : 10

test('lifecycle events are the same with a kill at any commit as without one', async () => {
  await using database = await createEngineDatabase()
  await using outside = await openOutsideService()
  const undisturbed = newUuid()
  const boundaries = await runWorker([database.url, outside.url, undisturbed, '0'])
  const expected = await eventsOf(database, undisturbed)
  expect(boundaries).toBeGreaterThan(15)
  expect(expected.at(0)).toBe('workflow.started')
  expect(expected.filter((what) => what.endsWith('/unsteady task.retried'))).toHaveLength(1)
  expect(expected.at(-1)).toBe('workflow.completed')
  let next = 1 - STEP
  const deaths = Array.from({ length: LANES }, async () => {
    for (let at = (next += STEP); at <= boundaries; at = next += STEP) {
      const accountId = newUuid()
      expect(await runWorker([database.url, outside.url, accountId, String(at)]), `the worker passed boundary ${at}`).toBe(0)
      const id = await completeExecution(database, accountId)
      // After a kill before the acceptance the execution does not exist and emits no events.
      expect(await eventsOf(database, accountId), `killed at boundary ${at}`).toEqual(id === undefined ? [] : expected)
    }
  })
  await Promise.all(deaths)
})

/** Runs a worker until it dies. @returns the number of boundaries if it reached the end of the execution, otherwise 0 */
async function runWorker(args: readonly string[]): Promise<number> {
  const worker = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 200_000 })
  let output = ''
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [, signal] = await once(worker, 'close')
  expect(signal).toBe('SIGKILL')
  return Number(/PASSED (\d+)/.exec(output)?.[1] ?? 0)
}

/** Completes the execution of a dead process. @returns its id, or undefined if the account has no execution */
async function completeExecution({ url, pool }: EngineDatabase, accountId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(`select id from executions where account_id = $1`, [accountId])
  const [{ id } = {}] = rows
  if (id === undefined) return undefined
  const warn = () => undefined
  const { engine, close } = await openCrashEngine({
    url,
    workflows: lifecycleWorkflows(),
    lifecycle,
    maintainsQueue: false,
    boundary: () => undefined,
    warn,
  })
  expect(await engine.outcome(accountId, id, 30_000)).toMatchObject({ state: 'completed' })
  await close()
  return id
}

/** The lifecycle events of an account in order, without duplicates. */
async function eventsOf({ pool }: EngineDatabase, accountId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ event_id: string; type: string }>(
    `select event_id, type from events where account_id = $1 and starts_with(type, 'io.serverlessworkflow.') order by id`,
    [accountId],
  )
  return rows.map(({ event_id: id, type }) => {
    const position = /\/.*(?=:)/.exec(id)?.[0]
    const what = type.slice('io.serverlessworkflow.'.length, -'.v1'.length)
    return position === undefined ? what : `${position} ${what}`
  })
}

/** A service that refuses the first attempt of `/unsteady`, also when it is repeated under its key, and accepts all other requests. */
async function openOutsideService() {
  const refused = new Map<string, string>()
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key'])
    const execution = key.slice(0, 36)
    if (request.url === '/unsteady' && !refused.has(execution)) refused.set(execution, key)
    request.resume()
    response.writeHead(request.url === '/unsteady' && refused.get(execution) === key ? 503 : 200, { 'content-type': 'application/json' })
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
