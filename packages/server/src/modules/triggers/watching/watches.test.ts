import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { type DatabaseGateway, openDatabaseGateway } from '#testing/database-gateway.ts'
import { documentOf } from '#testing/definitions.ts'
import { hasImapServer, startImapServer } from '#testing/imap-server.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { startS3Server } from '#testing/s3-server.ts'
import { longestStretchMs } from '#testing/longest-stretch.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/triggers'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

async function connect(name: string, settings: object, secrets: object) {
  const made = await account.send('POST', '/api/v1/connections', { name, settings, secrets })
  expect([made.status, made.body.errors, made.body.problem]).toEqual([200, undefined, null])
}

async function watch(settings: object, more: object = {}) {
  const workflowId = (await account.client.workflows.create({ body: { definition: documentOf('do:\n  - echo: { set: "${ . }" }\n') } })).id
  const { status, body } = await account.send('POST', path, { workflowId, name: 'Watch', kind: 'watch', watch: settings, ...more })
  expect([status, body.errors]).toEqual([200, undefined])
  const id: string = body.id
  const view = async () => (await account.send('GET', `${path}/${id}`)).body
  return {
    id,
    view,
    /** Waits until it has looked. */
    async look() {
      const before = (await view()).watch
      await sql`update trigger_watches set look_at = now() where trigger_id = ${fromTypeId('trg', id)}`.execute(server.database.system)
      await expect
        .poll(async () => {
          const { lookedAt, failures } = (await view()).watch
          return lookedAt !== before.lookedAt || failures !== before.failures
        })
        .toBe(true)
    },
    looked: () => expect.poll(async () => (await view()).watch.lookedAt).not.toBeNull(),
    /** The inputs of what it started. */
    async inputs() {
      const { data } = (await account.send('GET', `/api/v1/workflows/${workflowId}/executions?limit=100`)).body
      const all = await Promise.all(
        data.map(async (one: { id: string }) => (await account.send('GET', `/api/v1/workflows/executions/${one.id}`)).body),
      )
      return all.toReversed().map(({ input }) => input)
    },
    count: async () => (await account.send('GET', `/api/v1/workflows/${workflowId}/executions?limit=100`)).body.data.length,
  }
}

type Watch = Awaited<ReturnType<typeof watch>>
const titles = async (one: Watch) => (await one.inputs()).map(({ item }: { item: { title: string } }) => item.title).toSorted()

