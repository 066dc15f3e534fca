import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, waits } from '#testing/definitions.ts'
import { brief, type EventStream, openEventStream, type StreamEvent } from '#testing/event-stream.ts'
import { asks, startGate } from '#testing/gate.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const executionsPath = '/api/v1/workflows/executions'

async function start(body: string, input: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  return (await account.send('POST', `/api/v1/workflows/${id}/execute`, { input }, headers)).body.id
}

const act = (id: string, what: string) => account.send('POST', `${executionsPath}/${id}/${what}`, undefined, { prefer: 'wait=10' })

function open(id: string, lastEventId?: string, url = server.url): Promise<EventStream> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  return openEventStream(`${url}${executionsPath}/${id}/stream`, { authorization: `Bearer ${account.token}`, ...headers })
}

const pure = `do:
  - one: { set: { a: 1 } }
  - two: { set: { a: '\${ .a + 1 }' } }
`

const isTask = (name: string, state: string) => (event: StreamEvent) => brief(event) === `task ${name} ${state}`

describe('the stream of an execution', () => {
  test('a stream sends states and tasks as they happen, and closes after the end', async () => {
    await using gate = await startGate()
    const id = await start(asks(gate.url, ['a', 'b']))
    await using stream = await open(id)
    expect((await stream.until(isTask('a', 'running'))).map(brief)).toEqual(['state running', 'task a running'])
    await gate.called(1)
    gate.letGo()
    expect((await stream.until(isTask('b', 'running'))).map(brief)).toEqual(['task a completed', 'task b running'])
    await gate.called(2)
    gate.letGo()
    expect((await stream.rest()).map(brief)).toEqual(['task b completed', 'state completed', 'end completed'])
  })

  test('the stream of an ended execution sends everything at once, equal to the stored execution', async () => {
    const id = await start(pure, { start: true }, { prefer: 'wait=10' })
    await using stream = await open(id)
    const events = await stream.rest()
    expect(events.map(brief)).toEqual(['task one completed', 'task two completed', 'state completed', 'end completed'])
    const { body } = await account.send('GET', `${executionsPath}/${id}`)
    expect(events.slice(0, 2).map(({ data }) => data)).toEqual(body.timeline)
    const { timeline, timelineNextCursor, ...execution } = body
    expect(events.at(-1)?.data).toEqual(execution)
    expect([timeline.length, timelineNextCursor]).toEqual([2, null])
  })

  test('a stream has the headers that stop proxies from caching or changing it, and those of every response', async () => {
    const id = await start(pure, {}, { prefer: 'wait=10' })
    await using stream = await open(id)
    await stream.rest()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('content-encoding')).toBeNull()
    expect(stream.headers.get('x-request-id')).toMatch(/./)
    expect(stream.headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
    expect(stream.text()).toMatch(/^retry: \d+\n\n/)
  })

  test('a stream sends that an execution waits, is suspended and is resumed', async () => {
    const id = await start(waits)
    await using stream = await open(id)
    const isState = (state: string) => (event: StreamEvent) => brief(event) === `state ${state}`
    await stream.until(isTask('sleep', 'waiting'))
    await act(id, 'suspend')
    expect((await stream.until(isState('suspended'))).map(brief).at(-1)).toBe('state suspended')
    await account.send('POST', `${executionsPath}/${id}/resume`)
    expect((await stream.until(isState('waiting'))).map(brief).at(-1)).toBe('state waiting')
    await act(id, 'cancel')
    expect((await stream.rest()).map(brief).slice(-3)).toEqual(['task sleep cancelled', 'state cancelled', 'end cancelled'])
  })

  test('the stream of a faulted execution sends the error', async () => {
    const id = await start(`do: [{ no: { raise: { error: { type: 'https://t.test/no', status: 400, title: No } } } }]\n`)
    await using stream = await open(id)
    const events = await stream.rest()
    expect(events.map(brief).slice(-3)).toEqual(['task no faulted', 'state faulted', 'end faulted'])
    expect(events.at(-1)?.data.error).toMatchObject({ title: 'No' })
  })

  test('a stream replaces large values by references', async () => {
    const id = await start(`do: [{ grow: { set: { a: '\${ [range(20000)] }' } } }]\n`, {}, { prefer: 'wait=10' })
    await using stream = await open(id)
    // Where the computation outlasts its turn, an event before says that the task runs.
    const task = (await stream.rest()).find((event) => brief(event) === 'task grow completed')
    expect(task?.data).not.toHaveProperty('output')
    const { body } = await account.send('GET', task?.data.outputReference.href)
    expect(body.timeline[0].output.a).toHaveLength(20_000)
  })
})

