import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer } from '#testing/server.ts'
import { eventsMax } from './model.ts'

test('the last events that a session takes can be sent again, and no further one', async () => {
  const server = await createTestServer()
  try {
    const account = await server.registerAccount()
    const { id: sessionId } = (await account.send('POST', '/api/v1/livecapture/session/start', { name: 'Order a chair' })).body
    const session = fromTypeId('cap', sessionId) ?? ''
    await sql`
      insert into capture_events (session_id, account_id, sequence, event)
      select ${session}, ${account.accountId}, n, jsonb_build_object('sequence', n, 'at', '2026-01-05T09:00:00Z', 'kind', 'click') from generate_series(1, ${eventsMax - 2}) n`.execute(
      server.database.system,
    )
    const click = (sequence: number) => ({ sequence, at: '2026-01-05T09:00:00Z', kind: 'click', label: 'Buy' })
    const send = (...sequences: number[]) => account.send('POST', '/api/v1/livecapture/events', { sessionId, events: sequences.map(click) })
    expect((await send(eventsMax - 1, eventsMax)).body).toMatchObject({ accepted: 2, known: 0 })
    expect((await send(eventsMax - 1, eventsMax)).body).toMatchObject({ accepted: 0, known: 2 })
    expect((await send(eventsMax, eventsMax + 1)).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await account.send('GET', `/api/v1/livecapture/session/${sessionId}`)).body.events).toBe(eventsMax)
  } finally {
    await server.close()
  }
})
