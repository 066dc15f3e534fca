import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StandInRequest, startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const readPage = (name: string) => readFileSync(new URL(name, docs), 'utf8')
/** Where the pages have the services of their reader. */
const address = 'http://127.0.0.1:4567'

interface Recipe {
  readonly title: string
  readonly definition: string
  /** Of `Input:`, `Output:` and `Error:`. */
  readonly shown: Readonly<Record<string, unknown>>
}

/** The sections of a page that have a definition, with the values below it. */
function recipesOf(page: string): readonly Recipe[] {
  return page.split(/^## /m).flatMap((section) => {
    const definition = /^```yaml\n(document:[^]*?)^```$/m.exec(section)?.[1]
    if (definition === undefined) return []
    const values = [...section.matchAll(/^(Input|Output|Error):\n\n```json\n([^]*?)^```$/gm)]
    const shown = Object.fromEntries(values.map(([, label = '', text = '']) => [label, JSON.parse(text)]))
    return [{ title: section.split('\n')[0] ?? '', definition, shown }]
  })
}

/** The services: one is overloaded twice, and a job is done when it is asked about for the second time. */
function services() {
  const seen = new Map<string, number>()
  return ({ path, body }: StandInRequest) => {
    const count = (seen.get(path) ?? 0) + 1
    seen.set(path, count)
    const stock: Readonly<Record<string, number>> = { tea: 3, 'black cup': 9 }
    const sku = decodeURIComponent(/^\/stock\/(.*)$/.exec(path)?.[1] ?? '')
    if (sku !== '') return { body: { sku, stock: stock[sku] } }
    if (path === '/flaky') return count % 3 === 0 ? { body: { charged: Object(body).amount } } : { status: 503 }
    if (path.startsWith('/broken')) return { status: 500 }
    if (path === '/jobs/1') return { body: count > 1 ? { state: 'done', result: 42 } : { state: 'running' } }
    return { body: path.startsWith('/customers/') ? { name: 'Ada' } : path.startsWith('/orders/') ? { items: 3 } : {} }
  }
}

let server: TestServer
let account: TestAccount
let world: Awaited<ReturnType<typeof startHttpStandIn>>
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  world = await startHttpStandIn(services())
})
afterAll(async () => {
  await server.close()
  await world[Symbol.asyncDispose]()
})

const recipePages = ['cookbook.md', 'tutorial.md', 'tasks.md']

describe.each(recipePages)('docs/%s', (name) => {
  const recipes = recipesOf(readPage(name))

  test('every definition of the page has a section of its own', () => {
    expect(recipes.length).toBe(readPage(name).match(/^document: /gm)?.length)
  })

  test.each(recipes)('$title', async ({ definition, shown }) => {
    const runs = 'Output' in shown || 'Error' in shown
    const text = definition.replaceAll(address, world.url)
    const made = await account.send('POST', '/api/v1/workflows', { definition: text, publish: runs })
    // The server of the test sends no mail, so that no one outside can decide, and has no model.
    const lacks = new Set(['missing_mail', 'unanswerable_approval', 'missing_model'])
    const warnings = made.body.warnings.filter(({ code }: { code: string }) => !lacks.has(code))
    expect([made.body.state, warnings]).toEqual([runs ? 'published' : 'draft', []])
    if (!runs) return
    const ran = await account.send('POST', `/api/v1/execute/${made.body.id}/run`, { input: shown['Input'] ?? {} })
    if ('Error' in shown) expect(ran).toMatchObject({ status: 422, body: { code: 'execution_faulted', error: shown['Error'] } })
    else expect([ran.status, ran.body]).toEqual([200, shown['Output']])
  })
})

test('every other definition of the documentation is valid', async () => {
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md') && !recipePages.includes(name))
  const definitions = pages.flatMap((page) =>
    [...readPage(page).matchAll(/^```yaml\n((?:document|do):[^]*?)^```$/gm)].map(([, text = '']) => ({ page, text })),
  )
  const refused: unknown[] = []
  for (const { page, text } of definitions) {
    const head = text.startsWith('do:') ? "document: { dsl: '1.0.3', namespace: docs, name: part, version: '1.0.0' }\n" : ''
    const { status, body } = await account.send('POST', '/api/v1/workflows', { definition: `${head}${text}`, publish: false })
    // Several pages may show the same workflow.
    if (status !== 200 && body.code !== 'workflow_name_taken') refused.push([page, text.slice(0, 80), body.diagnostics ?? body])
  }
  expect(refused).toEqual([])
  expect(definitions.length).toBeGreaterThan(0)
})
