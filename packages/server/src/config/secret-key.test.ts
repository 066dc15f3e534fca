import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecretKey } from './secret-key.ts'

let home = ''

beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), 'millrace-key-')), 'home')
})

afterEach(async () => {
  await rm(join(home, '..'), { recursive: true })
})

test('the key is made once, and is the same ever after', async () => {
  const first = await loadSecretKey({ home, randomBytes })
  const again = await loadSecretKey({ home, randomBytes })
  expect(first.reveal()).toHaveLength(32)
  expect(again.reveal()).toEqual(first.reveal())
})

test('only its owner can read the key', async () => {
  await loadSecretKey({ home, randomBytes })
  expect((await stat(join(home, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('processes that start at once agree on one key and leave nothing else behind', async () => {
  const keys = await Promise.all([1, 2].map(() => loadSecretKey({ home, randomBytes })).map(async (key) => (await key).reveal().join()))
  expect(new Set(keys).size).toBe(1)
  expect(await readdir(home)).toEqual(['secret.key'])
})

test('a damaged key is never replaced', async () => {
  await loadSecretKey({ home, randomBytes })
  await writeFile(join(home, 'secret.key'), 'damaged')
  await expect(loadSecretKey({ home, randomBytes })).rejects.toThrow(/Restore the file from a backup/)
})
