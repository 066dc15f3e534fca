import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember } from '#testing/approvals.ts'
import { longestStretchMs } from '#testing/longest-stretch.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { searchEntries } from './search-entries.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/marketplace'
const tasks = [{ check: { call: 'http', with: { method: 'get', endpoint: 'https://stock.example.com/{sku}' } } }]
let names = 0

async function workflowOf(account: TestAccount, rest: object = { do: tasks }, document: object = {}): Promise<string> {
  const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: `market-${++names}`, version: '1.0.0', ...document }, ...rest }
  return (await account.client.workflows.create({ body: { definition } })).id
}

const said = { summary: 'Checks the stock of an article.', author: 'Example Ltd.', category: 'orders', licence: 'MIT' }

const publish = (account: TestAccount, workflowId: string, body: object = {}) =>
  account.send('POST', `${path}/publish/${workflowId}`, { ...said, ...body })

/** Reads without a credential. */
async function read(rest: string) {
  const response = await fetch(`${server.url}${path}${rest}`)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function operator(): Promise<TestAccount> {
  const account = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${account.userId}`.execute(server.database.system)
  return account
}

describe('publishing', () => {
  test('a published version becomes public with README, drawing, permissions and licence, without comments, account or metadata but labels', async () => {
    const account = await server.registerAccount()
    const use = { secrets: [] }
    const workflowId = await workflowOf(
      account,
      { use, do: tasks },
      { title: 'Stock check', metadata: { note: 'internal only', labels: { sku: '${ .sku }' } } },
    )
    const { status, body } = await publish(account, workflowId, { tags: ['Stock', 'stock'], notes: 'First.' })
    expect([status, body.errors]).toEqual([200, undefined])
    const entry = await read(`/${body.id}`)
    expect(entry.body).toMatchObject({
      title: 'Stock check',
      author: 'Example Ltd.',
      tags: ['stock'],
      licence: 'MIT',
      version: 1,
      state: 'listed',
      rating: null,
      permissions: { hosts: ['stock.example.com'], functions: ['http'], secrets: [], scripts: false },
      releases: [{ version: 1, notes: 'First.' }],
    })
    expect(entry.body.readme).toContain('# Stock check')
    expect(entry.body.drawing).toContain('└─ check  call http')
    expect(entry.body.definition.document.metadata).toEqual({ labels: { sku: '${ .sku }' } })
    const text = JSON.stringify(entry.body)
    for (const hidden of ['internal only', account.accountId, account.email, workflowId]) expect(text).not.toContain(hidden)
  })

  test('a second publication of a workflow is the next version of its entry', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const first = await publish(account, workflowId)
    const second = await publish(account, workflowId, { notes: 'Better.' })
    expect([second.body.id, second.body.version]).toEqual([first.body.id, 2])
    expect(second.body.releases.map(({ version }: { version: number }) => version)).toEqual([2, 1])
  })

  test('a draft cannot be published, and neither can the workflow of another account', async () => {
    const account = await server.registerAccount()
    const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: `market-${++names}`, version: '1.0.0' }, do: tasks }
    const { id } = await account.client.workflows.create({ body: { definition, publish: false } })
    expect(await publish(account, id)).toMatchObject({ status: 409, body: { code: 'workflow_not_published' } })
    const other = await server.registerAccount()
    expect(await publish(other, await workflowOf(account))).toMatchObject({ status: 404 })
  })

  test('only an admin publishes', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const { token } = await addMember(server, account)
    const response = await fetch(`${server.url}${path}/publish/${workflowId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(said),
    })
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([403, 'insufficient_role'])
  })

  test('secrets and personal data are refused with every place, and hostile text too', async () => {
    const account = await server.registerAccount()
    const key = ['AK', 'IA', 'Q3EGRIGAJPLLTMNV'].join('')
    const ask = { call: 'approve', with: { title: 'Well?', approvers: ['ada@lovelace.io'] } }
    const workflowId = await workflowOf(account, { do: [{ ask }, { keep: { set: { key } } }] })
    const { status, body } = await publish(account, workflowId, {
      readme: 'Fine.\n<script>alert(1)</script>',
      notes: 'Call +49 30 901820',
      author: 'evil\u202Etxt',
    })
    expect([status, body.code]).toEqual([422, 'publication_refused'])
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/author',
      '/definition/do/0/ask/with/approvers/0',
      '/definition/do/1/keep/set/key',
      '/notes',
      '/readme',
    ])
    expect(JSON.stringify(body)).not.toContain(key)
    expect(await read('/search?q=Well')).toMatchObject({ body: { data: [] } })
  })

  test.each<[string, string, number]>([
    ['addresses without an end', 'a@a.'.repeat(16_000), 200],
    ['digits', '49 30 9018 '.repeat(5_900), 200],
    ['a key without an end', `-----BEGIN PRIVATE KEY-----${'A'.repeat(60_000)}`, 422],
    ['tokens', 'eyJhbGciOi.'.repeat(5_900), 422],
    ['markup without an end', '<a '.repeat(20_000), 200],
    ['links inside of links', '[a]('.repeat(16_000), 200],
    ['marks of direction', '\u202E'.repeat(20_000), 422],
  ])('an entry full of %s is published or refused at once', async (_what, hostile, expected) => {
    const account = await server.registerAccount()
    const text = hostile.slice(0, 60_000)
    const workflowId = await workflowOf(account, { do: [{ keep: { set: { text, nested: { text: text.slice(1) } } } }] })
    let status = 0
    const stretchMs = await longestStretchMs(async () => {
      status = (await publish(account, workflowId, { title: 'Hostile', readme: `Read this.\n${text}` })).status
    })
    expect(status).toBe(expected)
    expect(stretchMs).toBeLessThan(500)
  })

  test('a value of the publisher becomes a parameter: it is taken out, and an import asks for it', async () => {
    const account = await server.registerAccount()
    const ask = { call: 'approve', with: { title: 'Well?', approvers: ['ada@lovelace.io'] } }
    const workflowId = await workflowOf(account, { do: [{ ask }] })
    const at = '/do/0/ask/with/approvers/0'
    const approver = { name: 'approver', kind: 'email', description: 'Who approves.', at: [at], example: 'someone@example.com' }
    const wrong = await publish(account, workflowId, {
      parameters: [
        { ...approver, at: ['/do/7'] },
        { ...approver, name: 'n', at: ['/document/name'] },
      ],
    })
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/parameters/0/at/0', '/parameters/1/at/0'])
    const { body } = await publish(account, workflowId, { parameters: [approver] })
    expect(JSON.stringify((await read(`/${body.id}`)).body)).not.toContain('lovelace')

    const other = await server.registerAccount()
    const importing = (parameters: object) => other.send('POST', `${path}/import/${body.id}`, { parameters })
    expect(await importing({})).toMatchObject({
      status: 422,
      body: { code: 'parameters_invalid', errors: [{ pointer: '/parameters/approver', detail: expect.stringContaining('Who approves.') }] },
    })
    const imported = await importing({ approver: 'grace@example.com' })
    expect(imported.body.workflow.definition.do[0].ask.with.approvers).toEqual(['grace@example.com'])
  })
})

