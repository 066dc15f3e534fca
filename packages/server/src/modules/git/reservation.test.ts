import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { GitCheckout } from '#platform/git/git-checkout.ts'
import { fromTypeId, newId } from '#platform/ids.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { startServerProcess } from '#testing/server-process.ts'
import { createGit } from './git-service.ts'
import type { GitDeps } from './sync.ts'

const unused = () => Promise.reject(new Error('no file is pulled'))

/** What a pull needs that finds no files. */
function depsOf({ database }: Pick<TestServer, 'database'>): GitDeps {
  return {
    database,
    workflows: {
      prepareCreate: unused,
      create: unused,
      prepareUpdate: unused,
      update: unused,
      prepareDraft: unused,
      saveDraft: unused,
      get: unused,
    },
    now: () => Date.now(),
    newId,
    open: () => Promise.resolve(checkoutOf([])),
    changersOf: unused,
    peopleOf: unused,
    headers: () => Promise.resolve([]),
    closing: new AbortController().signal,
  }
}

function checkoutOf(paths: readonly string[]): GitCheckout {
  const files = paths.map((path) => ({ path, text: 'do: []' }))
  return { commit: 'c0ffee', files: () => Promise.resolve(files), push: unused, [Symbol.asyncDispose]: () => Promise.resolve() }
}

test('the lock of a repository whose process was killed during a pull ends within 30 seconds', async () => {
  const environment = { MILLRACE_SECRET_KEY: 'ab'.repeat(32) }
  await using server = await createTestServer(environment)
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  // Never responds.
  await using host = await listenLocally(async () => ask())
  const account = await server.registerAccount()
  const { body } = await account.send('POST', '/api/v1/git/repositories', { url: `${host.url}/shop.git` })
  const doomed = await startServerProcess({ ...environment, DATABASE_URL: server.databaseUrl, MILLRACE_ROLES: 'api' })
  const pull = (url: string) =>
    fetch(`${url}/api/v1/git/repositories/${body.id}/pull`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
  const pulled = pull(doomed.url).catch(() => undefined)
  await asked
  await doomed.kill()
  await pulled
  expect((await pull(server.url)).status).toBe(409)
  const { rows } = await sql<{ readonly seconds: number }>`
    select extract(epoch from busy_until - clock_timestamp())::float8 as seconds from git_repositories where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  expect(rows[0]?.seconds).toBeLessThanOrEqual(30)
})

test('a pull that lasts longer than the lease of its reservation keeps it', async () => {
  await using server = await createTestServer()
  const { accountId, ...account } = await server.registerAccount()
  const { body } = await account.send('POST', '/api/v1/git/repositories', { url: 'https://git.example.com/shop.git' })
  const id = fromTypeId('repo', body.id) ?? ''
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const git = createGit({
    ...depsOf(server),
    open: async () => {
      await released
      return checkoutOf([])
    },
    leaseMs: 1500,
  })
  const busyUntil = async () => {
    const { rows } = await sql<{ readonly busy_until: Date | null }>`select busy_until from git_repositories where id = ${id}`.execute(
      server.database.system,
    )
    return rows[0]?.busy_until?.getTime() ?? 0
  }
  const pulling = git.pull(accountId, id, { actor: 'test', resolve: {} })
  await expect.poll(busyUntil).toBeGreaterThan(0)
  const first = await busyUntil()
  await expect.poll(busyUntil).toBeGreaterThan(first + 1500)
  await expect(git.pull(accountId, id, { actor: 'test', resolve: {} })).rejects.toMatchObject({ code: 'conflict' })
  release()
  expect(await pulling).toEqual({ commit: 'c0ffee', changes: [] })
  expect(await busyUntil()).toBe(0)
})

test('a pull that begins during a change of the repository pulls from where it is afterwards', async () => {
  await using server = await createTestServer()
  const { accountId, ...account } = await server.registerAccount()
  const { body } = await account.send('POST', '/api/v1/git/repositories', { url: 'https://git.example.com/before.git' })
  const id = fromTypeId('repo', body.id) ?? ''
  const urls: string[] = []
  const git = createGit({
    ...depsOf(server),
    open: ({ url }) => {
      urls.push(url)
      return Promise.resolve(checkoutOf([]))
    },
  })
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(server.database.system)
    return rows.length > 0
  }
  let pulling: Promise<unknown> = Promise.resolve()
  await server.database.account(accountId, async (tx) => {
    await git.change(tx, accountId, id, { url: 'https://git.example.com/after.git' })
    pulling = git.pull(accountId, id, { actor: 'test', resolve: {} })
    await expect.poll(isWaiting).toBe(true)
  })
  await pulling
  expect(urls).toEqual(['https://git.example.com/after.git'])
})

test('a pull that the end of its process interrupts takes no further file, and the repository is free', async () => {
  await using server = await createTestServer()
  const { accountId, ...account } = await server.registerAccount()
  const { body } = await account.send('POST', '/api/v1/git/repositories', { url: 'https://git.example.com/shop.git' })
  const id = fromTypeId('repo', body.id) ?? ''
  await sql`
    insert into git_files (repository_id, account_id, path, workflow_id, base_sha256)
    values (${id}, ${accountId}, 'gone.yaml', ${newId()}, ${'0'.repeat(64)})`.execute(server.database.system)
  const closing = new AbortController()
  const deps = depsOf(server)
  let read = 0
  const git = createGit({
    ...deps,
    workflows: {
      ...deps.workflows,
      prepareCreate: () => {
        read += 1
        closing.abort(new Error('the server is shutting down'))
        return Promise.reject(new Fault('request_invalid'))
      },
    },
    open: () => Promise.resolve(checkoutOf(['first.yaml', 'second.yaml'])),
    closing: closing.signal,
  })
  await expect(git.pull(accountId, id, { actor: 'test', resolve: {} })).rejects.toThrow('the server is shutting down')
  expect(read).toBe(1)
  const { data } = (await account.send('GET', '/api/v1/git/repositories')).body
  expect(data).toMatchObject([{ files: 1, commit: null, problem: null, syncedAt: null }])
  const { rows } = await sql`select busy_by from git_repositories where id = ${id}`.execute(server.database.system)
  expect(rows).toEqual([{ busy_by: null }])
})