describe('a feed', () => {
  async function startFeed() {
    const entries: string[] = []
    const state = { status: 200, requests: 0, unchanged: 0 }
    const service = await listenLocally(async (incoming, outgoing) => {
      state.requests++
      const etag = `"${entries.length}"`
      if (state.status !== 200) return void outgoing.writeHead(state.status).end('no')
      if (incoming.headers['if-none-match'] === etag) {
        state.unchanged++
        return void outgoing.writeHead(304).end()
      }
      const items = entries
        .toReversed()
        .map((title) => `<item><guid>urn:${title}</guid><title>${title}</title><link>https://x.example/${title}</link></item>`)
      outgoing.writeHead(200, { 'content-type': 'application/rss+xml', etag })
      outgoing.end(`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`)
    })
    return { ...service, entries, state }
  }

  test('starts one execution for each new entry, and none for those that were there', async () => {
    await using feed = await startFeed()
    feed.entries.push('old')
    const one = await watch({ source: 'feed', url: `${feed.url}/news.xml` }, { mapping: '{ item, input }', input: 7 })
    await one.looked()
    feed.entries.push('first', 'second')
    await one.look()
    await expect.poll(one.count).toBe(2)
    expect(await titles(one)).toEqual(['first', 'second'])
    expect(await one.inputs()).toContainEqual({
      item: expect.objectContaining({ id: 'urn:first', link: 'https://x.example/first' }),
      input: 7,
    })
    await one.look()
    expect(feed.state.unchanged).toBeGreaterThan(0)
    expect(await one.count()).toBe(2)
    const { body } = await account.send('GET', `/api/v1/workflows/executions/${(await one.view()).lastExecutionId}`)
    expect(body.trigger).toBe('watch')
  })

  test('takes what is there when asked, more than one look takes, each once while two servers look', async () => {
    await using feed = await startFeed()
    feed.entries.push(...Array.from({ length: 70 }, (_, index) => `e${index}`))
    const second = await server.startSecond()
    const one = await watch({ source: 'feed', url: feed.url, first: 'all' })
    await expect.poll(one.count).toBe(70)
    await one.look()
    await one.look()
    expect(new Set(await titles(one))).toEqual(new Set(feed.entries))
    expect(await one.count()).toBe(70)
    await second.close()
  })

  test('keeps its position while it is disabled, and starts what has come meanwhile', async () => {
    await using feed = await startFeed()
    feed.entries.push('old')
    const one = await watch({ source: 'feed', url: feed.url })
    await one.looked()
    await account.send('PATCH', `${path}/${one.id}/toggle`, { enabled: false })
    const { requests } = feed.state
    feed.entries.push('new')
    expect((await one.view()).watch.nextAt).toBeNull()
    await account.send('PATCH', `${path}/${one.id}/toggle`, { enabled: true })
    await expect.poll(one.count).toBe(1)
    expect(await titles(one)).toEqual(['new'])
    expect(feed.state.requests).toBeGreaterThan(requests)
  })

  test('that fails is looked at ever more rarely, and paused after ten failures with the reason', async () => {
    await using feed = await startFeed()
    const one = await watch({ source: 'feed', url: feed.url, every: 'PT1M' })
    await one.looked()
    feed.state.status = 500
    await one.look()
    await one.look()
    const { watch: state } = await one.view()
    expect(state).toMatchObject({ failures: 2, problem: 'The server of the feed answered 500.' })
    expect(Date.parse(state.nextAt) - Date.now()).toBeGreaterThan(100_000)
    await sql`update trigger_watches set failures = 9 where trigger_id = ${fromTypeId('trg', one.id)}`.execute(server.database.system)
    await one.look()
    expect(await one.view()).toMatchObject({
      enabled: false,
      pausedReason: '10 looks in a row failed. The last reason: The server of the feed answered 500.',
      watch: { nextAt: null },
    })
    const { data } = (await account.send('GET', '/api/v1/notifications')).body
    expect(data).toContainEqual(expect.objectContaining({ kind: 'trigger.paused' }))
  })

  test('at an address that workflows may not reach, or that is no feed, is a failure', async () => {
    await using page = await listenLocally(async (_incoming, outgoing) => void outgoing.end('<html></html>'))
    const [denied, wrong] = [
      await watch({ source: 'feed', url: 'http://169.254.169.254/x' }),
      await watch({ source: 'feed', url: page.url }),
    ]
    await expect.poll(async () => (await denied.view()).watch.problem ?? '').toMatch(/not at an address that workflows may reach/)
    await expect.poll(async () => (await wrong.view()).watch.problem ?? '').toMatch(/not a feed/)
  })
})

