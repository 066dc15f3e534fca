import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import { createFolder, runCli, startCli } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'
import { createPostgres } from '#testing/postgres.ts'

const user = { email: 'ada@example.com', password: 'correct horse battery staple' }
const limits = {
  MILLRACE_RATE_LIMIT_GLOBAL: '1000000/60',
  MILLRACE_RATE_LIMIT_EXECUTION: '1000000/60',
  MILLRACE_RATE_LIMIT_AUTH: '1000/60',
}

async function startServer(env: Readonly<Record<string, string>>) {
  const cli = startCli(['start', '--port', '0'], { env })
  const [, baseUrl = ''] = await cli.waitFor(/API +(http:\/\/127\.0\.0\.1:\d+)\n/)
  return { cli, baseUrl, client: createClient({ baseUrl, groups }) }
}

/** A database in which a server has been, since pg-boss creates its tables when one starts, and an empty one. */
async function openDatabases() {
  await using opened = new AsyncDisposableStack()
  const source = opened.use(await createPostgres('migrated'))
  const target = opened.use(await createPostgres('empty'))
  const folder = await createFolder()
  const env = { DATABASE_URL: source.url, MILLRACE_HOME: folder.path }
  const { cli } = await startServer(env)
  cli.kill('SIGTERM')
  await cli.end
  const all = opened.move()
  return { source, target, folder, env, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

describe('a backup', () => {
  test('of a server under load has everything that was acknowledged before, and continues elsewhere', async () => {
    await using source = await createPostgres('empty')
    await using target = await createPostgres('empty')
    const folder = await createFolder()
    const other = await createFolder()
    const env = { ...limits, DATABASE_URL: source.url, MILLRACE_HOME: folder.path }
    const server = await startServer(env)
    await using _cli = server.cli
    const { accessToken } = await server.client.auth.register({ body: user })
    const client = createClient({ baseUrl: server.baseUrl, groups, token: accessToken })
    const { id } = await client.workflows.create({
      body: { definition: definition('- greet:\n    set: { hello: "${ .name }" }'), publish: true },
    })
    const waiting = await client.workflows.create({
      body: {
        definition: definition('- rest:\n    wait: PT3S\n- done:\n    set: { rested: true }').replace('name: test', 'name: rest'),
        publish: true,
      },
    })
    const acknowledged: string[] = []
    const start = async () =>
      void acknowledged.push((await client.workflows.execute({ params: { id }, body: { input: { name: 'Ada' } } })).id)
    for (let count = 0; count < 20; count++) await start()
    const parked = await client.workflows.execute({ params: { id: waiting.id }, body: {} })
    const before = [...acknowledged]
    const load = (async () => {
      for (let count = 0; count < 100; count++) await start()
    })()
    const file = `${folder.path}/backup.gz`
    const made = await runCli(['backup', file], { env })
    expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/backup\.gz: \d+ rows of \d+ tables/) })
    await load
    server.cli.kill('SIGKILL')
    await server.cli.end

    const there = { ...limits, DATABASE_URL: target.url, MILLRACE_HOME: other.path }
    expect(await runCli(['restore', file], { env: there })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Copy the secret key'),
    })
    const wrong = await runCli(['start', '--port', '0'], { env: { ...there, MILLRACE_SECRET_KEY: '11'.repeat(32) } })
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--accept-new-key') })
    await copyFile(`${folder.path}/secret.key`, `${other.path}/secret.key`)
    expect(await runCli(['restore', file], { env: there })).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not empty') })
    const again = await startServer(there)
    await using _again = again.cli
    const signedIn = await again.client.auth.login({ body: user })
    if (!('accessToken' in signedIn)) throw new Error('a second factor was asked for')
    const restored = createClient({ baseUrl: again.baseUrl, groups, token: signedIn.accessToken })
    for (const executionId of before)
      expect(await restored.workflows.execution({ params: { executionId } })).toMatchObject({
        state: 'completed',
        output: { hello: 'Ada' },
      })
    await expect.poll(async () => (await restored.workflows.execution({ params: { executionId: parked.id } })).state).toBe('completed')
    again.cli.kill('SIGTERM')
    await again.cli.end
    const verified = await runCli(['verify', '--all'], { env: there })
    expect(verified).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^\d+ verified, none differs\.\n$/) })
  })

  test('has texts as they were, also with the ends of lines that people paste', async () => {
    await using databases = await openDatabases()
    const { source, target, folder, env } = databases
    const name = 'Ada\u2028Lovelace\u2029 & Co\u0085\r\n\\.\n\ttabs'
    await source.query(`insert into accounts (id, name) values ('01930000-0000-7000-8000-000000000001', $$${name}$$)`)
    const file = `${folder.path}/texts.gz`
    expect((await runCli(['backup', file, '-q'], { env })).exitCode).toBe(0)
    const there = { DATABASE_URL: target.url, MILLRACE_HOME: folder.path }
    expect(await runCli(['restore', file], { env: there })).toMatchObject({ exitCode: 0 })
    expect(await target.query('select name from accounts')).toEqual([{ name }])
  })

  test('that is cut off or altered leaves the database empty', async () => {
    await using databases = await openDatabases()
    const { target, folder, env } = databases
    const file = `${folder.path}/whole.gz`
    expect((await runCli(['backup', file, '-q'], { env })).exitCode).toBe(0)
    const bytes = await readFile(file)
    await writeFile(`${folder.path}/cut.gz`, bytes.subarray(0, bytes.length - 200))
    await writeFile(`${folder.path}/other.gz`, 'no backup')
    const there = { DATABASE_URL: target.url, MILLRACE_HOME: folder.path }
    expect(await runCli(['restore', `${folder.path}/other.gz`], { env: there })).toMatchObject({ exitCode: 1 })
    const cut = await runCli(['restore', `${folder.path}/cut.gz`], { env: there })
    expect(cut).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/damaged|incomplete/) })
    expect(await target.query('select count(*)::int as users from users')).toEqual([{ users: 0 }])
  })
})
