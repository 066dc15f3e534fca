import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, type Look, register } from './browser.ts'
import { guard } from './guard.ts'

describe.skipIf(chromiumPath === undefined)('the editor', { timeout: 90_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    const [started, launched] = await Promise.all([createTestServer(), launch(), buildWeb()])
    server = started
    browser = launched
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  /** A person with an empty workflow in the editor. */
  async function editing(look: Look = {}, expected: readonly RegExp[] = []) {
    const context = await contextOf(browser, server.url, look)
    const seen = guard(context, server.url, expected)
    const { page } = await register(context, server.url)
    await page.getByRole('button', { name: /Start empty/ }).click()
    await page.waitForURL(/\/workflows\/wf_/)
    await page.locator('[data-step="/do/0/greet"]').waitFor()
    return { page, context, seen, close: () => context.close() }
  }

  const step = (page: Page, pointer: string) => page.locator(`[data-step="${pointer}"]`)
  const saved = (page: Page) => page.locator('[data-saving="saved"]').waitFor()

  test('steps are added, moved, wrapped, removed and restored by the keyboard', async () => {
    const { page, seen, close } = await editing()
    await step(page, '/do/0/greet').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('a')
    await page.keyboard.type('wait')
    await page.keyboard.press('Enter')
    await step(page, '/do/1/pause').waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await step(page, '/do/0/pause').waitFor()
    await page.keyboard.press('w')
    await step(page, '/do/0/guard').waitFor()
    await page.keyboard.press('Delete')
    await step(page, '/do/0/greet').waitFor()
    await page.keyboard.press('Control+z')
    await step(page, '/do/0/guard/try/0/pause').waitFor()
    await saved(page)
    expect(seen).toEqual([])
    await close()
  })

  test('what was typed is there after a reload at once, and reaches the server', async () => {
    const { page, seen, close } = await editing()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('# typed a moment ago')
    await page.reload()
    await page.locator('.cm-line', { hasText: '# typed a moment ago' }).waitFor()
    await saved(page)
    expect(seen).toEqual([])
    await close()
  })

  test('a text that changed in another tab is not overwritten: a person merges the two', async () => {
    const { page, context, seen, close } = await editing({}, [/409 PUT/])
    const other = await context.newPage()
    await other.goto(page.url())
    await step(other, '/do/0/greet').waitFor()
    const add = async (tab: Page, kind: string) => {
      await step(tab, '/do/0/greet').click()
      await tab.keyboard.press('a')
      await tab.keyboard.type(kind)
      await tab.keyboard.press('Enter')
    }
    await add(other, 'wait')
    await saved(other)
    await page.bringToFront()
    await add(page, 'emit')
    await page.getByRole('heading', { name: 'Changed elsewhere' }).waitFor()
    await page.getByText('pause:').first().waitFor()
    await page.getByRole('button', { name: 'Keep the right side' }).click()
    await saved(page)
    await page.reload()
    await step(page, '/do/1/publish').waitFor()
    expect(seen).toEqual([])
    await close()
  })
})
