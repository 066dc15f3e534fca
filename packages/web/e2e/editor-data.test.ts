import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser } from './in-browser.ts'

inBrowser('the data between the steps of the editor', (stage) => {
  /** A person with an empty workflow in the editor. */
  async function editing() {
    const visit = await stage.atHome()
    const { page } = visit
    await page.getByRole('button', { name: /Start empty/ }).click()
    await page.waitForURL(/\/workflows\/wf_/)
    await page.locator('[data-step="/do/0/greet"]').waitFor()
    return visit
  }

  const step = (page: Page, pointer: string) => page.locator(`[data-step="${pointer}"]`)
  const saved = (page: Page) => page.locator('[data-saving="saved"]').waitFor()

  /** Replaces the text of the definition from its tasks on. */
  async function withTasks(page: Page, tasks: string): Promise<void> {
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    const text = page.locator('.cm-content')
    await text.click()
    for (const key of ['Control+a', 'Delete']) await page.keyboard.press(key)
    await page.keyboard.insertText(`document: { dsl: '1.0.3', namespace: mine, name: a-flow, version: '1.0.0' }\n${tasks}`)
    await page.getByRole('button', { name: 'Flow', exact: true }).click()
  }

  test('a step for its effect that is put in between passes the data on; one that replaces it is a problem with each way to the data', async () => {
    const { page, end } = await editing()
    await withTasks(
      page,
      `do:
  - lookup: { call: http, with: { method: get, endpoint: https://example.com/orders/7 } }
  - route:
      switch:
        - big: { when: .total > 500, then: end }
        - rest: { then: end }
`,
    )
    // The flow of before has a gap at the same place.
    await step(page, '/do/1/route').waitFor()
    await page.locator('[data-slot="/do:1"]').click()
    await page.keyboard.type('write a row')
    await page.getByRole('option', { name: /^Tables: write a row/ }).click()
    await step(page, '/do/1/write').click()
    const after = page.getByLabel('What comes after gets')
    await expect.poll(() => after.locator('option:checked').textContent()).toBe('what this step got')
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await after.selectOption('what this step returns')
    await page.getByRole('button', { name: '1 problem', exact: true }).click()
    const problem = page.locator('.problem-list li', { hasText: 'the output of "write" replaced the data before' })
    await problem.locator('[data-fix="Write $steps.lookup.total"]').waitFor()
    await problem.locator('[data-fix^="Keep the data in write"]').click()
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await expect.poll(() => after.locator('option:checked').textContent()).toBe('what this step got')
    await saved(page)
    expect(await end(page)).toEqual([])
  })

  test('the filter of an event gets two attributes of its own, each with its name', async () => {
    const { page, end } = await editing()
    await withTasks(page, 'do:\n  - note: { listen: { to: { one: { with: { type: com.example.noted } } } } }\n')
    await step(page, '/do/0/note').click()
    const form = page.locator('.sbody')
    const add = form.getByRole('button', { name: 'Add', exact: true })
    await add.click()
    const names = form.locator('.rows-key')
    await names.first().fill('orderid')
    await names.first().press('Enter')
    await add.click()
    await expect.poll(() => names.count()).toBe(2)
    await names.last().fill('tenant')
    await names.last().press('Enter')
    await form.getByLabel('tenant', { exact: true }).fill('acme')
    await page.keyboard.press('Tab')
    await saved(page)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect.poll(() => page.locator('.cm-content').textContent()).toContain("orderid: '', tenant: 'acme' }")
    expect(await end(page)).toEqual([])
  })
})
