import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { fromTypeId } from '#platform/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/triggers'
const echoes = 'do:\n  - echo: { set: { got: "${ . }" } }\n'

async function workflowOf(account: TestAccount, body = echoes): Promise<string> {
  return (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
}

async function executionsOf(account: TestAccount, workflowId: string) {
  return (await account.send('GET', `/api/v1/workflows/${workflowId}/executions?limit=100`)).body.data
}

/** Makes a schedule due at a time in the past. */
async function makeDue(id: string, secondsAgo: number): Promise<void> {
  await sql`update triggers set next_at = now() - make_interval(secs => ${secondsAgo}) where id = ${fromTypeId('trg', id)}`.execute(
    server.database.system,
  )
}

describe('schedules', () => {
  test('a preview gives the next times in local time and UTC, with the policy for daylight saving', async () => {
    const account = await server.registerAccount()
    const schedule = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' }
    const { status, body } = await account.send('POST', `${path}/schedule/preview`, { schedule, count: 2, after: '2026-03-28T12:00:00Z' })
    expect(status).toBe(200)
    expect(body).toEqual({
      timeZone: 'Europe/Berlin',
      times: [
        { utc: '2026-03-29T01:00:00.000Z', local: '2026-03-29T03:00:00+02:00' },
        { utc: '2026-03-30T00:30:00.000Z', local: '2026-03-30T02:30:00+02:00' },
      ],
    })
  })

  test.each([
    ['an expression that is never due', { cron: '0 0 31 2 *' }, '/schedule/cron'],
    ['an expression of four fields', { cron: '0 0 * *' }, '/schedule/cron'],
    ['an unknown field', { cron: '99 * * * *' }, '/schedule/cron'],
    ['an unknown zone', { cron: '* * * * *', timeZone: 'Mars/Olympus' }, '/schedule/timeZone'],
    ['an offset as a zone', { cron: '* * * * *', timeZone: '+01:00' }, '/schedule/timeZone'],
    ['no kind', {}, '/schedule'],
    ['two kinds', { cron: '* * * * *', every: 'PT1M' }, '/schedule'],
    ['a short interval', { every: 'PT0.5S' }, '/schedule/every'],
    ['a rule of every second', { rrule: 'FREQ=SECONDLY', start: '2026-01-01T00:00:00' }, '/schedule/rrule'],
    ['a rule without a start', { rrule: 'FREQ=DAILY' }, '/schedule/start'],
    ['a rule that is never due', { rrule: 'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30', start: '1970-01-01T00:00:00' }, '/schedule/rrule'],
    [
      'a rule of very many times',
      { rrule: `FREQ=YEARLY;BYDAY=MO,TU;BYHOUR=${[...Array(24).keys()].join(',')}`, start: '2026-01-01T00:00:00' },
      '/schedule/rrule',
    ],
    ['a past date', { at: '2020-01-01T00:00:00' }, '/schedule/at'],
    ['a date that does not exist', { at: '2027-02-30T00:00:00' }, '/schedule/at'],
  ])('%s is refused with its place', async (_case, schedule, pointer) => {
    const account = await server.registerAccount()
    const { body } = await account.send('POST', `${path}/schedule/preview`, { schedule })
    expect(body).toMatchObject({ status: 422, code: 'schedule_invalid', errors: [{ pointer }] })
  })

  test('a due time starts exactly one execution while two servers run, also if the process dies after the start', async () => {
    const second = await server.startSecond()
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const schedule = { cron: '0 0 1 1 *' }
    const ids: string[] = []
    for (let index = 0; index < 20; index++)
      ids.push((await account.send('POST', `${path}/schedule`, { workflowId, name: `s${index}`, schedule, input: { index } })).body.id)
    await Promise.all(ids.map((id) => makeDue(id, 5)))
    await expect.poll(async () => (await executionsOf(account, workflowId)).length).toBe(20)
    const [id = ''] = ids
    const { body } = await account.send('GET', `${path}/${id}`)
    expect(body).toMatchObject({ failures: 0, lastError: null, schedule: { nextAt: expect.stringMatching(/-01-01T00:00:00.000Z$/) } })
    // What a process leaves that dies between the start and its record: the firing is still there.
    const { rows } = await sql<{ at: Date; trigger_id: string; account_id: string }>`
      select last_fired_at as at, id as trigger_id, account_id from triggers where id = ${fromTypeId('trg', id)}`.execute(
      server.database.system,
    )
    const [trigger] = rows
    const { rows: keys } = await sql<{ key: string }>`
      select key from execution_keys where account_id = ${account.accountId} and key like ${`trigger:${trigger?.trigger_id}:%`}`.execute(
      server.database.system,
    )
    const cause = keys[0]?.key.split(':').slice(2).join(':')
    await sql`
      insert into trigger_firings (id, account_id, trigger_id, cause, due_at, ready_at)
      values (gen_random_uuid(), ${trigger?.account_id}, ${trigger?.trigger_id}, ${cause}, now(), now())`.execute(server.database.system)
    await expect
      .poll(
        async () =>
          (await sql`select from trigger_firings where account_id = ${account.accountId}`.execute(server.database.system)).rows.length,
      )
      .toBe(0)
    const runs = await executionsOf(account, workflowId)
    expect(runs).toHaveLength(20)
    expect(runs[0]).toMatchObject({ trigger: 'schedule' })
    await second.close()
  })

  test.each([
    ['skip', 0],
    ['once', 1],
    ['all', 3],
  ])('times that were missed follow the policy %s', async (missed, count) => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    // Due every hour, for the last time just now minus some minutes.
    const from = new Date(Date.now() - 30 * 60_000 - 10 * 3_600_000).toISOString()
    const { body } = await account.send('POST', `${path}/schedule`, {
      workflowId,
      name: missed,
      schedule: { every: 'PT1H', from, missed, missedMax: 3 },
    })
    await makeDue(body.id, 5.5 * 3_600)
    await expect
      .poll(async () => Date.parse((await account.send('GET', `${path}/${body.id}`)).body.schedule.nextAt) > Date.now())
      .toBe(true)
    await expect.poll(async () => (await executionsOf(account, workflowId)).length).toBe(count)
  })

  test('with the overlap policy skip a running execution prevents the next, and with cancel it is cancelled', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account, waits)
    const of = async (overlap: string) =>
      (await account.send('POST', `${path}/schedule`, { workflowId, name: overlap, schedule: { cron: '0 0 1 1 *', overlap } })).body.id
    const [skips, cancels] = [await of('skip'), await of('cancel')]
    const fired = async (id: string) => (await account.send('GET', `${path}/${id}`)).body.lastExecutionId
    for (const id of [skips, cancels]) {
      await makeDue(id, 2)
      await expect.poll(() => fired(id)).toMatch(/^exec_/)
    }
    const [first, before] = [await fired(skips), await fired(cancels)]
    for (const id of [skips, cancels]) await makeDue(id, 1)
    await expect.poll(() => fired(cancels)).not.toBe(before)
    await expect.poll(async () => (await account.send('GET', `/api/v1/workflows/executions/${before}`)).body.state).toBe('cancelled')
    expect(await fired(skips)).toBe(first)
  })

  test('after a toggle says disabled nothing starts, and enabling does not make up for the time', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const { body } = await account.send('POST', `${path}/schedule`, { workflowId, name: 'each second', schedule: { cron: '* * * * * *' } })
    await expect.poll(async () => (await executionsOf(account, workflowId)).length).toBeGreaterThan(0)
    const toggled = await account.send('PATCH', `${path}/schedule/${body.id}/toggle`, { enabled: false })
    expect(toggled.body).toMatchObject({ enabled: false, schedule: { nextAt: null } })
    const count = (await executionsOf(account, workflowId)).length
    const { body: other } = await account.send('POST', `${path}/schedule`, { workflowId, name: 'later', schedule: { cron: '* * * * * *' } })
    await expect.poll(async () => (await account.send('GET', `${path}/${other.id}`)).body.lastExecutionId).toMatch(/^exec_/)
    await account.send('DELETE', `${path}/${other.id}`)
    expect((await account.send('GET', `${path}/${body.id}`)).body.lastExecutionId).toBeTypeOf('string')
    const runs = await executionsOf(account, workflowId)
    const ofFirst = runs.length - count
    // Only the second schedule has started executions since.
    expect(ofFirst).toBeLessThanOrEqual(10)
    expect((await account.send('PATCH', `${path}/schedule/${body.id}/toggle`, {})).body.enabled).toBe(true)
    await account.send('DELETE', `${path}/${body.id}`)
  })
})

