import { createTestServer, type TestAccount, type TestServer } from '@millrace/server/testing/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, signIn } from './browser.ts'
import { guard } from './guard.ts'

const looping = `document: { dsl: 1.0.3, namespace: e2e, name: looping, version: 1.0.0 }
do:
- begin: { set: { lines: '\${ .lines }' } }
- each:
    for: { each: line, in: '\${ .lines }' }
    do:
    - take: { set: { line: '\${ $line }' } }
- rest: { wait: { milliseconds: 20 } }
- finish: { set: { sum: '\${ $workflow.input.lines | add }' } }
`

// Without a Chromium (Debian: apt install chromium) the journeys are skipped.
describe.skipIf(chromiumPath === undefined)('the view of a run', { timeout: 90_000 }, () => {
  let server: TestServer
  let browser: Browser
  let account: TestAccount
  let workflow: string
  beforeAll(async () => {
    const [started, launched] = await Promise.all([createTestServer(), launch(), buildWeb()])
    server = started
    browser = launched
    account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: looping } })
    workflow = id
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  async function signedIn() {
    const context = await contextOf(browser, server.url)
    const seen = guard(context, server.url)
    return { page: await signIn(context, server.url, account), seen, close: () => context.close() }
  }

  async function runOf(input: object, id = workflow): Promise<string> {
    const run = await account.client.workflows.execute({ params: { id }, body: { input: { ...input } } }, { waitSeconds: 10 })
    return run.id
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('a person moves through a run, and sees steps and values as they were', async () => {
    const id = await runOf({ lines: [1, 2, 3] })
    const { page, seen, close } = await signedIn()
    await page.goto(`${server.url}/runs/${id}`)
    const slider = page.getByRole('slider', { name: 'Moment' })
    await slider.focus()
    await page.keyboard.press('Home')
    await page.getByText('Before the first step').first().waitFor()
    expect(await page.locator('.flow .entry[data-state]').count()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await page.locator('.step-panel', { hasText: 'begin' }).waitFor()
    expect(await page.locator('.step-panel .step-body').first().textContent()).toContain('"lines"')
    // begin, each, and three rounds of take: then the loop ends and the wait begins.
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight')
    await page.locator('.flow .entry[data-state="waiting"]', { hasText: 'rest' }).waitFor()
    expect(await page.locator('.flow .entry[data-state]', { hasText: 'finish' }).count()).toBe(0)
    await press(page, 'Back to the end')
    await page.locator('.flow .entry[data-state="completed"]', { hasText: 'finish' }).waitFor()
    await press(page, 'Play the run')
    await page.locator('.flow .entry[data-state="waiting"]', { hasText: 'rest' }).waitFor()
    expect(seen).toEqual([])
    await close()
  })

  test('a run of many rounds keeps the page small, and each of its rounds can be seen', async () => {
    const id = await runOf({ lines: Array.from({ length: 3000 }, (_, index) => index) })
    const { page, seen, close } = await signedIn()
    await page.goto(`${server.url}/runs/${id}`)
    await page.locator('.tl[data-entries="3003"]').waitFor()
    expect(Number(await page.evaluate('document.querySelectorAll("*").length'))).toBeLessThan(1500)
    await page.locator('.tlname', { hasText: 'take' }).click()
    await page.getByText('3000 of 3000').first().waitFor()
    await page.getByRole('slider', { name: 'Tries and rounds' }).focus()
    await page.keyboard.press('Home')
    await page.getByText('1 of 3000').waitFor()
    await press(page, 'Later round')
    await page.getByText('2 of 3000').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"line": 0')
    expect(seen).toEqual([])
    await close()
  })

  test('two runs are compared task by task, beginning with where they part', async () => {
    const first = await runOf({ lines: [1, 2, 3] })
    const second = await runOf({ lines: [1, 5] })
    const { page, seen, close } = await signedIn()
    await page.goto(`${server.url}/runs/${second}`)
    await press(page, 'Compare')
    await page.getByRole('dialog').locator(`a[href*="${first}"]`).click()
    await page.waitForURL(/\/runs\/compare/)
    await page.getByRole('heading', { name: 'The same until begin' }).waitFor()
    expect(await page.locator('.cmp-first').textContent()).toContain('.lines[1]25')
    await page.getByRole('heading', { name: '3 of 4 tasks differ' }).waitFor()
    await page.getByText('2 of 3 rounds differ').click()
    expect(await page.locator('.cmp-tasks').textContent()).toContain('.line25')
    await page.getByRole('link', { name: 'Swap' }).click()
    await page.waitForURL(new RegExp(`a=${second}`))
    expect(seen).toEqual([])
    await close()
  })

  test('a run is proven on the device, and a retry is previewed before it starts', async () => {
    const definition = `document: { dsl: 1.0.3, namespace: e2e, name: divides, version: 1.0.0 }
do:
- rest: { wait: { milliseconds: 5 } }
- divide: { set: { result: '\${ 10 / $workflow.input.by }' } }
`
    const { id } = await account.client.workflows.create({ body: { definition } })
    const run = await runOf({ by: 0 }, id)
    const { page, seen, close } = await signedIn()
    await page.goto(`${server.url}/runs/${run}`)
    await press(page, 'Prove it')
    await page.getByText('Proven in this browser').waitFor()
    await page.getByText(/This device walked the run again from 1 journal entry/).waitFor()
    await press(page, 'Retry')
    const sheet = page.getByRole('dialog')
    await sheet.getByText('It fails again at divide').waitFor()
    expect(await sheet.locator('.retry-preview').textContent()).toContain('rest')
    await sheet.getByRole('textbox').fill('{ "by": 5 }')
    await sheet.getByText('It completes without calling anything.').waitFor()
    await sheet.getByRole('button', { name: 'Retry' }).click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(seen).toEqual([])
    await close()
  })
})