describe('importing', () => {
  test('an import is a draft with its origin, permissions and requirements, and announces newer versions', async () => {
    const [author, reader] = [await server.registerAccount(), await server.registerAccount()]
    const workflowId = await workflowOf(author)
    const { body: entry } = await publish(author, workflowId)
    const { status, headers, body } = await reader.send('POST', `${path}/import/${entry.id}`, { name: 'Mine' })
    expect(status).toBe(200)
    expect(headers.get('location')).toBe(`/api/v1/workflows/${body.workflow.id}`)
    expect(body).toMatchObject({
      workflow: { name: 'Mine', state: 'draft', definition: { document: { name: 'mine' } } },
      origin: { kind: 'marketplace', source: entry.id, version: '1', checksum: entry.checksum },
      permissions: { hosts: ['stock.example.com'] },
      requirements: { ready: true },
    })
    const imports = async () => (await reader.send('GET', `${path}/imports`)).body.data
    expect(await imports()).toMatchObject([{ workflowId: body.workflow.id, importedVersion: 1, latestVersion: 1, updateAvailable: false }])
    await publish(author, workflowId, { notes: 'Faster.' })
    expect(await imports()).toMatchObject([{ latestVersion: 2, updateAvailable: true, notes: 'Faster.' }])
    expect((await author.send('GET', `${path}/imports`)).body.data).toEqual([])
    await author.send('PATCH', `${path}/${entry.id}`, { state: 'withdrawn' })
    expect(await imports()).toMatchObject([{ title: null, latestVersion: null, updateAvailable: false }])
  })
})

