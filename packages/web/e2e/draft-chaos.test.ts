import { chromiumPath, launchChromium } from '@millrace/server/testing/chromium'
import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { admit, contextOf } from './browser.ts'

const rounds = inject('deep') ? 200 : 5
const seed = 4711

type Trouble = 'killed' | 'offline' | 'conflict' | 'signed out'
const troubles: readonly Trouble[] = ['killed', 'offline', 'conflict', 'signed out']
const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord']

// `npx vitest run --project browser --mode deep packages/web/e2e/draft-chaos.test.ts` does 200 rounds.
describe.skipIf(chromiumPath === undefined)('drafts under trouble', () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    const [started, launched] = await Promise.all([createTestServer(), launchChromium(), buildWeb()])
    server = started
    browser = launched
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test(
    `what was typed is there after killed tabs, lost connections, conflicts and ended sessions (${rounds} rounds, seed ${seed})`,
    async () => {
      const context = await contextOf(browser, server.url)
      const { page } = await admit(context, server.url)
      await page.goto(`${server.url}/`)
      await page.getByRole('button', { name: /Start empty/ }).click()
      await page.waitForURL(/\/workflows\/wf_/)
      await page.evaluate("localStorage.setItem('millrace.editor.view', 'text')")
      // Only lines in sight are drawn, and a test reads them.
      const tall = { width: 1280, height: 1_000 + rounds * 25 }
      const draw = numbersFrom(seed)
      const address = page.url()
      let tab = page
      await tab.setViewportSize(tall)
      await tab.reload()
      for (let round = 0; round < rounds; round++) {
        const trouble = troubles[round] ?? troubles[draw(troubles.length)] ?? 'killed'
        const typed = await suffer(context, tab, trouble, `# ${round} ${words[draw(words.length)]}`, draw(5) * 400)
        tab = await context.newPage()
        await tab.setViewportSize(tall)
        await tab.goto(address)
        expect(await textOf(tab), `round ${round}: ${trouble}`).toBe(typed)
        const isJoined = await decide(tab)
        await tab.locator('[data-saving="saved"]').waitFor()
        expect(await textOf(tab), `round ${round}: ${trouble}, saved`).toBe(isJoined ? `#${typed}` : typed)
      }
      await context.close()
    },
    rounds * 20_000,
  )

  test('two tabs on one workflow each keep what was typed in them, and a person merges the two', async () => {
    const context = await contextOf(browser, server.url)
    const { page: first } = await admit(context, server.url)
    await first.goto(`${server.url}/`)
    await first.getByRole('button', { name: /Start empty/ }).click()
    await first.waitForURL(/\/workflows\/wf_/)
    await first.evaluate("localStorage.setItem('millrace.editor.view', 'text')")
    await first.reload()
    await textOf(first)
    const second = await context.newPage()
    await second.goto(first.url())
    await textOf(second)
    // A tab that closes sends its text, although the network of the browser is set to offline. The server shall get neither text.
    for (const tab of [first, second]) await tab.evaluate("globalThis.fetch = () => Promise.reject(new TypeError('offline'))")
    await typeLine(first, '# of the first')
    await typeLine(second, '# of the second')
    await Promise.all([first.close(), second.close()])
    const tab = await context.newPage()
    await tab.goto(first.url())
    await tab.getByRole('heading', { name: 'Typed in another tab' }).waitFor()
    const sides = await tab.locator('.merge .cm-content').allTextContents()
    expect(sides.map((side) => ['# of the first', '# of the second'].filter((line) => side.includes(line)).length)).toEqual([1, 1])
    expect(sides.join()).toContain('# of the first')
    expect(sides.join()).toContain('# of the second')
    await tab.getByRole('button', { name: 'Take the other text' }).click()
    await tab.locator('[data-saving="saved"]').waitFor()
    expect(await textOf(tab)).toContain('# of the first')
    await tab.reload()
    await tab.locator('[data-saving="saved"]').waitFor()
    await context.close()
  })
})

/** Types a line at the end of a text. */
async function typeLine(page: Page, line: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.type(line)
}

/** Types into the editor, gets into trouble, and kills the tab after a while. Returns what was typed. */
async function suffer(context: BrowserContext, page: Page, trouble: Trouble, line: string, restMs: number): Promise<string> {
  if (trouble === 'offline') await context.setOffline(true)
  if (trouble === 'signed out') await page.route('**/draft', (route) => route.fulfill({ status: 401, json: { code: 'unauthenticated' } }))
  if (trouble === 'conflict') await changeElsewhere(context, page)
  await typeLine(page, line)
  const typed = await textOf(page)
  expect(typed.endsWith(line)).toBe(true)
  await page.waitForTimeout(restMs)
  await page.close()
  await context.setOffline(false)
  return typed
}

/** Another device saves another text. */
async function changeElsewhere(context: BrowserContext, page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.locator('.cm-content').click()
  await other.keyboard.press('Control+Home')
  await other.keyboard.type('#')
  await other.locator('[data-saving="saved"]').waitFor()
  await other.close()
  expect(context.pages().length).toBeGreaterThan(0)
}

/** A conflict is decided for the text that has the changes of both. @returns whether there was one. */
async function decide(page: Page): Promise<boolean> {
  const dialog = page.getByRole('heading', { name: 'Changed elsewhere' })
  const saved = page.locator('[data-saving="saved"]')
  await dialog.or(saved).first().waitFor()
  if (!(await dialog.isVisible())) return false
  await page.locator('dialog .btn.primary').click()
  return true
}

/** The text of the editor, which is short enough to be drawn whole. */
async function textOf(page: Page): Promise<string> {
  await page.locator('.editor-cols .cm-content').waitFor()
  const text: unknown = await page.evaluate(
    "[...document.querySelector('.editor-cols .cm-content').querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')",
  )
  return String(text)
}

/** Numbers below a bound, the same for the same seed. */
function numbersFrom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