describe('rows of PostgreSQL', () => {
  let shop: TestDatabase
  let gateway: DatabaseGateway
  const run = (text: string) => sql.raw(text).execute(shop.database.system)
  beforeAll(async () => {
    shop = await createTestDatabase()
    gateway = await openDatabaseGateway(shop.url)
    await connect('shop', gateway.settings, gateway.secrets)
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await shop.drop()
  })

  test('start one execution each, whatever else changes', async () => {
    await run('create table orders (id bigserial primary key, note text)')
    await run("insert into orders (note) values ('old')")
    const one = await watch({ source: 'rows', connection: 'shop', table: 'public.orders', column: 'id' })
    await one.looked()
    await run("insert into orders (note) select 'n' || n from generate_series(1, 60) n")
    await one.look()
    await expect.poll(one.count).toBe(60)
    await run("update orders set note = note || '!'")
    await one.look()
    const inputs = await one.inputs()
    expect(inputs).toHaveLength(60)
    expect(inputs).toContainEqual({ watch: 'rows', item: { id: '2', note: 'n1' } })
  })

  test('that are too large start with what is wrong, and stop no others', async () => {
    await run('create table notes (id bigserial primary key, note text)')
    const one = await watch({ source: 'rows', connection: 'shop', table: 'public.notes', column: 'id', first: 'all' })
    await one.looked()
    await run("insert into notes (note) values (repeat('x', 600 * 1024)), ('short')")
    await one.look()
    await expect.poll(one.count).toBe(2)
    expect((await one.inputs()).map(({ item }: { item: { note?: string; problem?: string } }) => item.problem ?? item.note)).toEqual(
      expect.arrayContaining(['The row has more than 512 KiB.', 'short']),
    )
    expect((await one.view()).watch).toMatchObject({ failures: 0, problem: null })
  })

  test('that share a time are distinguished by their key, also when they come later', async () => {
    await run('create table visits (name text primary key, at timestamptz)')
    const at = '2026-01-01T10:00:00.123456Z'
    await run(`insert into visits values ('a', '${at}')`)
    const one = await watch({ source: 'rows', connection: 'shop', table: 'visits', column: 'at', key: 'name' })
    await one.looked()
    await run(`insert into visits values ('b', '${at}'), ('c', '${at}')`)
    await one.look()
    await run(`insert into visits values ('d', '${at}'), ('e', '2026-01-01T10:00:01Z')`)
    await one.look()
    await expect.poll(one.count).toBe(4)
    expect((await one.inputs()).map(({ item }: { item: { name: string } }) => item.name).toSorted()).toEqual(['b', 'c', 'd', 'e'])
  })

  test('of a table that was empty, or of one that does not exist', async () => {
    await run('create table later (id int)')
    const one = await watch({ source: 'rows', connection: 'shop', table: 'later', column: 'id' })
    await one.looked()
    await run('insert into later values (5), (null)')
    await one.look()
    await expect.poll(one.count).toBe(1)
    const missing = await watch({ source: 'rows', connection: 'shop', table: 'missing', column: 'id' })
    await expect.poll(async () => (await missing.view()).watch.problem ?? '').toMatch(/"missing" does not exist/)
  })

  test('are not started for a look that another one has overtaken', async () => {
    await run('create table slow (id int)')
    await run('create view slowly as select id, pg_sleep(2)::text as nap from slow')
    const one = await watch({ source: 'rows', connection: 'shop', table: 'slowly', column: 'id', first: 'all' })
    await one.looked()
    await run('insert into slow values (1)')
    await sql`update trigger_watches set look_at = now() where trigger_id = ${fromTypeId('trg', one.id)}`.execute(server.database.system)
    const claimOf = async () =>
      (
        await sql<{ claim: number }>`select claim from trigger_watches where trigger_id = ${fromTypeId('trg', one.id)}`.execute(
          server.database.system,
        )
      ).rows[0]?.claim
    await expect.poll(claimOf).toBe(2)
    // As if the lease of this look had ended.
    await sql`update trigger_watches set look_at = now() where trigger_id = ${fromTypeId('trg', one.id)}`.execute(server.database.system)
    await expect.poll(one.count).toBe(1)
    await one.look()
    expect(await one.count()).toBe(1)
  })
})

test('objects below a prefix start one execution each, replaced ones too', async () => {
  const credentials = { region: 'eu-west-1', accessKeyId: 'id', secretAccessKey: ['secret', '4711'].join('-') }
  await using s3 = await startS3Server('inbox', credentials)
  const { secretAccessKey, ...settings } = credentials
  await connect(
    'bucket',
    { kind: 's3', url: s3.url, bucket: 'inbox', region: settings.region, accessKeyId: settings.accessKeyId },
    { secretAccessKey },
  )
  const put = (key: string, body = 'x') => s3.objects.set(key, { body: Buffer.from(body), type: 'text/plain' })
  put('in/old.txt')
  const one = await watch({ source: 'objects', connection: 'bucket', prefix: 'in/' })
  await one.looked()
  put('in/a.txt')
  put('out/b.txt')
  await one.look()
  await expect.poll(one.count).toBe(1)
  expect(await one.inputs()).toMatchObject([{ watch: 'objects', item: { key: 'in/a.txt', size: 1 } }])
  put('in/old.txt', 'new')
  await one.look()
  await expect.poll(one.count).toBe(2)
})

