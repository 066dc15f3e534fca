import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** Runs a workflow to its end, or for a second, and gives the id of its execution. */
async function executed(account: TestAccount, body: string, input: object = {}, wait = 10): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  return (await account.send('POST', `/api/v1/workflows/${id}/execute`, { input }, { prefer: `wait=${wait}` })).body.id
}

const read = (account: TestAccount, id: string, query = '') => account.send('GET', `/api/v1/workflows/executions/${id}${query}`)

const loops = `do:
  - each:
      for: { each: item, in: '\${ .items }' }
      do:
        - double: { set: { doubled: '\${ $item * 2 }' } }
`

describe('an execution', () => {
  test('a timeline shows each task in order, with input and output', async () => {
    const account = await server.registerAccount()
    const id = await executed(account, `do:\n  - one: { set: { a: 1 } }\n  - two: { set: { a: '\${ .a + 1 }' } }\n`, { start: true })
    const { status, body } = await read(account, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, state: 'completed', input: { start: true }, output: { a: 2 }, timelineNextCursor: null })
    expect(body.timeline).toMatchObject([
      {
        reference: '/do/0/one',
        name: 'one',
        kind: 'set',
        iteration: [],
        attempt: 1,
        state: 'completed',
        input: { start: true },
        output: { a: 1 },
      },
      { reference: '/do/1/two', name: 'two', kind: 'set', state: 'completed', input: { a: 1 }, output: { a: 2 } },
    ])
    for (const entry of body.timeline) expect(Date.parse(entry.endedAt)).toBeGreaterThanOrEqual(Date.parse(entry.startedAt))
  })

  test('a timeline distinguishes the iterations of a loop', async () => {
    const account = await server.registerAccount()
    const id = await executed(account, loops, { items: [1, 2, 3] })
    const { body } = await read(account, id, '?task=/do/0/each/do/0/double')
    expect(body.timeline.map((entry: { iteration: number[]; output: object }) => [entry.iteration, entry.output])).toEqual([
      [[0], { doubled: 2 }],
      [[1], { doubled: 4 }],
      [[2], { doubled: 6 }],
    ])
  })

  test('a timeline distinguishes the attempts of a retry, with the error of each', async () => {
    const account = await server.registerAccount()
    const id = await executed(
      account,
      `do:
  - guarded:
      try:
        - call: { raise: { error: { type: 'https://example.com/errors/busy', status: 503, title: Busy } } }
      catch:
        retry: { delay: { milliseconds: 1 }, limit: { attempt: { count: 2 } } }
`,
    )
    const { body } = await read(account, id, '?task=/do/0/guarded/try/0/call')
    expect(body.state).toBe('faulted')
    expect(
      body.timeline.map((entry: { attempt: number; state: string; error: { title: string } }) => [
        entry.attempt,
        entry.state,
        entry.error.title,
      ]),
    ).toEqual([
      [1, 'faulted', 'Busy'],
      [2, 'faulted', 'Busy'],
      [3, 'faulted', 'Busy'],
    ])
  })

  test('a faulted execution contains the error and the task that raised it', async () => {
    const account = await server.registerAccount()
    const { body } = await read(account, await executed(account, fails))
    expect(body).toMatchObject({ state: 'faulted', error: { title: 'Out of stock', instance: '/do/0/refuse' } })
    expect(body.timeline).toMatchObject([{ name: 'refuse', state: 'faulted', error: { title: 'Out of stock' } }])
    expect(body).not.toHaveProperty('output')
  })

  test('a parked execution shows the task that waits', async () => {
    const account = await server.registerAccount()
    const { body } = await read(account, await executed(account, waits, {}, 1))
    expect(body).toMatchObject({
      state: 'waiting',
      endedAt: null,
      timeline: [{ name: 'sleep', kind: 'wait', state: 'waiting', endedAt: null, waitsFor: { what: 'time', until: expect.any(String) } }],
    })
  })

  test('a task that waits beyond the last time that can be written has none', async () => {
    const account = await server.registerAccount()
    const { status, body } = await read(account, await executed(account, 'do: [{ sleep: { wait: P280000Y } }]\n', {}, 1))
    expect([status, body.timeline]).toMatchObject([200, [{ name: 'sleep', state: 'waiting' }]])
    expect(body.timeline[0].waitsFor).toEqual({ what: 'time' })
  })

  test.each([
    ['a time', waits, { what: 'time', until: expect.any(String) }],
    ['an event', 'do: [{ receive: { listen: { to: { one: { with: { type: t } } } } } }]', { what: 'event', task: 'receive' }],
    [
      'a decision before the event',
      `do:
  - both:
      fork:
        branches:
          - receive: { listen: { to: { one: { with: { type: t } } } } }
          - ask: { call: approve, with: { title: 'Right?', approvers: [{ role: owner }], excludeStarter: false } }
`,
      { what: 'decision', task: 'ask' },
    ],
  ])('lists say that a parked execution waits for %s', async (_what, body, waitsFor) => {
    const account = await server.registerAccount()
    const id = await executed(account, body, {}, 1)
    await expect
      .poll(async () => (await account.client.executions.search({ query: {} })).data[0])
      .toMatchObject({ id, state: 'waiting', waitsFor })
    await account.send('POST', `/api/v1/workflows/executions/${id}/cancel`)
    await expect.poll(async () => (await account.client.executions.search({ query: {} })).data[0]?.state).toBe('cancelled')
    expect((await account.client.executions.search({ query: {} })).data[0]).not.toHaveProperty('waitsFor')
  })

  test('lists say that a parked execution waits for another one', async () => {
    const account = await server.registerAccount()
    await account.client.workflows.create({ body: { definition: documentOf(waits, 'child') } })
    const id = await executed(account, 'do: [{ other: { run: { workflow: { namespace: tests, name: child, version: latest } } } }]', {}, 1)
    const found = async () => (await account.client.executions.search({ query: {} })).data.find((one) => one.id === id)
    await expect.poll(found).toMatchObject({ state: 'waiting', waitsFor: { what: 'execution' } })
  })

  test('a timeline shows tasks with a false condition as skipped', async () => {
    const account = await server.registerAccount()
    const { body } = await read(
      account,
      await executed(account, `do:\n  - never: { if: '\${ false }', set: { a: 1 } }\n  - always: { set: { b: 1 } }\n`),
    )
    expect(body.timeline).toMatchObject([
      { name: 'never', state: 'skipped' },
      { name: 'always', state: 'completed' },
    ])
  })

  test('an execution runs the version that it was started with, also after a later publication', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'pinned') } })
    const { body: started } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'A' } }, { prefer: 'wait=5' })
    await account.client.workflows.update({ params: { id }, body: { definition: documentOf(loops, 'pinned') } })
    expect((await read(account, started.id)).body).toMatchObject({ workflowVersion: 1, timeline: [{ name: 'greet' }] })
  })
})

