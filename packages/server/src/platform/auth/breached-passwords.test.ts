import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { createBreachedPasswords } from './breached-passwords.ts'

const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-breached-'))
})
afterAll(async () => {
  await http.close()
  await rm(folder, { recursive: true })
})

const errors: unknown[] = []
const onError = (error: unknown) => void errors.push(error)
const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

async function fileWith(text: string): Promise<string> {
  const path = join(folder, `${hashOf(text).slice(0, 8)}.txt`)
  await writeFile(path, text)
  return path
}

test.each([
  ['\r\n', ':3'],
  ['\n', ''],
])('every password of a file is found, and no other, whatever ends its lines (%j)', async (end, count) => {
  const breached = Array.from({ length: 1500 }, (_, index) => `breached ${index}`)
  const lines = breached
    .map(hashOf)
    .toSorted()
    .map((hash, index) => `${hash}${count === '' ? '' : `${count}${'0'.repeat(index % 9)}`}`)
  for (const text of [lines.join(end), `${lines.join(end)}${end}`]) {
    const isBreached = createBreachedPasswords({ kind: 'file', path: await fileWith(text) }, http, onError)
    const found = await Promise.all(breached.map(isBreached))
    expect(found.filter((one) => !one)).toEqual([])
    const others = await Promise.all(Array.from({ length: 500 }, (_, index) => isBreached(`another ${index}`)))
    expect(others.filter((one) => one)).toEqual([])
  }
})

test('an empty file has no password, and a file of something else is reported', async () => {
  expect(await createBreachedPasswords({ kind: 'file', path: await fileWith('') }, http, onError)('any')).toBe(false)
  const other = createBreachedPasswords({ kind: 'file', path: await fileWith('letmein\npassword\n') }, http, onError)
  await expect(other('any')).rejects.toMatchObject({ code: 'overloaded' })
  expect(String(errors.at(-1))).toContain('does not begin with a SHA-1')
})

test('a service learns five digits of the hash, and its added rows do not count', async () => {
  const asked: string[] = []
  await using service = await listenLocally(async (request, response) => {
    asked.push(`${request.url} ${String(request.headers['add-padding'])}`)
    const rows = [`${hashOf('breached')}:7`, `${hashOf('padding')}:0`].map((row) => row.slice(5))
    response.writeHead(200).end(rows.join('\r\n'))
  })
  const isBreached = createBreachedPasswords({ kind: 'service', url: `${service.url}/range/` }, http, onError)
  expect([await isBreached('breached'), await isBreached('padding'), await isBreached('another')]).toEqual([true, false, false])
  expect(asked[0]).toBe(`/range/${hashOf('breached').slice(0, 5)} true`)
})

test('a password is refused for now when the service does not answer as expected', async () => {
  await using service = await listenLocally(async (_request, response) => void response.writeHead(500).end())
  const isBreached = createBreachedPasswords({ kind: 'service', url: service.url }, http, onError)
  await expect(isBreached('any')).rejects.toMatchObject({ code: 'overloaded' })
})