describe('schedules of definitions', () => {
  const scheduled = (schedule: string) => documentOf(`schedule: ${schedule}\n${echoes}`, 'scheduled')
  const triggersOf = async (account: TestAccount, id: string) => (await account.send('GET', `${path}/workflow/${id}`)).body.data

  test('publishing makes and replaces the triggers, and keeps one whose times are the same', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: scheduled('{ cron: 0 6 * * * }') } })
    const [cron] = await triggersOf(account, id)
    expect(cron).toMatchObject({ origin: 'definition', kind: 'schedule', enabled: true, schedule: { cron: '0 6 * * *', timeZone: 'UTC' } })
    await account.send('PATCH', `${path}/${cron.id}/toggle`, { enabled: false })
    expect((await account.send('DELETE', `${path}/${cron.id}`)).status).toBe(409)
    await account.send('PUT', `/api/v1/workflows/${id}`, { definition: scheduled('{ cron: 0 6 * * *, every: PT1H }') })
    const both = await triggersOf(account, id)
    expect(both).toHaveLength(2)
    expect(both[1]).toMatchObject({ id: cron.id, enabled: false })
    expect(both[0]).toMatchObject({ schedule: { every: 'PT3600S' }, enabled: true })
    await account.send('PUT', `/api/v1/workflows/${id}`, { enabled: false })
    expect(await triggersOf(account, id)).toEqual([])
    await account.send('PUT', `/api/v1/workflows/${id}`, { enabled: true })
    expect(await triggersOf(account, id)).toHaveLength(2)
    await account.send('DELETE', `/api/v1/workflows/${id}`)
    expect(await triggersOf(account, id)).toEqual([])
  })

  test('a time after the end starts the workflow again a second after each of its executions, which last a second', async () => {
    const account = await server.registerAccount()
    const definition = documentOf('schedule: { after: PT1S }\ndo:\n  - rest: { wait: PT1S }\n', 'after-the-end')
    const { id } = await account.client.workflows.create({ body: { definition } })
    expect((await triggersOf(account, id))[0]).toMatchObject({ schedule: { after: 'PT1S' } })
    await expect.poll(async () => (await executionsOf(account, id)).length).toBeGreaterThan(2)
    const times = (await executionsOf(account, id)).map(({ createdAt, endedAt }: { createdAt: string; endedAt: string | null }) => [
      Date.parse(createdAt),
      endedAt === null ? undefined : Date.parse(endedAt),
    ])
    for (const [index, [createdAt = 0]] of times.slice(0, -1).entries())
      expect(createdAt - (times[index + 1]?.[1] ?? Number.NaN)).toBeGreaterThanOrEqual(990)
  })

  test('an interval of a definition starts its workflow with an empty input', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: scheduled('{ every: PT1S }') } })
    await expect.poll(async () => (await executionsOf(account, id)).length).toBeGreaterThan(1)
    const [run] = await executionsOf(account, id)
    expect((await account.send('GET', `/api/v1/workflows/executions/${run.id}`)).body).toMatchObject({ input: {}, trigger: 'schedule' })
    await account.send('DELETE', `/api/v1/workflows/${id}`)
  })
})

