import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { startGate } from '#testing/gate.ts'
import { startServerProcess } from '#testing/server-process.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

const prefix = 'io.serverlessworkflow.'

test('a subscription receives all lifecycle events, signed, when the server is killed in the middle', async () => {
  await using receiver = await startWebhookReceiver()
  await using gate = await startGate()
  await using db = await createTestDatabase()
  await using first = await startServerProcess({ DATABASE_URL: db.url })
  const credentials = { email: 'listener@example.com', password: 'a rather unusual phrase 4711' }
  const { accessToken: token } = await createClient({ baseUrl: first.url, groups }).auth.register({ body: credentials })
  const client = createClient({ baseUrl: first.url, groups, token })
  const subscription = await client.eventSubscriptions.create({ body: { name: 'x', url: receiver.url, types: [`${prefix}*`] } })
  const webhook = new Webhook(subscription.secret)
  /** The lifecycle events of an execution without repetitions, by their time. */
  const receivedOf = (subject: string) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A CloudEvent, or nothing of what is expected is found.
    const events = receiver.received.map(({ body, headers }) => webhook.verify(body, headers) as ToldEvent)
    const once = new Map(events.filter((event) => event.subject === subject).map((event) => [event.id, event]))
    return [...once.values()].map(({ type, data }) => `${data.task ?? ''} ${type.slice(prefix.length, -'.v1'.length)}`.trim()).toSorted()
  }
  // The server reads the subscribers periodically.
  const greeting = await client.workflows.create({ body: { definition: documentOf(greets) } })
  const heard = async () => {
    await client.workflows.execute({ params: { id: greeting.id }, body: { input: { name: 'Ada' } } })
    return receiver.received.length
  }
  await expect.poll(heard, { interval: 200 }).toBeGreaterThan(0)

  const asks = (name: string) => `  - ${name}: { call: http, with: { method: get, endpoint: { uri: '${gate.url}/${name}' } } }\n`
  const definition = documentOf(`do:\n${asks('a')}  - nap: { wait: { milliseconds: 20 } }\n${asks('b')}  - end: { set: { done: true } }\n`)
  const { id } = await client.workflows.create({ body: { definition } })
  const execution = await client.workflows.execute({ params: { id } })
  await gate.called(1)
  gate.letGo()
  await gate.called(2)
  await first.kill()
  await using _second = await startServerProcess({ DATABASE_URL: db.url })
  await gate.called(3)
  gate.letGo()
  gate.letGo()
  // The end of the claim, after a minute.
  await sql`update event_deliveries set due_at = now(), claimed_until = null where claimed_until is not null`.execute(db.database.system)
  const tasks = ['/do/0/a', '/do/1/nap', '/do/2/b', '/do/3/end']
  const expected = [
    ...tasks.flatMap((task) => ['created', 'started', 'completed'].map((what) => `${task} task.${what}`)),
    'workflow.started',
    'workflow.completed',
  ].toSorted()
  await expect.poll(() => receivedOf(execution.id)).toEqual(expected)
  const left = async () => (await sql`select from event_deliveries where state <> 'delivered'`.execute(db.database.system)).rows.length
  await expect.poll(left).toBe(0)
  expect(receivedOf(execution.id)).toEqual(expected)
})

interface ToldEvent {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly data: { readonly task?: string }
}