describe('a large value', () => {
  const large = 'x'.repeat(20_000)

  test('a large value is replaced by a reference whose URL returns it', async () => {
    const account = await server.registerAccount()
    const id = await executed(account, `do:\n  - small: { set: { a: 1 } }\n  - keep: { set: '\${ $workflow.input }' }\n`, { large })
    const { body } = await read(account, id)
    expect(body).not.toHaveProperty('input')
    const bytes = JSON.stringify({ large }).length
    expect(body.inputReference).toMatchObject({ bytes })
    expect(body.outputReference).toMatchObject({ bytes })
    expect((await account.send('GET', body.outputReference.href)).body.output).toEqual({ large })
    const [small, keep] = body.timeline
    expect(small.output).toEqual({ a: 1 })
    const followed = await account.send('GET', keep.outputReference.href)
    expect(followed.body.timeline).toMatchObject([{ name: 'keep', output: { large } }])
  })

  test('the URL of a large value finds it among many iterations', async () => {
    const account = await server.registerAccount()
    const id = await executed(
      account,
      loops.replace("set: { doubled: '${ $item * 2 }' }", "set: { big: '${ \"x\" * 20000 }', item: '${ $item }' }"),
      {
        items: [1, 2, 3],
      },
    )
    const { body } = await read(account, id, '?task=/do/0/each/do/0/double')
    const hrefs: string[] = body.timeline.map((entry: { outputReference: { href: string } }) => entry.outputReference.href)
    const items = await Promise.all(hrefs.map(async (href) => (await account.send('GET', href)).body.timeline[0].output.item))
    expect(items).toEqual([1, 2, 3])
  })

  test('a large value is inline on request', async () => {
    const account = await server.registerAccount()
    const { body } = await read(account, await executed(account, greets, { name: large }), '?values=inline')
    expect(body.input).toEqual({ name: large })
    expect(body).not.toHaveProperty('inputReference')
  })
})

describe('the timeline', () => {
  test('the pages of a timeline contain every entry once', async () => {
    const account = await server.registerAccount()
    const id = await executed(account, loops, { items: [1, 2, 3, 4, 5, 6] })
    const whole = (await read(account, id)).body.timeline
    const paged: unknown[] = []
    let cursor: string | null = null
    do {
      const { body }: { body: { timeline: unknown[]; timelineNextCursor: string | null } } = await read(
        account,
        id,
        `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      )
      expect(body.timeline.length).toBeLessThanOrEqual(2)
      paged.push(...body.timeline)
      cursor = body.timelineNextCursor
    } while (cursor !== null)
    expect(paged).toEqual(whole)
    expect(whole).toHaveLength(7)
  })

  test.each(['?limit=0', '?limit=1001', '?values=none', '?cursor=nonsense', '?colour=red'])('refuses %s', async (query) => {
    const account = await server.registerAccount()
    const id = await executed(account, greets, { name: 'A' })
    expect(await read(account, id, query)).toMatchObject({ status: 400, body: { code: 'request_invalid' } })
  })
})

describe('an unknown execution', () => {
  test('an id that is unknown, of another kind or of another account is a 404', async () => {
    const [owner, other] = [await server.registerAccount(), await server.registerAccount()]
    const id = await executed(owner, greets, { name: 'A' })
    const { id: workflowId } = (await owner.client.workflows.list()).data[0] ?? { id: '' }
    for (const wrong of ['exec_01jd0000000000000000000000', 'exec_01h455vb4pex5vsknk084sn02q', workflowId, 'nonsense'])
      expect(await read(owner, wrong)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await read(other, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await read(owner, id)).status).toBe(200)
  })
})

test('the summary counts the entries of each task by state over all iterations, and bounds their times', async () => {
  const account = await server.registerAccount()
  const body = `do: [{ loop: { for: { in: '\${ [1, 2, 3] }' }, do: [{ odd: { if: '\${ $item != 2 }', set: { n: '\${ $item }' } } }] } }]\n`
  const { body: found } = await read(account, await executed(account, body), '?view=summary')
  expect([found.state, found.timeline]).toEqual(['completed', []])
  expect(found.tasks.map(({ name, states }: { name: string; states: object }) => [name, states])).toEqual([
    ['loop', { completed: 1 }],
    ['odd', { completed: 2, skipped: 1 }],
  ])
  for (const task of found.tasks) {
    expect(task.medianMs).toBeGreaterThanOrEqual(0)
    expect(Date.parse(task.lastEndedAt)).toBeGreaterThanOrEqual(Date.parse(task.firstStartedAt))
  }
})
