import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testConformance } from '@millrace/jq/testing/conformance.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchConformance, type Source } from './fetch.ts'
import manifest from './manifest.json' with { type: 'json' }

const commit = 'c0ffee'.padEnd(40, '0')

let folder: string
let stop: (() => Promise<void>) | undefined
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'data')
})
afterEach(async () => {
  await stop?.()
  stop = undefined
  await rm(join(folder, '..'), { recursive: true, force: true })
})

/** A mirror with these files by `owner/name/path`, which replaces both hosts. */
async function mirror(textOf: (path: string) => string | undefined) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    asked.push(url)
    if (url.startsWith('/repos/')) response.end(JSON.stringify([{ sha: commit }]))
    else {
      const text = textOf(decodeURIComponent(url.slice(1)).replace(`/${commit}/`, '/'))
      response.writeHead(text === undefined ? 404 : 200).end(text)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { asked, hosts: { api: url, raw: url } }
}

function sourceOf(files: Readonly<Record<string, string>>): Source {
  const rows = Object.entries(files).map(([from, text]) => ({
    from,
    to: `theirs/${from}`,
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  return { repository: 'owner/name', license: 'MIT', branch: 'main', until: '2026-07-29T23:59:59Z', files: rows }
}

test('what the digests name is downloaded, from the last commit up to the time given', async () => {
  const { asked, hosts } = await mirror((path) => ({ 'owner/name/a/b.txt': 'one', 'owner/name/c.txt': 'two' })[path])
  expect(await fetchConformance([sourceOf({ 'a/b.txt': 'one', 'c.txt': 'two' })], folder, hosts)).toBe(2)
  expect(readFileSync(join(folder, 'theirs/a/b.txt'), 'utf8')).toBe('one')
  expect(asked).toContain('/repos/owner/name/commits?sha=main&until=2026-07-29T23:59:59Z&per_page=1')
})

test.each([
  ['another content', 'two', 'has the SHA-256'],
  ['no file', undefined, 'answers 404'],
])('with %s anywhere nothing is replaced, and the address is named', async (_what, second, message) => {
  const whole = await mirror(() => 'one')
  await fetchConformance([sourceOf({ 'a.txt': 'one' })], folder, whole.hosts)
  await stop?.()
  const broken = await mirror((path) => (path.endsWith('b.txt') ? second : 'new'))
  const fetching = fetchConformance([sourceOf({ 'a.txt': 'new', 'b.txt': 'three' })], folder, broken.hosts)
  await expect(fetching).rejects.toThrow(message)
  await expect(fetching).rejects.toThrow(`${broken.hosts.raw}/owner/name/${commit}/b.txt`)
  expect(readFileSync(join(folder, 'theirs/a.txt'), 'utf8')).toBe('one')
  expect(existsSync(`${folder}.partial`)).toBe(false)
})

test('a host that is away is named', async () => {
  const { hosts } = await mirror(() => 'one')
  await stop?.()
  stop = undefined
  await expect(fetchConformance([sourceOf({ 'a.txt': 'one' })], folder, hosts)).rejects.toThrow(`${hosts.api}/repos/owner/name`)
})

testConformance('the manifest names every file that tests use, as it is', async (data) => {
  const places = new Map<string, string>(
    manifest.sources.flatMap(({ repository, files }) => files.map(({ from, to }) => [`${repository}/${from}`, to] as const)),
  )
  const { hosts } = await mirror((path) => data.read(places.get(path) ?? ''))
  await fetchConformance(manifest.sources, folder, hosts)
  const names = new Set(places.values())
  for (const name of ['jq/jq.test', 'ows/dsl-reference.md']) expect(names).toContain(name)
  for (const name of data.list('ows', '.feature')) expect(names).toContain(`ows/${name}`)
  for (const name of data.list('ows/examples', '.yaml')) expect(names).toContain(`ows/examples/${name}`)
})