describe('rating', () => {
  test('an account rates once, after an import, and never its own entry', async () => {
    const [author, reader, third] = [await server.registerAccount(), await server.registerAccount(), await server.registerAccount()]
    const { body: entry } = await publish(author, await workflowOf(author))
    const rate = (account: TestAccount, stars: number) => account.send('PUT', `${path}/${entry.id}/rate`, { stars })
    expect(await rate(reader, 5)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await rate(author, 5)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    for (const account of [reader, third]) await account.send('POST', `${path}/import/${entry.id}`, {})
    expect((await rate(reader, 6)).status).toBe(400)
    expect((await rate(reader, 5)).body).toMatchObject({ rating: 5, ratings: 1 })
    expect((await rate(reader, 2)).body).toMatchObject({ rating: 2, ratings: 1 })
    expect((await rate(third, 5)).body).toMatchObject({ rating: 3.5, ratings: 2 })
    await reader.send('POST', `${path}/import/${entry.id}`, { name: 'again' })
    expect((await read(`/${entry.id}`)).body).toMatchObject({ rating: 3.5, ratings: 2, imports: 2 })
  })

  test('simultaneous ratings of one account count once', async () => {
    const [author, reader] = [await server.registerAccount(), await server.registerAccount()]
    const { body: entry } = await publish(author, await workflowOf(author))
    await reader.send('POST', `${path}/import/${entry.id}`, {})
    const stars = [1, 2, 3, 4, 5, 1, 2, 3]
    await Promise.all(stars.map((count) => reader.send('PUT', `${path}/${entry.id}/rate`, { stars: count })))
    await reader.send('PUT', `${path}/${entry.id}/rate`, { stars: 4 })
    expect((await read(`/${entry.id}`)).body).toMatchObject({ rating: 4, ratings: 1 })
  })

  test('an account cannot change the counters or rows of an entry of another, even without a condition', async () => {
    const [author, reader] = [await server.registerAccount(), await server.registerAccount()]
    const { body: entry } = await publish(author, await workflowOf(author))
    await server.database.account(reader.accountId, async (tx) => {
      await sql`update marketplace_entries set rating_sum = 500, rating_count = 100, title = 'mine'`.execute(tx)
      await sql`delete from marketplace_entries`.execute(tx)
      expect((await sql`select 1 from marketplace_entries`.execute(tx)).rows).toEqual([])
    })
    expect((await read(`/${entry.id}`)).body).toMatchObject({ ratings: 0, title: entry.title })
  })
})

describe('finding', () => {
  test('search ranks titles first, forgives accents and typing errors, and pages with facets', async () => {
    const account = await server.registerAccount()
    const of = async (title: string, summary: string, more: object = {}) =>
      (await publish(account, await workflowOf(account), { title, summary, ...more })).body.id
    const title = await of('Zebra crossing überwacht', 'Watches a crossing of the road.', { category: 'operations', tags: ['road'] })
    const summary = await of('Another thing', 'Also counts every zebra it sees.', { category: 'operations', licence: 'ISC' })
    const search = async (query: string) => (await read(`/search?${query}`)).body
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    expect(ids(await search('q=zebra'))).toEqual([title, summary])
    expect(ids(await search('q=UBERWACHT'))).toEqual([title])
    expect(ids(await search('q=crossing+zeb'))).toEqual([title])
    expect(ids(await search('q=zebrra+crosing'))).toEqual([title])
    for (const q of ['zerba', 'zebr', 'zzebra', 'crosssinng', 'crossing+zebbra', 'roads+zebra', 'uberwacthe'])
      expect(ids(await search(`q=${q}`)), q).toContain(title)
    for (const q of ['zybru', 'crosstown', 'roof']) expect(ids(await search(`q=${q}`)), q).not.toContain(title)
    expect((await search('q=zebrra')).facets).toMatchObject({ licences: expect.arrayContaining([{ name: 'ISC', count: 1 }]) })
    expect(ids(await search('q=zebra&licence=ISC'))).toEqual([summary])
    expect(ids(await search('q=zebra&tag=road'))).toEqual([title])
    const first = await search('q=zebra&limit=1')
    expect([ids(first), ids(await search(`q=zebra&limit=1&cursor=${first.nextCursor}`))]).toEqual([[title], [summary]])
    expect(first.facets).toMatchObject({
      categories: [{ name: 'operations', count: 2 }],
      licences: expect.arrayContaining([{ name: 'ISC', count: 1 }]),
      tags: [{ name: 'road', count: 1 }],
    })
    for (const q of ['%26%7C!', "'%3B--", '%D9%81', 'qqqqqqqq']) expect((await read(`/search?q=${q}`)).body.data, q).toEqual([])
  })

  test('what only a README has is found after titles, and an entry that is withdrawn leaves no word for corrections', async () => {
    const account = await server.registerAccount()
    const readme = '# About\n\nIt feeds a pelican.'
    const inReadme = (await publish(account, await workflowOf(account), { title: 'Feeding', readme })).body.id
    const inTitle = (await publish(account, await workflowOf(account), { title: 'Pelican watch', tags: ['wanderlust'] })).body.id
    const idsOf = async (q: string) => (await read(`/search?q=${q}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await idsOf('pelican')).toEqual([inTitle, inReadme])
    expect(await idsOf('wanderlist')).toEqual([inTitle])
    const words = async () =>
      (
        await sql<{ word: string }>`select word from marketplace_words where word in ('wanderlust', 'feeding')`.execute(
          server.database.system,
        )
      ).rows
    await account.send('PATCH', `${path}/${inTitle}`, { state: 'withdrawn' })
    expect(await words()).toEqual([{ word: 'feeding' }])
    expect(await idsOf('wanderlist')).toEqual([])
    await account.send('PATCH', `${path}/${inTitle}`, { state: 'listed' })
    expect(await idsOf('wanderlist')).toEqual([inTitle])
  })

  test('an entry that is not among the thousands of popular ones is found by its title and by its README', async () => {
    const enough = new Error('rolled back')
    const ids = async (db: Parameters<typeof searchEntries>[0], query: string) =>
      (await searchEntries(db, query, { filter: { category: undefined, licence: undefined, tag: undefined }, after: undefined, limit: 5 }))
        .ranked
    const searched = server.database.system.transaction().execute(async (tx) => {
      await sql`
        insert into marketplace_entries (id, account_id, workflow_id, title, summary, author, category, tags, licence, version, state, import_count,
          words, created_at, created_by, updated_at)
        select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'Entry ' || n, '', '', 'data', '{}', 'MIT', 1, 'listed', n,
          setweight(to_tsvector('simple', 'entry ' || case when n in (1, 2) then 'axolotl' else '' end), 'A')
            || setweight(to_tsvector('simple', case when n = 3 then 'capybara' else 'about' end), 'D'), now(), 'test', now()
        from generate_series(1, 4100) n`.execute(tx)
      expect((await ids(tx, 'axolotl:*')).map(({ entry }) => entry.title)).toEqual(['Entry 2', 'Entry 1'])
      expect((await ids(tx, 'capybara')).map(({ entry }) => entry.title)).toEqual(['Entry 3'])
      expect((await ids(tx, 'entry')).map(({ entry }) => entry.title)[0]).toBe('Entry 4100')
      throw enough
    })
    await expect(searched).rejects.toBe(enough)
  })

  test('the list begins with the best entries, and pages through all of them once', async () => {
    const [author, reader] = [await server.registerAccount(), await server.registerAccount()]
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1) ids.push((await publish(author, await workflowOf(author), { category: 'people' })).body.id)
    const [, best = ''] = ids
    await reader.send('POST', `${path}/import/${best}`, {})
    await reader.send('PUT', `${path}/${best}/rate`, { stars: 5 })
    for (const sort of ['popular', 'new']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await read(`?category=people&limit=3&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.nextCursor ?? ''
      } while (cursor !== '')
      expect(seen.toSorted(), sort).toEqual(ids.toSorted())
      expect(seen[0], sort).toBe(sort === 'popular' ? best : ids[3])
    }
  })
})

describe('moderation', () => {
  test('an operator reads reports and removes an entry; its author can neither list it again nor publish it', async () => {
    const [author, reader, chief] = [await server.registerAccount(), await server.registerAccount(), await operator()]
    const workflowId = await workflowOf(author)
    const { body: entry } = await publish(author, workflowId, { title: 'Doubtful' })
    const moderate = (account: TestAccount, body: object) => account.send('PATCH', `${path}/${entry.id}`, body)
    for (const reason of ['spam', 'malicious']) await reader.send('POST', `${path}/${entry.id}/report`, { reason, detail: 'Look.' })
    const { body: reports } = await chief.send('GET', `${path}/reports`)
    expect(reports.data).toMatchObject([{ entryId: entry.id, title: 'Doubtful', reason: 'malicious' }])
    expect(JSON.stringify(reports)).not.toContain(reader.accountId)

    expect((await moderate(reader, { state: 'withdrawn' })).status).toBe(404)
    expect((await moderate(author, { state: 'removed', reason: 'x' })).status).toBe(403)
    expect((await moderate(chief, { state: 'withdrawn' })).status).toBe(403)
    expect(await moderate(chief, { state: 'removed' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/reason' }] } })
    expect((await moderate(chief, { state: 'removed', reason: 'It mines coins.' })).body).toMatchObject({ reason: 'It mines coins.' })
    expect((await read(`/${entry.id}`)).status).toBe(404)
    expect((await reader.send('POST', `${path}/import/${entry.id}`, {})).status).toBe(404)
    expect(await moderate(author, { state: 'listed' })).toMatchObject({ status: 409 })
    expect(await publish(author, workflowId)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('It mines coins.') } })
    expect((await moderate(chief, { state: 'listed' })).status).toBe(200)
    expect((await read(`/${entry.id}`)).status).toBe(200)
  })

  test('a removal that commits while the author lists the entry again stays', async () => {
    const author = await server.registerAccount()
    const { body: entry } = await publish(author, await workflowOf(author))
    await author.send('PATCH', `${path}/${entry.id}`, { state: 'withdrawn' })
    const listed = await server.database.system.transaction().execute(async (tx) => {
      await sql`update marketplace_entries set state = 'removed', reason = 'Harmful.' where account_id = ${author.accountId}`.execute(tx)
      const sent = author.send('PATCH', `${path}/${entry.id}`, { state: 'listed' })
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waiting.execute(server.database.system)).rows.length).toBe(1)
      return { sent }
    })
    expect(await listed.sent).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await author.send('GET', `${path}/${entry.id}`)).status).toBe(404)
  })

  test('an author withdraws an entry and lists it again', async () => {
    const author = await server.registerAccount()
    const { body: entry } = await publish(author, await workflowOf(author))
    await author.send('PATCH', `${path}/${entry.id}`, { state: 'withdrawn' })
    expect((await read(`/${entry.id}`)).status).toBe(404)
    await author.send('PATCH', `${path}/${entry.id}`, { state: 'listed' })
    expect((await read(`/${entry.id}`)).status).toBe(200)
  })
})
