import { randomBytes, randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countEventDetails, listEventDetails } from '#modules/audit/index.ts'
import { createFiles } from '#platform/files/files.ts'
import { fromTypeId } from '#platform/ids.ts'
import { addMember } from '#testing/approvals.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { abandonReport, makeReport, type ReportMakerDeps } from './make-report.ts'
import { listStuckReports } from './report-store.ts'

/** It makes no report itself: the tests do. */
let server: TestServer
let files: ReturnType<typeof createFiles>
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_ROLES: 'api' })
  files = createFiles({ db: server.database.system, now: Date.now, newId: randomUUID, randomBytes })
})
afterAll(() => server.close())

const path = '/api/v1/privacy/persons/reports'
const value = 'Wilhelmina Plover'
const { signal } = new AbortController()

function makerOf(given: Partial<ReportMakerDeps> = {}): ReportMakerDeps {
  return {
    database: server.database,
    sealing: { open: () => Promise.resolve(Buffer.from(JSON.stringify([value]))) },
    files,
    accountFiles: {
      search: () => Promise.resolve({ matching: [], unreadable: [], unsearched: [] }),
      ofForm: () => Promise.resolve([]),
    },
    openFile: () => Promise.resolve(undefined),
    events: { count: countEventDetails, list: listEventDetails },
    policiesOf: () => Promise.resolve([]),
    maskOf: () => Promise.resolve(undefined),
    workflowName: () => Promise.resolve(undefined),
    now: Date.now,
    ...given,
  }
}

async function request(account: TestAccount) {
  const { status, body } = await account.send('POST', path, { values: [value] })
  expect(status, JSON.stringify(body)).toBe(200)
  const id = fromTypeId('pdr', body.id) ?? ''
  const read = async () => (await account.send('GET', `${path}/${body.id}`)).body
  return { id, name: body.id, read, make: (given?: Partial<ReportMakerDeps>) => makeReport(makerOf(given), account.accountId, id, signal) }
}

async function sendEvents(account: TestAccount, count: number) {
  const events = Array.from({ length: count }, (_, index) => ({
    specversion: '1.0',
    id: `${index}`,
    source: '/shop',
    type: 'a.b',
    data: { of: value, index },
  }))
  expect((await account.send('POST', '/api/v1/events', { events })).status).toBe(200)
}

async function eventsIn(fileId: string, account: TestAccount): Promise<readonly { readonly id: string }[]> {
  const file = await files.find(server.database.system, account.accountId, fileId)
  if (file === undefined) throw new Error('the report has no file')
  const bytes = Buffer.concat(await Array.fromAsync(files.open(file, { from: 0, to: file.bytes })))
  const found = Object.entries(unzipSync(new Uint8Array(bytes))).find(([name]) => name.endsWith('/records/events.json'))
  return JSON.parse(Buffer.from(found?.[1] ?? []).toString())
}

async function rowOf(id: string) {
  const { rows } = await sql<{ readonly state: string; readonly sealed: Buffer | null; readonly file_id: string | null }>`
    select state, sealed, file_id from privacy_reports where id = ${id}`.execute(server.database.system)
  return rows[0]
}

const filesOf = async (id: string) =>
  (await sql`select from files where owner = ${`report:${id}`}`.execute(server.database.system)).rows.length

test('a report has each record once, although they are read page by page', async () => {
  const account = await server.registerAccount()
  await sendEvents(account, 100)
  await account.send('POST', '/api/v1/events', { specversion: '1.0', id: 'last', source: '/shop', type: 'a.b', data: { of: value } })
  const report = await request(account)
  await report.make()
  expect(await report.read()).toMatchObject({
    state: 'ready',
    records: [{ category: 'events', records: 101 }],
    progress: { done: 1, total: 1 },
  })
  const events = await eventsIn((await rowOf(report.id))?.file_id ?? '', account)
  expect(new Set(events.map(({ id }) => id)).size).toBe(101)
})

test('a report that is ready is not made again', async () => {
  const account = await server.registerAccount()
  const report = await request(account)
  await report.make()
  const before = await rowOf(report.id)
  await report.make({ sealing: { open: () => Promise.reject(new Error('it is opened again')) } })
  expect(await rowOf(report.id)).toEqual(before)
  expect(await filesOf(report.id)).toBe(1)
})

test('a report whose making fails is continued with the parts that are complete', async () => {
  const account = await server.registerAccount()
  await sendEvents(account, 3)
  const report = await request(account)
  const search = () => Promise.reject(new Error('killed'))
  await expect(report.make({ accountFiles: { search, ofForm: () => Promise.resolve([]) } })).rejects.toThrow('killed')
  expect(await report.read()).toMatchObject({ state: 'preparing', progress: { done: 1, total: 1 } })
  await account.send('POST', '/api/v1/events', { specversion: '1.0', id: 'later', source: '/shop', type: 'a.b', data: { of: value } })
  await report.make()
  expect(await report.read()).toMatchObject({ state: 'ready', records: [{ category: 'events', records: 3 }] })
  // The parts are deleted with the end.
  expect(await filesOf(report.id)).toBe(1)
})

