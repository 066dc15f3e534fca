import { groups, toOpenApi } from '@millrace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServedGroup } from '#platform/http/http-server.ts'
import { type Kernel, startKernel } from '#testing/kernel.ts'
import { curlOf } from './curl.ts'
import { html, inline, prose } from '#platform/html.ts'
import { nodeOf } from './schema-view.ts'

const operations = Object.values(groups).flatMap((group) => Object.values(group))
const described: Record<string, ServedGroup> = Object.fromEntries(
  Object.entries(groups).map(([name, group]) => [name, { operations: group, mountOn: () => undefined }]),
)

let kernel: Kernel
let page: string
beforeAll(async () => {
  kernel = await startKernel({ groups: described })
  page = await (await kernel.fetch('/docs')).text()
})
afterAll(() => kernel[Symbol.asyncDispose]())

describe('the published description', () => {
  test.each(['/api/v1/openapi.json', '/openapi.json'])(
    'the description is served at %s with the headers of every response',
    async (path) => {
      const response = await kernel.fetch(path)
      expect(await response.json()).toEqual(JSON.parse(JSON.stringify(toOpenApi(groups))))
      expect(response.headers.get('content-type')).toContain('application/json')
      for (const name of ['x-request-id', 'ratelimit-limit', 'ratelimit-policy']) expect(response.headers.get(name)).not.toBeNull()
    },
  )
})

describe('the reference page', () => {
  test.each(operations.map((op) => [op.id, op] as const))('the reference page describes %s', (_, op) => {
    expect(page).toContain(`<code>${op.path}</code>`)
    expect(page).toContain(op.summary)
  })

  test('links to nothing that is not there', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter((link) => !ids.has(link))).toEqual([])
    expect([...page.matchAll(/ id="([^"]+)"/g)]).toHaveLength(ids.size)
  })

  test('loads only what we serve, and allows no script or style in itself', async () => {
    const response = await kernel.fetch('/docs')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'")
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/)
    const assets = [...page.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(assets).toEqual(['/docs/reference.css', '/docs/reference.js'])
    const loaded = await Promise.all(assets.map((path) => kernel.fetch(path)))
    expect(loaded.map((asset) => [asset.status, asset.headers.get('content-type')])).toEqual([
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ])
  })

  test('comes compressed where the caller takes it', async () => {
    const response = await kernel.fetch('/docs', { headers: { 'accept-encoding': 'br' } })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(await response.text()).toBe(page)
  })

  test('counts against the rate limit like everything else', async () => {
    const limit = { limit: 1, windowSeconds: 60 }
    await using limited = await startKernel({
      groups: described,
      config: { rateLimits: { global: limit, auth: limit, refresh: limit, execution: limit } },
    })
    expect((await limited.fetch('/docs')).status).toBe(200)
    expect((await limited.fetch('/docs/reference.css')).status).toBe(429)
  })
})

describe('markup', () => {
  test('escapes text and keeps markup', () => {
    expect(html`<b title="${'"x" & <y>'}">${html`<i>${"it's"}</i>`}${undefined}${[1, ' ', 'a']}</b>`.text).toBe(
      '<b title="&quot;x&quot; &amp; &lt;y&gt;"><i>it&#39;s</i>1 a</b>',
    )
  })

  test('knows code, emphasis, paragraphs and lists', () => {
    expect(inline('a `<b>` and **c**').text).toBe('a <code>&lt;b&gt;</code> and <strong>c</strong>')
    expect(prose('one\n\n- two\n- three').text).toBe('<p>one</p><ul><li>two</li><li>three</li></ul>')
  })
})

test('a call can be pasted into a shell: quotes in its body are quoted', () => {
  const op = operations.find((candidate) => candidate.id === 'auth.login')
  if (op === undefined) throw new Error('auth.login is not served')
  const media = { 'application/json': { example: { text: "it's $HOME" } } }
  expect(curlOf(op, nodeOf({ requestBody: { content: media } }))).toBe(
    `curl -X POST "$MILLRACE/api/v1/auth/login" \\\n  -H "Content-Type: application/json" \\\n  -d '{\n  "text": "it'\\''s $HOME"\n}'`,
  )
})