describe.skipIf(!hasImapServer())('a mailbox', () => {
  const password = ['mail', '4711'].join('-')
  const mail = (subject: string, body = 'See below.') =>
    `From: Ada <ada@example.org>\nTo: shop@example.com\nSubject: ${subject}\nMessage-ID: <${subject}@example.org>\nDate: Mon, 05 Jan 2026 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n${body}\n--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\na,b\n--b--\n`

  test('of a real server starts one execution for each new mail, with its text and attachments, and leaves it unread', async () => {
    await using imap = await startImapServer({ username: 'ada', password })
    await connect('mailbox', { kind: 'imap', host: '127.0.0.1', port: imap.port, encrypted: false, username: 'ada' }, { password })
    await imap.deliver(mail('old'))
    const one = await watch({ source: 'mailbox', connection: 'mailbox' })
    await one.looked()
    await imap.deliver(mail('first', `My password is ${password}`))
    await imap.deliver(mail('second'))
    await one.look()
    await expect.poll(one.count).toBe(2)
    await one.look()
    const inputs = (await one.inputs()).toSorted((a, b) => a.item.uid - b.item.uid)
    expect(inputs.map(({ item }) => item.subject)).toEqual(['first', 'second'])
    expect(inputs[0]).toMatchObject({
      watch: 'mailbox',
      item: {
        messageId: '<first@example.org>',
        from: { name: 'Ada', address: 'ada@example.org' },
        to: [{ name: null, address: 'shop@example.com' }],
        date: '2026-01-05T10:00:00.000Z',
        text: expect.stringContaining('My password is ***'),
        attachments: [{ filename: 'a.csv', contentType: 'text/csv', contentBase64: Buffer.from('a,b\n').toString('base64') }],
      },
    })
  })

  test('with mails that are made to be slow or large stops neither the server nor the watch', async () => {
    await using imap = await startImapServer({ username: 'ada', password })
    await connect('open', { kind: 'imap', host: '127.0.0.1', port: imap.port, encrypted: false, username: 'ada' }, { password })
    const one = await watch({ source: 'mailbox', connection: 'open' })
    await one.looked()
    const html = (content: string) =>
      mail('html').replace('--b\nContent-Type: text/plain', `--b\nContent-Type: text/html\n\n${content}\n--b\nContent-Type: text/plain`)
    await imap.deliver(html('<a href="'.repeat(20_000)))
    await imap.deliver(mail('large', '\u0001'.repeat(200_000)))
    await imap.deliver(mail('last'))
    const stretchMs = await longestStretchMs(async () => {
      await one.look()
      await expect.poll(one.count).toBe(3)
    })
    expect(stretchMs).toBeLessThan(3_000)
  })

  test('that does not exist is a failure', async () => {
    await using imap = await startImapServer({ username: 'ada', password })
    await connect('other', { kind: 'imap', host: '127.0.0.1', port: imap.port, encrypted: false, username: 'ada' }, { password })
    const one = await watch({ source: 'mailbox', connection: 'other', mailbox: 'Missing' })
    await expect.poll(async () => (await one.view()).watch.problem ?? '').toMatch(/mail server cannot be used: .*Missing/)
  })
})

describe('refused is', () => {
  const feed = { source: 'feed', url: 'https://example.com/feed' }
  test.each([
    ['a look that comes too often', { watch: { ...feed, every: 'PT1S' } }, '/watch/every'],
    ['a name that is SQL', { watch: { source: 'rows', connection: 'shop', table: 'a; drop table b', column: 'id' } }, '/watch/table'],
    ['a watch without its settings', {}, '/watch'],
    ['a watch of another kind', { kind: 'manual', watch: feed }, '/watch'],
    ['an address that is no web address', { watch: { ...feed, url: 'file:///etc/passwd' } }, '/watch/url'],
  ])('%s', async (_what, content, pointer) => {
    const workflowId = (await account.client.workflows.create({ body: { definition: documentOf('do:\n  - a: { set: { a: 1 } }\n') } })).id
    const { status, body } = await account.send('POST', path, { workflowId, name: 'x', kind: 'watch', ...content })
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer])
  })
})
