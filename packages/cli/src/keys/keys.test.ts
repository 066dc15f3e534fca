import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'
import { createPostgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'

test('a replaced secret key is written to a file of its owner, and retiring it ends the old one', async () => {
  await using database = await createPostgres('migrated')
  await using folder = await createFolder({})
  const file = join(folder.path, 'next.key')
  const env = { DATABASE_URL: database.url, MILLRACE_SECRET_KEY: randomBytes(32).toString('base64') }
  const rotated = await runCli(['keys', 'rotate', '--new-key', file], { env })
  expect(rotated).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('version 2 of the root key') })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const again = await runHere(['keys', 'rotate'], { env })
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('millrace keys retire') })
  const newEnv = { ...env, MILLRACE_SECRET_KEY: (await readFile(file, 'utf8')).trim() }
  expect((await runHere(['keys', 'retire'], { env: newEnv })).stdout).toContain('Only the configured secret key')
  expect(await runHere(['keys', 'rotate'], { env })).toMatchObject({ exitCode: 1 })
})

test('an unknown action is wrong usage', async () => {
  expect(await runHere(['keys', 'turn'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"turn" is not an action') })
})
