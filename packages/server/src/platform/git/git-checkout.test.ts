import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createGuardedAddress } from '#platform/net/guarded-address.ts'
import { startGitServer } from '#testing/git-server.ts'
import { openCheckout } from './git-checkout.ts'

const address = createGuardedAddress({ allow: ['127.0.0.0/8'] })
const never = new AbortController().signal

test('a repository that is too large ends its process, and leaves nothing behind', async () => {
  await using git = await startGitServer()
  // Random, so that compression does not help.
  await git.commit({ 'large.txt': randomBytes(3 * 1024 * 1024).toString('base64') })
  const parent = await mkdtemp(join(tmpdir(), 'checkouts-'))
  vi.stubEnv('TMPDIR', parent)
  const remote = { url: git.url, branch: 'main', headers: [], mibMax: 1 }
  await expect(openCheckout(remote, address, never)).rejects.toThrow('The repository is too large: one commit of it must fit in 1 MiB.')
  vi.unstubAllEnvs()
  expect(await readdir(parent)).toEqual([])
  await rmdir(parent)
})

test.each([
  ['a host that only Git sees', (port: string) => `http://192.0.2.1\\@127.0.0.1:${port}/repository.git`],
  ['a host behind a tab', (port: string) => `http://192.0.2.1\t\\@127.0.0.1:${port}/repository.git`],
  ['a host with a sign', (port: string) => `http://+localhost:${port}/repository.git`],
  ['a host with a hyphen first', (port: string) => `http://-localhost:${port}/repository.git`],
  ['a host with a dot last', (port: string) => `http://localhost.:${port}/repository.git`],
])('%s is not reached', async (_case, urlOf) => {
  const reached: (string | undefined)[] = []
  const internal = createServer((request, response) => {
    reached.push(request.url)
    response.writeHead(404).end()
  })
  await once(internal.listen(0, '127.0.0.1'), 'listening')
  const { port } = Object(internal.address())
  const closed = () => Promise.resolve('192.0.2.1')
  const remote = { url: urlOf(String(port)), branch: 'main', headers: [] }
  const outcome = openCheckout(remote, closed, AbortSignal.timeout(3_000)).then(
    () => 'opened',
    () => 'refused',
  )
  expect(await outcome).toBe('refused')
  internal.close()
  expect(reached).toEqual([])
})

test('an abort ends Git at once', async () => {
  await using git = await startGitServer()
  await git.commit({ 'a.yaml': 'a: 1' })
  await expect(
    openCheckout({ url: git.url, branch: 'main', headers: [] }, address, AbortSignal.abort(new Error('closing'))),
  ).rejects.toThrow('closing')
})

test('a push to a branch that has moved meanwhile is refused, and neither side is lost', async () => {
  await using git = await startGitServer()
  await git.commit({ 'a.yaml': 'a: 1' })
  await using checkout = await openCheckout({ url: git.url, branch: 'main', headers: [] }, address, never)
  await git.commit({ 'a.yaml': 'a: 2' })
  await expect(checkout.push(new Map([['a.yaml', 'a: 3']]), { message: 'Mine', people: [], at: new Date(0) })).rejects.toThrow(
    /rejected|fetch first|failed to push/,
  )
  expect(await git.read('a.yaml')).toBe('a: 2')
})

test('neither the environment nor the configuration of the machine reaches Git', async () => {
  await using git = await startGitServer()
  await git.commit({ 'a.yaml': 'a: 1' })
  vi.stubEnv('GIT_TRACE', '/dev/stderr').stubEnv('GIT_CONFIG_GLOBAL', '/nonexistent').stubEnv('http_proxy', 'http://127.0.0.1:9')
  await using checkout = await openCheckout({ url: git.url, branch: 'main', headers: [] }, address, never)
  expect(await checkout.files('')).toEqual([{ path: 'a.yaml', text: 'a: 1' }])
  vi.unstubAllEnvs()
})