describe('triggers', () => {
  test('fire starts the workflow with the input of the trigger, of the caller, or of the mapping', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const of = async (more: object) => (await account.send('POST', path, { workflowId, name: 'by hand', kind: 'manual', ...more })).body.id
    const inputOf = async (id: string, body: object) => {
      const { body: fired } = await account.send('POST', `${path}/${id}/fire`, body)
      return (await account.send('GET', `/api/v1/workflows/executions/${fired.executionId}`)).body.input
    }
    const plain = await of({ input: { a: 1 } })
    expect([await inputOf(plain, {}), await inputOf(plain, { input: [2] })]).toEqual([{ a: 1 }, [2]])
    expect(await inputOf(await of({ mapping: '{ doubled: (.input.n * 2) }', input: { n: 4 } }), {})).toEqual({ doubled: 8 })
  })

  test('the same idempotency key fires once, and a disabled trigger is not fired', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const { body } = await account.send('POST', path, { workflowId, name: 'by hand', kind: 'manual' })
    const fire = () => account.send('POST', `${path}/${body.id}/fire`, {}, { 'idempotency-key': 'once' })
    expect((await fire()).body.executionId).toBe((await fire()).body.executionId)
    await account.send('PATCH', `${path}/${body.id}/toggle`, {})
    expect((await account.send('POST', `${path}/${body.id}/fire`, {})).body).toMatchObject({ status: 409, code: 'trigger_disabled' })
  })

  test('a mapping is checked when it is given, and its failure is reported', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const of = (mapping: string) => account.send('POST', path, { workflowId, name: 'm', kind: 'manual', mapping })
    expect((await of('{ a: ')).body).toMatchObject({ status: 422, code: 'mapping_invalid', errors: [{ pointer: '/mapping' }] })
    expect((await of('$secrets')).body).toMatchObject({ code: 'mapping_invalid' })
    const { body } = await of('error("no order")')
    const fired = await account.send('POST', `${path}/${body.id}/fire`, {})
    expect(fired.body).toMatchObject({ status: 422, code: 'mapping_failed', detail: expect.stringContaining('no order') })
    const { body: silent } = await of('empty')
    const started = await account.send('POST', `${path}/${silent.id}/fire`, {})
    expect(started.body).toMatchObject({ status: 422, code: 'mapping_failed', detail: expect.stringContaining('gave no result') })
  })

  test('an event of a type that a trigger names starts its workflow once with the event', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    await account.send('POST', path, { workflowId, name: 'orders', kind: 'event', event: { types: ['com.example.order.*'] } })
    const event = { specversion: '1.0', id: '1', source: '/shop', type: 'com.example.order.paid', data: { total: 3 } }
    for (const type of ['com.example.other', 'com.example.order.paid'])
      await account.send('POST', '/api/v1/events', { ...event, id: type, type })
    await account.send('POST', '/api/v1/events', { ...event, id: 'com.example.order.paid' })
    await expect.poll(async () => (await executionsOf(account, workflowId)).length).toBe(1)
    const [run] = await executionsOf(account, workflowId)
    expect(run.trigger).toBe('event')
    expect((await account.send('GET', `/api/v1/workflows/executions/${run.id}`)).body.input).toMatchObject({
      type: event.type,
      data: { total: 3 },
    })
  })

  test('a workflow that emits the event that starts it ends after fifty executions in a row, with a notice', async () => {
    const account = await server.registerAccount()
    const emits = 'do:\n  - again:\n      emit: { event: { with: { type: loop.tick, source: https://loop.example.com } } }\n'
    const workflowId = await workflowOf(account, emits)
    const { body } = await account.send('POST', path, { workflowId, name: 'again', kind: 'event', event: { types: ['loop.tick'] } })
    const envelope = JSON.stringify({ specversion: '1.0', id: 'first', source: '/loop', type: 'loop.tick' })
    await sql`insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at, depth)
      values (gen_random_uuid(), ${account.accountId}, '/loop', 'first', 'loop.tick', ${envelope}::json, now(), now() + interval '1 hour', 47)`.execute(
      server.database.system,
    )
    const triggerOf = async () => (await account.send('GET', `${path}/${body.id}`)).body
    await expect.poll(async () => (await triggerOf()).lastError).toContain('50 executions in a row')
    expect(await executionsOf(account, workflowId)).toHaveLength(3)
    const { rows } = await sql<{ depth: number }>`
      select depth from executions where account_id = ${account.accountId} order by depth`.execute(server.database.system)
    expect(rows.map(({ depth }) => depth)).toEqual([48, 49, 50])
    const notifications = (await account.send('GET', '/api/v1/notifications')).body.data
    expect(notifications).toMatchObject([{ title: 'The trigger "again" was stopped in a loop' }])
  })

  test('a trigger that fails ten times in a row is paused with its reason, and enabling begins anew', async () => {
    const account = await server.registerAccount()
    const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(echoes), publish: false } })
    const { body } = await account.send('POST', path, { workflowId, name: 'orders', kind: 'event', event: { types: ['order'] } })
    const events = Array.from({ length: 10 }, (_, index) => ({ specversion: '1.0', id: String(index), source: '/shop', type: 'order' }))
    await account.send('POST', '/api/v1/events', events, { 'content-type': 'application/cloudevents-batch+json' })
    await expect.poll(async () => (await account.send('GET', `${path}/${body.id}`)).body.enabled).toBe(false)
    const paused = (await account.send('GET', `${path}/${body.id}`)).body
    expect(paused).toMatchObject({ failures: 10, pausedReason: expect.stringContaining('no published version') })
    const titles = async () => (await account.send('GET', '/api/v1/notifications')).body.data.map(({ title }: { title: string }) => title)
    expect(await titles()).toContain('The trigger "orders" was paused')
    const enabled = await account.send('PATCH', `${path}/${body.id}/toggle`, { enabled: true })
    expect(enabled.body).toMatchObject({ enabled: true, failures: 0, pausedReason: null })
    const reported = async () => {
      const { rows } = await sql<{ count: number }>`
        select coalesce(sum(count), 0)::int as count from notifications
        where account_id = ${account.accountId} and title = 'The trigger "orders" could not start its workflow'`.execute(
        server.database.system,
      )
      return rows[0]?.count ?? 0
    }
    const before = await reported()
    // The first failure in a row is reported, and the next one is not.
    for (const failures of [1, 2]) {
      await account.send('POST', '/api/v1/events', [{ specversion: '1.0', id: `again-${failures}`, source: '/shop', type: 'order' }], {
        'content-type': 'application/cloudevents-batch+json',
      })
      await expect.poll(async () => (await account.send('GET', `${path}/${body.id}`)).body.failures).toBe(failures)
      expect(await reported()).toBe(before + 1)
    }
  })

  test.each([
    ['a schedule without its member', { kind: 'schedule' }, '/schedule'],
    ['a manual trigger with a webhook', { kind: 'manual', webhook: {} }, '/webhook'],
    ['an event trigger without types', { kind: 'event' }, '/event'],
  ])('%s is refused', async (_case, given, pointer) => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    expect((await account.send('POST', path, { workflowId, name: 'x', ...given })).body).toMatchObject({
      status: 400,
      errors: [{ pointer }],
    })
  })

  test('a trigger cannot be made for a workflow of another account, and a viewer sees no URL', async () => {
    const [one, other] = [await server.registerAccount(), await server.registerAccount()]
    const workflowId = await workflowOf(one)
    expect((await other.send('POST', path, { workflowId, name: 'x', kind: 'manual' })).status).toBe(404)
    await one.send('POST', `${path}/webhook`, { workflowId, name: 'hook' })
    const { secret } = (await one.send('POST', '/api/v1/api-keys', { name: 'reader', scopes: ['triggers:read'] })).body
    const list = async (headers: Record<string, string>) => (await one.send('GET', path, undefined, headers)).body.data[0].webhook.url
    expect([await list({ authorization: `Bearer ${secret}` }), await list({})]).toEqual([null, expect.stringContaining('/hooks/')])
  })
})
