import { readFile } from 'node:fs/promises'
import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { createFolder, startCli } from '#testing/cli.ts'
import { createPostgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'

const password = 'a rather unusual phrase 4711'

test('millrace login revokes the key that it replaces, and names one that it cannot revoke', async () => {
  await using database = await createPostgres('migrated')
  await using folder = await createFolder({})
  await using server = startCli(['start', '--port', '0', '--home', folder.file('home')], { env: { DATABASE_URL: database.url } })
  const [, url = ''] = await server.waitFor(/API +(http:\/\/127\.0\.0\.1:\d+)\n/)
  const account = createClient({ baseUrl: url, groups })
  const { accessToken: token } = await account.auth.register({ body: { email: 'ada@example.com', password } })
  const env = { HOME: folder.path }
  const signIn = () => runHere(['login', url, '--email', 'ada@example.com', '--password-stdin'], { stdin: `${password}\n`, env })
  const read = async (): Promise<{ readonly servers: Readonly<Record<string, { readonly key: string; readonly keyId: string }>> }> =>
    JSON.parse(await readFile(folder.file('.config/millrace/logins.json'), 'utf8'))
  const statusOf = async (key: string | undefined) =>
    (await fetch(`${url}/api/v1/workflows`, { headers: { authorization: `Bearer ${key}` } })).status
  await signIn()
  const first = (await read()).servers[url]
  expect(await statusOf(first?.key)).toBe(200)
  expect(await signIn()).toMatchObject({ exitCode: 0, stderr: `Signed in to ${url} as ada@example.com.\n` })
  const second = (await read()).servers[url]
  expect([await statusOf(first?.key), await statusOf(second?.key)]).toEqual([401, 200])
  // A key that is entered opens no session, which alone can revoke keys.
  const session = createClient({ baseUrl: url, groups, token })
  const { secret } = await session.apiKeys.create({ body: { name: 'entered', scopes: ['account:read', 'workflows:read'] } })
  const kept = await runHere(['login', url, '--key-stdin'], { stdin: `${secret}\n`, env })
  expect(kept).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${second?.keyId}, still works`) })
  expect(await statusOf(second?.key)).toBe(200)
})
