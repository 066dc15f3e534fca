import { expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { brief, openEventStream, type StreamEvent } from '#testing/event-stream.ts'
import { asks, startGate } from '#testing/gate.ts'
import { startServerProcess } from '#testing/server-process.ts'
import { createTestServer } from '#testing/server.ts'

const isTask = (name: string, state: string) => (event: StreamEvent) => brief(event) === `task ${name} ${state}`
const tasksOf = (events: readonly StreamEvent[]) => events.filter(({ event }) => event === 'task').map(brief)

test('when the process that runs an execution is killed, its stream goes on with whoever takes it up', async () => {
  await using server = await createTestServer({ MILLRACE_ROLES: 'api,scheduler' })
  await using gate = await startGate()
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(asks(gate.url, ['a', 'b', 'c'])) } })
  const worker = { DATABASE_URL: server.databaseUrl, MILLRACE_ROLES: 'worker' }
  await using first = await startServerProcess(worker)
  const started = (await account.send('POST', `/api/v1/workflows/${id}/execute`, {})).body
  const url = `${server.url}/api/v1/workflows/executions/${started.id}/stream`
  const authorization = `Bearer ${account.token}`
  await using stream = await openEventStream(url, { authorization })
  await gate.called(1)
  gate.letGo()
  await gate.called(2)
  const before = await stream.until(isTask('b', 'running'))
  await first.kill()
  // What it had asked for and not heard of is asked for again.
  await using _second = await startServerProcess(worker)
  await gate.called(3)
  gate.letGo()
  gate.letGo()
  await gate.called(4)
  gate.letGo()
  const all = [...before, ...(await stream.rest())]
  expect(tasksOf(all)).toEqual([
    'task a running',
    'task a completed',
    'task b running',
    'task b completed',
    'task c running',
    'task c completed',
  ])
  expect(brief(all.at(-1) ?? { event: 'nothing', id: '', data: {} })).toBe('end completed')
  expect(new Set(all.map((event) => event.id)).size).toBe(all.length)
  expect(gate.paths()).toEqual(['/a', '/b', '/b', '/c'])
  // Whoever was away all the while sees the same.
  await using late = await openEventStream(url, { authorization, 'last-event-id': before[0]?.id ?? '' })
  expect(tasksOf(await late.rest())).toEqual(tasksOf(all))
}, 60_000)
