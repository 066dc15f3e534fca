import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '@millrace/contract'
import type { ServedGroup } from '#platform/http/http-server.ts'
import { type Kernel, startKernel } from '#testing/kernel.ts'

const served: Record<string, ServedGroup> = Object.fromEntries(
  Object.entries(groups).map(([name, operations]) => [name, { operations, mountOn: () => undefined }]),
)
const page = { headers: { accept: 'text/html,application/xhtml+xml' } }

let directory: string
let kernel: Kernel
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-web-'))
  kernel = await startKernel({ groups: served, web: { directory, boot: () => ({ version: '1.2.3', text: '</script><b>' }) } })
})
afterAll(async () => {
  await kernel[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

async function build(): Promise<void> {
  await mkdir(join(directory, 'assets'), { recursive: true })
  await writeFile(join(directory, 'index.html'), '<!doctype html><html lang="en"><head><!--boot--></head><body></body></html>')
  await writeFile(join(directory, 'assets/main-abc.js'), 'plain')
  await writeFile(join(directory, 'assets/main-abc.js.br'), Buffer.from([0x0b, 0x01, 0x80, 0x62, 0x72, 0x03]))
  await writeFile(join(directory, 'secret.txt'), 'secret')
}

test('before the interface is built, a page says so and loads again by itself', async () => {
  const response = await kernel.fetch('/', page)
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('http-equiv="refresh"')
})

describe('a built interface', () => {
  beforeAll(build)

  test.each(['/', '/workflows', '/runs/exec_1?at=2'])('%s is the page, without a rate limit', async (path) => {
    const response = await kernel.fetch(path, page)
    expect(response.status).toBe(200)
    expect(response.headers.get('ratelimit-limit')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  test.each([
    ['GET', '/', undefined, 200],
    ['HEAD', '/', '*/*', 200],
    ['GET', '/', 'application/json', 404],
    ['GET', '/workflows', '*/*', 404],
    ['POST', '/', '*/*', 404],
  ])('%s %s by a program that accepts %s is answered with %i', async (method, path, accept, status) => {
    const response = await kernel.fetch(path, { method, headers: accept === undefined ? {} : { accept } })
    expect(response.status).toBe(status)
  })

  test('boot data cannot end its script element', async () => {
    const text = await (await kernel.fetch('/', page)).text()
    const [, data = ''] = /<script type="application\/json" id="boot">(.*?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(data)).toEqual({ version: '1.2.3', text: '</script><b>', locale: 'en' })
  })

  test('every page has its own nonce, which its policy names', async () => {
    const responses = await Promise.all([kernel.fetch('/', page), kernel.fetch('/', page)])
    const nonces = await Promise.all(
      responses.map(async (response) => {
        const [, nonce = ''] = /nonce="([^"]+)"/.exec(await response.text()) ?? []
        expect(response.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`)
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
  })

  test('the policy allows no inline script, no other origin and no text that becomes code', async () => {
    const policy = (await kernel.fetch('/', page)).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; ")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:/)
  })

  test.each([
    [{ cookie: 'a=b; millrace_theme=dark; millrace_locale=ar' }, '<html lang="ar" dir="rtl" data-theme="dark">'],
    [{ cookie: 'millrace_theme=evil"><script>; millrace_locale=fr' }, '<html lang="en" dir="ltr">'],
    [{ 'accept-language': 'ar-EG,ar;q=0.9' }, '<html lang="ar" dir="rtl">'],
  ])('theme and language are set before the first paint: %j', async (headers, expected) => {
    const response = await kernel.fetch('/', { headers: { ...page.headers, ...headers } })
    expect(await response.text()).toContain(expected)
  })

  test('assets are compressed and immutable', async () => {
    const response = await kernel.fetch('/assets/main-abc.js', { headers: { 'accept-encoding': 'br' } })
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; script-src 'self'; frame-ancestors 'none'")
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const plain = await kernel.fetch('/assets/main-abc.js', { headers: { 'accept-encoding': 'identity' } })
    expect(await plain.text()).toBe('plain')
  })

  test.each(['/assets/..%2fsecret.txt', '/assets/%2e%2e/secret.txt', '/assets/nothing.js', '/secret.txt'])(
    '%s serves no file',
    async (path) => {
      const response = await kernel.fetch(path)
      expect(response.status).toBe(404)
      expect(await response.text()).not.toContain('secret\n')
    },
  )

  test.each(['/api/v1/nothing', '/auth/nothing', '/billing/x', '/hooks/x', '/docs/x', '/scim/v2/x'])(
    '%s stays a problem for every caller, a browser included',
    async (path) => {
      const response = await kernel.fetch(path, page)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toContain('problem+json')
    },
  )

  test.each([
    ['a program', '/workflows', {}],
    ['another method', '/workflows', { ...page, method: 'POST' }],
  ])('%s gets a problem at the path of a page', async (_what, path, init) => {
    expect((await kernel.fetch(path, init)).headers.get('content-type')).toContain('problem+json')
  })
})
