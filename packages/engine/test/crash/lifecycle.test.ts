import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { newUuid } from '#testing/uuid.ts'
import { lifecycle, lifecycleWorkflows } from './lifecycle-workflow.ts'
import { openCrashEngine } from './open-crash-engine.ts'

const script = fileURLToPath(new URL('./lifecycle-worker.ts', import.meta.url))
const LANES = 2

test('whoever is told of an execution hears the same over a kill at any commit as without one', { timeout: 300_000 }, async () => {
  await using database = await createEngineDatabase()
  await using outside = await openOutside()
  const undisturbed = newUuid()
  const boundaries = await live([database.url, outside.url, undisturbed, '0'])
  const expected = await toldOf(database, undisturbed)
  expect(boundaries).toBeGreaterThan(15)
  expect(expected.at(0)).toBe('workflow.started')
  expect(expected.filter((what) => what.endsWith('/unsteady task.retried'))).toHaveLength(1)
  expect(expected.at(-1)).toBe('workflow.completed')
  let next = 0
  const deaths = Array.from({ length: LANES }, async () => {
    for (let at = ++next; at <= boundaries; at = ++next) {
      const accountId = newUuid()
      expect(await live([database.url, outside.url, accountId, String(at)]), `it lived past boundary ${at}`).toBe(0)
      const id = await goOn(database, accountId)
      // Killed before it was accepted, it never was, and nobody was told.
      expect(await toldOf(database, accountId), `killed at boundary ${at}`).toEqual(id === undefined ? [] : expected)
    }
  })
  await Promise.all(deaths)
})

/** Runs a worker until it dies. @returns the boundaries that it passed when it came to its end; 0 when it did not. */
async function live(args: readonly string[]): Promise<number> {
  const worker = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 40_000 })
  let output = ''
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [, signal] = await once(worker, 'close')
  expect(signal).toBe('SIGKILL')
  return Number(/PASSED (\d+)/.exec(output)?.[1] ?? 0)
}

/** Takes up what a process left behind, to its end. @returns the execution of the account; undefined when there is none. */
async function goOn({ url, pool }: EngineDatabase, accountId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(`select id from executions where account_id = $1`, [accountId])
  const [{ id } = {}] = rows
  if (id === undefined) return undefined
  const warn = () => undefined
  const { engine, close } = await openCrashEngine({
    url,
    workflows: lifecycleWorkflows(),
    lifecycle,
    keepsHouse: false,
    boundary: () => undefined,
    warn,
  })
  expect(await engine.outcome(accountId, id, 30_000)).toMatchObject({ state: 'completed' })
  await close()
  return id
}

/** What was told in an account, in order, by the ids of the events: a receiver drops one that it has had. */
async function toldOf({ pool }: EngineDatabase, accountId: string): Promise<readonly string[]> {
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

/** A world outside that refuses the first attempt at what is unsteady, however often it is made, and does all else. */
async function openOutside() {
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