describe('a stream that continues', () => {
  test('a stream that resumes after any event sends exactly the later events', async () => {
    const id = await start(
      `do:
  - each:
      for: { each: item, in: '[1, 2, 3]' }
      do:
        - nap: { wait: { milliseconds: 1 } }
        - double: { set: { doubled: '\${ $item * 2 }' } }
  - both: { fork: { branches: [ { left: { wait: { milliseconds: 2 } } }, { right: { wait: { milliseconds: 1 } } } ] } }
`,
      {},
      { prefer: 'wait=10' },
    )
    await using whole = await open(id)
    const events = await whole.rest()
    expect(events.length).toBeGreaterThan(15)
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
    for (const [index, event] of events.slice(0, -1).entries()) {
      await using again = await open(id, event.id)
      expect(await again.rest()).toEqual(events.slice(index + 1))
    }
  })

  test('a stream that resumes in another process omits nothing and repeats nothing', async () => {
    await using gate = await startGate()
    const second = await server.startSecond()
    const id = await start(asks(gate.url, ['a', 'b', 'c']))
    const stream = await open(id)
    const seen = await stream.until(isTask('a', 'running'))
    await stream.close()
    await gate.called(1)
    gate.letGo()
    await gate.called(2)
    gate.letGo()
    await gate.called(3)
    await using other = await open(id, seen.at(-1)?.id, second.url)
    expect((await other.until(isTask('c', 'running'))).map(brief)).toEqual([
      'task a completed',
      'task b running',
      'task b completed',
      'task c running',
    ])
    gate.letGo()
    expect((await other.rest()).map(brief)).toEqual(['task c completed', 'state completed', 'end completed'])
  })

  test('a stream reads its position from the query when the header is absent', async () => {
    const id = await start(pure, {}, { prefer: 'wait=10' })
    await using whole = await open(id)
    const [first] = await whole.rest()
    const url = `${server.url}${executionsPath}/${id}/stream?lastEventId=${first?.id}`
    await using stream = await openEventStream(url, { authorization: `Bearer ${account.token}` })
    expect((await stream.rest()).map(brief)).toEqual(['task two completed', 'state completed', 'end completed'])
  })

  test('a stream that resumes after its end sends only the end again', async () => {
    const id = await start(pure, {}, { prefer: 'wait=10' })
    await using whole = await open(id)
    const last = (await whole.rest()).at(-1)
    await using stream = await open(id, last?.id)
    expect(await stream.rest()).toEqual([last])
  })

  test.each(['x', '1-2', '1-2-unknown', '-1-2-running', '99999999999-1-running'])(
    'a stream refuses the position %s',
    async (lastEventId) => {
      const id = await start(pure, {}, { prefer: 'wait=10' })
      const answer = await account.send('GET', `${executionsPath}/${id}/stream`, undefined, { 'last-event-id': lastEventId })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'request_invalid', errors: [{ pointer: '/last-event-id', in: 'header' }] },
      })
    },
  )
})

describe('a stream', () => {
  test('the stream of an execution of another account is a 404', async () => {
    const id = await start(waits)
    const other = await server.registerAccount()
    expect(await other.send('GET', `${executionsPath}/${id}/stream`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('a stream accepts its credential only in the header', async () => {
    const id = await start(waits)
    await using stream = await openEventStream(`${server.url}${executionsPath}/${id}/stream`, {})
    expect(stream.status).toBe(401)
  })

  test('an idle stream holds no database connection', async () => {
    const ids = await Promise.all(Array.from({ length: 24 }, () => start(waits)))
    const streams = await Promise.all(ids.map((id) => open(id)))
    try {
      await Promise.all(streams.map((stream) => stream.next()))
      expect((await account.send('GET', '/api/v1/workflows')).status).toBe(200)
    } finally {
      await Promise.all(streams.map((stream) => stream.close()))
    }
  })
})
