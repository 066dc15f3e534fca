import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf } from '#testing/definitions.ts'
import { brief, openEventStream, type StreamEvent } from '#testing/event-stream.ts'
import { asks, startGate } from '#testing/gate.ts'
import { startServerProcess } from '#testing/server-process.ts'

const isTask = (name: string, state: string) => (event: StreamEvent) => brief(event) === `task ${name} ${state}`
const tasksOf = (events: readonly StreamEvent[]) => events.filter(({ event }) => event === 'task').map(brief)

test('when the process that runs an execution is killed, its stream continues with the process that claims it', async () => {
  await using db = await createTestDatabase()
  await using api = await startServerProcess({ DATABASE_URL: db.url, MILLRACE_ROLES: 'api,scheduler' })
  await using gate = await startGate()
  const worker = { DATABASE_URL: db.url, MILLRACE_ROLES: 'worker' }
  await using first = await startServerProcess(worker)
  const credentials = { email: 'watcher@example.com', password: 'a rather unusual phrase 4711' }
  const { accessToken: token } = await createClient({ baseUrl: api.url, groups }).auth.register({ body: credentials })
  const client = createClient({ baseUrl: api.url, groups, token })
  const { id } = await client.workflows.create({ body: { definition: documentOf(asks(gate.url, ['a', 'b', 'c'])) } })
  const started = await client.workflows.execute({ params: { id } })
  const url = `${api.url}/api/v1/workflows/executions/${started.id}/stream`
  const authorization = `Bearer ${token}`
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
  expect(gate.paths()).toEqual(['/a', '/b', '/b', '/c'])
  // A client that was disconnected meanwhile receives the same.
  await using late = await openEventStream(url, { authorization, 'last-event-id': before[0]?.id ?? '' })
  expect(tasksOf(await late.rest())).toEqual(tasksOf(all))
})
