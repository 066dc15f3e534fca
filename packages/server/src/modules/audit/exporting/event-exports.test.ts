import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/audit'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const download = (account: TestAccount, query: string) =>
  fetch(`${server.url}${path}/export?${query}`, { headers: { authorization: `Bearer ${account.token}` } })

/** Events of the past, more than one page of an export has. */
async function addEvents(account: TestAccount, count: number, event = 'test.done') {
  await sql`
    insert into audit_events (id, account_id, at, actor, event, details)
    select millrace_uuid_v7(), ${account.accountId}, timestamptz '2026-01-01T00:00:00Z' + make_interval(secs => n), 'system:test', ${event},
      jsonb_build_object('n', n)
    from generate_series(1, ${count}::int) n`.execute(server.database.system)
}

interface ExportedLine {
  readonly details: { readonly n: number }
  readonly log: { readonly date: string; readonly index: number; readonly hash: string }
}

describe('an export of the audit log', () => {
  test('has every event of its filter with the leaf of the log, and its own event says who exported what', async () => {
    const account = await server.registerAccount()
    await addEvents(account, 1_100)
    const query = 'format=jsonl&event=test.*&from=2026-01-01T00:00:11Z'
    const response = await download(account, query)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.jsonl"$/)
    const lines = (await response.text()).trimEnd().split('\n')
    const events: readonly ExportedLine[] = lines.slice(0, -1).map((line) => JSON.parse(line))
    expect(events.map(({ details }) => details.n)).toEqual(Array.from({ length: 1_090 }, (_, index) => 1_100 - index))
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: { events: 1_090, at: expect.any(String) } })
    const log = events[0]?.log
    const day = await account.send('GET', `${path}/export/${log?.date}`)
    const leaves: readonly (ExportedLine['log'] | undefined)[] = day.body.lines.map((line: string) => JSON.parse(line).leaf)
    expect(leaves.find((leaf) => leaf?.index === log?.index)).toMatchObject({ hash: log?.hash, entry: { details: { n: 1_100 } } })
    const own = (await account.send('GET', `${path}/query?event=audit.exported`)).body.data.at(-1)
    expect(own).toMatchObject({ actor: expect.stringMatching(/^user:usr_/), details: { format: 'jsonl', filter: { event: 'test.*' } } })
  })

  test('as CSV has names that no spreadsheet reads as formulas, and none of another account', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const name = '=HYPERLINK("https://evil.example","Rechnungen für März")'
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets), name } })
    await other.client.workflows.create({ body: { definition: documentOf(greets) } })
    const content = Buffer.from(await (await download(account, 'event=workflow.*')).arrayBuffer())
    expect(content.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const rows: readonly Record<string, string>[] = parse(content, { bom: true, columns: true })
    expect(rows).toMatchObject([
      { what: 'workflow.created', workflow: `'${name}`, 'workflow id': id, 'log hash': expect.stringMatching(/^[0-9a-f]{64}$/) },
      { time: 'end of the export', what: '1 events' },
    ])
  })

  test('has the names of the time of each event, and those of today beside them', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets), name: 'Invoices' } })
    await account.send('PUT', `/api/v1/workflows/${id}`, { name: 'Billing' })
    const rows = parse(await (await download(account, 'event=workflow.created')).text(), { bom: true, columns: true })
    expect(rows).toMatchObject([{ target: 'Invoices', workflow: 'Invoices', 'renamed since': 'Invoices, now Billing' }, {}])
    const [line] = (await (await download(account, 'format=jsonl&event=workflow.created')).text()).split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ named: { target: 'Invoices' }, renamed: { Invoices: 'Billing' } })
  })

  test('that breaks off ends its connection, and has no last line', async () => {
    const account = await server.registerAccount()
    await addEvents(account, 1, 'test.unreadable')
    await sql`
      create policy unreadable on audit_events as restrictive for select
      using (event <> 'test.unreadable' or 1 / (length(event) - length(event)) = 1)`.execute(server.database.system)
    const response = await download(account, 'format=csv')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    await sql`drop policy unreadable on audit_events`.execute(server.database.system)
  })

  test('is refused while two others of the account are being made, also of those that are asked for at once', async () => {
    const account = await server.registerAccount()
    const running = await server.database.system.transaction().execute(async (tx) => {
      await sql`lock table audit_changes in access exclusive mode`.execute(tx)
      const asked = await Promise.all(Array.from({ length: 5 }, () => download(account, '')))
      const refused = asked.filter(({ ok }) => !ok)
      expect(await Promise.all(refused.map((response) => response.json()))).toMatchObject(
        Array.from({ length: 3 }, () => ({ code: 'overloaded' })),
      )
      return asked.filter(({ ok }) => ok)
    })
    for (const response of running) expect(await response.text()).toContain('end of the export')
    expect((await download(account, '')).status).toBe(200)
  })
})
