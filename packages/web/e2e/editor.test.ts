import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, type Look, register } from './browser.ts'
import { axeFindings, guard } from './guard.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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

  test('what saves itself can be published, is there after a look at another tab, and a refusal is said', async () => {
    const { page, seen, close } = await editing({}, [/422/])
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const setMessage = async (expression: string) => {
      await step(page, '/do/0/greet').click()
      const field = page.locator('aside.step textarea, aside.step input').last()
      await field.fill(expression)
      await saved(page)
      return field
    }
    await press('Publish')
    await page.getByText('Version 1 is published.').waitFor()
    await setMessage('${ .name + }')
    await press('Publish')
    await page.getByText('version 1 still runs').waitFor()
    await setMessage('${ .name }')
    await page.getByText('version 1 still runs').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Starts' }).click()
    await page.getByRole('tab', { name: 'Definition' }).click()
    await step(page, '/do/0/greet').click()
    expect(await page.locator('aside.step textarea, aside.step input').last().inputValue()).toBe('${ .name }')
    await press('Publish')
    await page.getByText('Version 2 is published.').waitFor()
    expect(seen).toEqual([])
    await close()
  })

  test('a step calls a function of a connector: its arguments are fields, and its connection is chosen', async () => {
    const { page, seen, close } = await editing()
    const workflow = page.url()
    await page.goto(`${server.url}/connections`)
    await page.locator('.pagehead').getByRole('button', { name: 'New connection' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('team')
    await form.getByLabel('Kind').selectOption('bearer')
    // Nothing listens there: the test of the connection fails at once.
    await form.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9')
    await form.getByLabel('Token', { exact: true }).fill('a token')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/connections\/conn_/)
    await page.goto(workflow)
    await step(page, '/do/0/greet').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('a')
    await page.keyboard.type('slack post')
    await page.getByRole('option', { name: /slack\.postMessage/ }).waitFor()
    await page.keyboard.press('Enter')
    await step(page, '/do/1/postMessage').click()
    await page.locator('[data-field="connection"] select').selectOption('team')
    await page.locator('[data-field="channel"] textarea').fill('#general')
    await saved(page)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.locator('.cm-line', { hasText: 'connection: team' }).waitFor()
    await page.locator('.cm-line', { hasText: /channel: ["']#general["']/ }).waitFor()
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

  test('a problem is corrected by one click, and undone as one step', async () => {
    const { page, seen, close } = await editing()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Home')
    await page.keyboard.insertText('  - pause: { wiat: PT1S }\n')
    await page.getByRole('button', { name: '1 problem' }).click()
    await page.locator('[data-fix="Write wait"]').click()
    await page.locator('.cm-line', { hasText: 'pause: { wait: PT1S }' }).waitFor()
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.locator('.cm-line', { hasText: 'wiat' }).waitFor()
    await saved(page)
    expect(seen).toEqual([])
    await close()
  })

  test('one step is tested for real, and its result is kept as a sample', async () => {
    const { page, seen, close } = await editing()
    await step(page, '/do/0/greet').click()
    await page.locator('.step [data-field="set"] textarea').first().fill('${ "Hello \\(.name)" }')
    await page.locator('.step').getByRole('tab', { name: 'Result' }).click()
    await page.locator('.step-test .cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('{"name":"Ada"}')
    await page.getByRole('button', { name: 'Test this step' }).click()
    await page.locator('[data-tested="completed"]', { hasText: 'Hello Ada' }).waitFor()
    await page.getByRole('button', { name: 'Keep as sample' }).click()
    await page.getByText('Kept as sample.').waitFor()
    await page.reload()
    await step(page, '/do/0/greet').click()
    await page.locator('.step').getByRole('tab', { name: 'Result' }).click()
    await page.getByLabel('Input from').selectOption('Sample')
    await page.locator('.step-test .cm-line', { hasText: '"name": "Ada"' }).waitFor()
    expect(seen).toEqual([])
    await close()
  })

  const form = (page: Page, name: string) => page.locator('.step').getByLabel(name, { exact: true }).first()

  /** Runs the workflow with an input, and reads its result. */
  async function resultOf(page: Page, input: string): Promise<string> {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('textarea').fill(input)
    await dialog.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.runhead span.st-completed').waitFor()
    return (await page.locator('.step-panel .json').first().textContent()) ?? ''
  }

  test('a workflow of six steps with a branch and a loop is built by mouse, rehearsed, published and run', async () => {
    const { page, seen, close } = await editing()
    const add = async (list: string, index: number, kind: string) => {
      await page.locator(`[data-slot="${list}:${index}"]`).click()
      await page.getByRole('option', { name: new RegExp(`^${kind}`) }).click()
      await page.locator(`[data-step^="${list}/${index}/"][aria-pressed="true"]`).waitFor()
    }
    await step(page, '/do/0/greet').click()
    await form(page, 'message').fill('${ "Order of \\(.customer)" }')
    await page.locator('.step [data-field="set"]').getByRole('button', { name: 'Add' }).click()
    await page.locator('.step .rows-key').nth(1).fill('total')
    await page.locator('.step .rows-key').nth(1).press('Enter')
    await form(page, 'total').fill('${ .lines | add }')
    await add('/do', 1, 'Branch')
    await step(page, '/do/1/route').waitFor()
    await form(page, 'When').fill('${ .total > 5 }')
    await add('/do/1/route/do/1/yes/do', 0, 'Set data')
    await form(page, 'value').fill('large')
    await add('/do/1/route/do/2/otherwise/do', 0, 'Set data')
    await form(page, 'value').fill('small')
    await add('/do', 2, 'Loop')
    await form(page, 'List').fill('${ $workflow.input.lines }')
    await add('/do/2/each/do', 0, 'Set data')
    await form(page, 'value').fill('${ $item * 2 }')
    await add('/do', 3, 'Set data')
    await form(page, 'value').fill('${ "\\($steps.greet.message): \\($steps.route.value), \\(.value)" }')
    await page.getByRole('button', { name: /Rehearse/ }).click()
    await page.getByRole('dialog').locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    // Typed over a selection, Chromium inserts with inline styles, which the policy refuses.
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('{"customer":"Ada","lines":[1,2,4]}')
    await page.getByRole('dialog').getByText('Order of Ada: large, 8').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('[data-way="not"] [data-step="/do/1/route/do/2/otherwise/do/0/prepare"]').waitFor()
    expect(await resultOf(page, '{"customer":"Bo","lines":[1,2]}')).toContain('Order of Bo: small, 4')
    expect(seen).toEqual([])
    await close()
  })

  test('the same is built by the keyboard alone', async () => {
    const { page, seen, close } = await editing()
    const keys = page.keyboard
    const add = async (kind: string) => {
      await keys.press('a')
      await keys.type(kind)
      await keys.press('Enter')
    }
    /** Opens the form, and writes into the field that has the name, by the tab key. */
    const fill = async (label: string, text: string) => {
      await keys.press('Enter')
      for (let left = 30; left > 0; left--) {
        if ((await page.evaluate('document.activeElement.getAttribute("aria-label")')) === label) break
        await keys.press('Tab')
      }
      await keys.press('Control+a')
      await keys.insertText(text)
      await keys.press('Escape')
    }
    await step(page, '/do/0/greet').focus()
    await keys.press('ArrowDown')
    await fill('message', '${ .lines | add }')
    await add('branch')
    await step(page, '/do/1/route').waitFor()
    await fill('When', '${ .message > 5 }')
    await keys.press('ArrowRight')
    await add('set')
    await fill('value', 'large')
    await keys.press('ArrowDown')
    await add('set')
    await fill('value', 'small')
    await keys.press('End')
    await keys.press('ArrowLeft')
    await keys.press('ArrowLeft')
    await add('loop')
    await step(page, '/do/2/each').waitFor()
    await fill('List', '${ $workflow.input.lines }')
    await add('set')
    await fill('value', '${ "\\($steps.route.value) \\($item)" }')
    await step(page, '/do/2/each/do/0/prepare').waitFor()
    await keys.press('Control+Enter')
    await page.getByRole('dialog').locator('textarea').waitFor()
    await keys.press('Control+a')
    await keys.insertText('{"lines":[3,4]}')
    await keys.press('Tab')
    await keys.press('Enter')
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('large 4')
    expect(seen).toEqual([])
    await close()
  })

  test('the lens shows what an expression makes, stage by stage, while it is typed', async () => {
    const { page, seen, close } = await editing({ phone: true })
    await step(page, '/do/0/greet').click()
    const field = page.locator('.step').getByRole('textbox', { name: 'message', exact: true })
    const rows = page.locator('.jq-lens li')
    await field.fill('${ [1, 2, 3] | map(. * 2) | add }')
    await rows.filter({ hasText: '12' }).waitFor()
    expect(await rows.locator('.lens-row').allTextContents()).toEqual(['[1, 2, 3][1,2,3]', 'map(. * 2)[2,4,6]', 'add12'])
    await rows.nth(1).locator('summary').click()
    expect(await rows.nth(1).locator('pre').allTextContents()).toEqual(['[\n  2,\n  4,\n  6\n]'])
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('message')
    await field.fill('${ [1, 2, 3] | .total | length }')
    await rows.locator('.lens-value.c-bad').waitFor()
    expect(await rows.nth(1).locator('.lens-value').textContent()).toContain('Cannot index array')
    expect(await rows.nth(2).textContent()).toBe('lengthnot reached')
    await field.fill('${ [1, 2, 3] | }')
    await page.locator('.jq-lens.stale').waitFor()
    await field.fill('${ [1, 2, 3][] }')
    await rows.filter({ hasText: '×3' }).waitFor()
    const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect([await axeFindings(page, axe), overflow]).toEqual([[], 0])
    await page.locator('.step').getByRole('tab').nth(1).click()
    await page.locator('.jq-lens').waitFor({ state: 'detached' })
    expect(seen).toEqual([])
    await close()
  })

  const looks: readonly (readonly [string, Look])[] = [
    ['light', {}],
    ['dark, at 390 px', { theme: 'dark', phone: true }],
    ['in Arabic', { locale: 'ar' }],
  ]

  test.each(looks)('the editor is accessible and fits: %s', async (_name, look) => {
    const context = await contextOf(browser, server.url, look)
    const seen = guard(context, server.url)
    const { page } = await register(context, server.url)
    await page.locator('.door').first().click()
    await page.waitForURL(/\/workflows\/wf_/)
    const findings: string[] = []
    await step(page, '/do/3/ask').click()
    await page.locator('.step .sbody').waitFor()
    findings.push(...(await axeFindings(page, axe)))
    await page.locator('.step').getByRole('tab').nth(3).click()
    findings.push(...(await axeFindings(page, axe)))
    const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect([findings, overflow, seen]).toEqual([[], 0, []])
    await context.close()
  })
})
