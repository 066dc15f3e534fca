import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Write } from '#durable/ports/journal.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { acceptOf, completed, entryOf, headOf, openParts, type PostgresParts, testAccount, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'

let database: EngineDatabase
let parts: PostgresParts
beforeAll(async () => {
  database = await createEngineDatabase()
  parts = await openParts(database)
})
afterAll(() => database[Symbol.asyncDispose]())

async function running(): Promise<ExecutionHead> {
  const head = headOf()
  await parts.journal.write(acceptOf(head, true))
  return head
}

const write = (head: ExecutionHead, more: Partial<Write>) => parts.journal.write(writeOf(head, more))
const waits = (more: Partial<NonNullable<Write['waits']>>) => ({ waits: { opened: [], closed: [], consumed: [], ...more } })
const replyOf = async ({ id }: ExecutionHead) => (await parts.store.find(testAccount, id))?.reply

async function openWaits({ id }: ExecutionHead): Promise<readonly unknown[]> {
  const { rows } = await database.pool.query(`select position, topic, arguments from waits where execution_id = $1 order by position`, [id])
  return rows
}

async function sendTo({ id }: ExecutionHead, position: string, value: Json): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into messages (account_id, execution_id, position, value) values ($1, $2, $3, $4::json) returning id::text`,
    [testAccount, id, position, JSON.stringify(value)],
  )
  return rows[0]?.id ?? ''
}

describe('a reply', () => {
  test.each<readonly [string, Json]>([
    ['an object', { ok: true, text: 'é\u0000😀' }],
    ['text', 'done'],
    ['null', null],
    ['false', false],
  ])('a reply can be read before its execution ends: %s', async (_what, body) => {
    const head = await running()
    expect(await replyOf(head)).toBeUndefined()
    await write(head, { reply: { body } })
    expect(await parts.store.find(testAccount, head.id)).toMatchObject({ state: 'running', reply: { body } })
  })

  test('the first reply stays, whatever replies follow, the one with the end included', async () => {
    const head = await running()
    await write(head, { reply: { body: 'first' } })
    await write(head, { reply: { body: 'second' } })
    await write(head, { reply: { body: 'third' }, progress: completed({ output: 1 }) })
    expect(await parts.store.find(testAccount, head.id)).toMatchObject({
      state: 'completed',
      output: { output: 1 },
      reply: { body: 'first' },
    })
  })

  test('a null reply is not replaced by a later one', async () => {
    const head = await running()
    await write(head, { reply: { body: null } })
    await write(head, { reply: { body: 'second' } })
    expect(await replyOf(head)).toEqual({ body: null })
  })

  test('a reply can be in the same write as the acceptance and the end', async () => {
    const head = headOf()
    await parts.journal.write(acceptOf(head, true, { reply: { body: [1] }, progress: completed(null) }))
    expect(await replyOf(head)).toEqual({ body: [1] })
  })

  test('each of many replies in one batch goes to its own execution', async () => {
    const heads = await Promise.all(Array.from({ length: 20 }, running))
    await Promise.all(heads.map((head, body) => write(head, { reply: { body } })))
    expect(await Promise.all(heads.map(replyOf))).toEqual(heads.map((_head, body) => ({ body })))
  })
})

describe('a wait', () => {
  const approval = { position: '/do/0/ask', topic: 'approve', arguments: { to: ['ann@a.test'], text: '\u0000' } }

  test('a wait is open, with its arguments, until it is closed', async () => {
    const head = await running()
    await write(head, waits({ opened: [approval, { ...approval, position: '/do/1/ask' }] }))
    expect(await openWaits(head)).toEqual(
      ['/do/0/ask', '/do/1/ask'].map((position) => ({ position, topic: 'approve', arguments: JSON.stringify(approval.arguments) })),
    )
    await write(head, waits({ closed: ['/do/0/ask'] }))
    expect(await openWaits(head)).toMatchObject([{ position: '/do/1/ask' }])
  })

  test('a wait that is opened again after a crash has one row', async () => {
    const head = await running()
    await write(head, waits({ opened: [approval] }))
    await write(head, waits({ opened: [approval] }))
    expect(await openWaits(head)).toHaveLength(1)
  })

  test('a wait that opened and closed in one write is not open', async () => {
    const head = await running()
    await write(head, waits({ opened: [approval], closed: [approval.position] }))
    expect(await openWaits(head)).toEqual([])
  })

  test('a wait is not closed by another execution at the same position', async () => {
    const [one, other] = [await running(), await running()]
    await Promise.all([write(one, waits({ opened: [approval] })), write(other, waits({ opened: [approval] }))])
    await write(one, waits({ closed: [approval.position] }))
    expect([await openWaits(one), await openWaits(other)]).toMatchObject([[], [{ position: approval.position }]])
  })
})

describe('messages', () => {
  test('messages that were journalled are deleted, and others of the same wait stay', async () => {
    const head = await running()
    const [taken, left] = [await sendTo(head, '/do/0/hear', 1), await sendTo(head, '/do/0/hear', 2)]
    await write(head, { entries: [entryOf(0, { kind: 'message', value: 1 })], ...waits({ consumed: [taken] }) })
    expect(await parts.store.messages(head.id)).toEqual([{ id: left, position: '/do/0/hear', value: 2 }])
  })

  test('messages of a wait that ends are deleted, and those of other waits stay', async () => {
    const head = await running()
    await sendTo(head, '/do/0/hear', 1)
    const left = await sendTo(head, '/do/1/hear', 2)
    await write(head, waits({ closed: ['/do/0/hear'] }))
    expect(await parts.store.messages(head.id)).toEqual([{ id: left, position: '/do/1/hear', value: 2 }])
  })

  test('messages stay if the write that consumes them is refused', async () => {
    const head = await running()
    await write(head, { entries: [entryOf(0)] })
    const message = await sendTo(head, '/do/0/hear', 1)
    await expect(write(head, { entries: [entryOf(0)], ...waits({ consumed: [message], closed: ['/do/0/hear'] }) })).rejects.toThrow(
      /duplicate key/,
    )
    expect(await parts.store.messages(head.id)).toEqual([{ id: message, position: '/do/0/hear', value: 1 }])
  })
})

test('events are inserted for the account of their execution, with the write that publishes them', async () => {
  const account = newUuid()
  const [one, other] = [headOf({ accountId: account }), headOf()]
  const event = (id: string) => ({ specversion: '1.0', id, source: '/beside', type: 'published' })
  await Promise.all([
    parts.journal.write(acceptOf(one, true, { events: [event('a'), event('b')] })),
    parts.journal.write(acceptOf(other, true, { events: [event('a')] })),
  ])
  const { rows } = await database.pool.query(
    `select account_id, event_id from events where source = '/beside' order by account_id = $1, event_id`,
    [testAccount],
  )
  expect(rows).toEqual([
    { account_id: account, event_id: 'a' },
    { account_id: account, event_id: 'b' },
    { account_id: testAccount, event_id: 'a' },
  ])
})