test('a report that cannot be made says so, keeps no values and no parts, and is not given as a file', async () => {
  const account = await server.registerAccount()
  await sendEvents(account, 1)
  const report = await request(account)
  expect((await rowOf(report.id))?.sealed).not.toBeNull()
  const search = () => Promise.reject(new Error('no files'))
  await expect(report.make({ accountFiles: { search, ofForm: () => Promise.resolve([]) } })).rejects.toThrow('no files')
  await abandonReport(makerOf(), account.accountId, report.id)
  expect(await report.read()).toMatchObject({ state: 'failed', failure: expect.stringContaining('could not be made') })
  expect(await rowOf(report.id)).toMatchObject({ sealed: null, file_id: null })
  expect(await filesOf(report.id)).toBe(0)
  expect((await account.send('POST', `${path}/${report.name}/link`)).body.code).toBe('conflict')
})

test('a report is taken for lost a day after a process was last making it, and not while it only waits for one', async () => {
  const account = await server.registerAccount()
  const [begun, waiting] = [await request(account), await request(account)]
  const hourMs = 60 * 60 * 1000
  const stuck = async (hours: number) => {
    const at = Date.now() + hours * hourMs
    const times = { silentSince: new Date(at - 24 * hourMs), now: new Date(at), limit: 100 }
    return (await listStuckReports(server.database.system, times)).flatMap(({ id }) => ([begun.id, waiting.id].includes(id) ? [id] : []))
  }
  const search = () => Promise.reject(new Error('no files'))
  const fails = { search, ofForm: () => Promise.resolve([]) }
  // Ten hours after the request, a process begins to make one of them.
  await expect(begun.make({ accountFiles: fails, now: () => Date.now() + 10 * hourMs })).rejects.toThrow('no files')
  expect(await stuck(33)).toEqual([])
  expect(await stuck(35)).toEqual([begun.id])
  expect(await stuck(7 * 24 + 1)).toEqual([begun.id, waiting.id])
})

test('a report that is deleted while it is made leaves no file', async () => {
  const account = await server.registerAccount()
  const report = await request(account)
  const remove = async () => expect((await account.send('DELETE', `${path}/${report.name}`)).status).toBe(200)
  await report.make({
    accountFiles: { search: () => Promise.resolve({ matching: [], unreadable: [], unsearched: [] }), ofForm: () => Promise.resolve([]) },
    files: {
      ...files,
      async put(...parameters) {
        const fileId = await files.put(...parameters)
        await remove()
        return fileId
      },
    },
  })
  expect(await rowOf(report.id)).toBeUndefined()
  expect(await filesOf(report.id)).toBe(0)
})

test('an account has at most ten reports in the making, and another account is not concerned', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  for (let made = 0; made < 10; made++) await request(account)
  const { body } = await account.send('POST', path, { values: [value] })
  expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Wait until one of them is ready') })
  await request(other)
})

test('a report is linked when it is ready alone', async () => {
  const account = await server.registerAccount()
  const report = await request(account)
  expect((await account.send('POST', `${path}/${report.name}/link`)).body).toMatchObject({ code: 'conflict' })
  await report.make()
  expect((await account.send('POST', `${path}/${report.name}/link`)).status).toBe(200)
})

test('reports are listed page by page, the newest first, with who asked for them', async () => {
  const account = await server.registerAccount()
  const names = []
  for (let made = 0; made < 3; made++) names.unshift((await request(account)).name)
  const first = (await account.send('GET', `${path}?limit=2`)).body
  const second = (await account.send('GET', `${path}?limit=2&cursor=${first.nextCursor}`)).body
  expect([...first.data, ...second.data].map(({ id }: { readonly id: string }) => id)).toEqual(names)
  expect(second.nextCursor).toBeNull()
  expect(first.data[0]).toMatchObject({ state: 'preparing', values: 1, locale: 'en', createdBy: expect.stringMatching(/^user:/) })
})

test('members cannot search for a person or make reports, and an API key that reads privacy settings cannot either', async () => {
  const account = await server.registerAccount()
  const member = await addMember(server, account, 'member')
  const { body: key } = await account.send('POST', '/api/v1/api-keys', { name: 'Reader', scopes: ['privacy:read'] })
  const statusOf = async (token: string, method: string, to: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}${to}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    return response.status
  }
  const find = '/api/v1/privacy/persons/find'
  for (const token of [member.token, key.key ?? key.secret]) {
    expect(await statusOf(token, 'POST', find, { values: [value] })).toBe(403)
    expect(await statusOf(token, 'POST', path, { values: [value] })).toBe(403)
  }
  expect(await statusOf(member.token, 'GET', path)).toBe(403)
})

test.each([
  ['no value', { values: [] }],
  ['a value that is too short', { values: ['Ada'] }],
  ['a value with control characters', { values: ['Ada\u0007Lovelace'] }],
  ['too many values', { values: Array.from({ length: 21 }, (_, index) => `person-${index}`) }],
  ['an unknown language', { values: [value], locale: 'xx' }],
])('a report of %s is refused', async (_, body) => {
  const account = await server.registerAccount()
  expect((await account.send('POST', path, body)).body.code).toBe('request_invalid')
})
