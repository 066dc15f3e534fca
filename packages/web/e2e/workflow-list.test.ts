import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { phone, signIn } from './browser.ts'
import { findingsOf, inBrowser, press } from './in-browser.ts'

const greeting = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n`

const long = 'Quarterlyreconciliationofallsupplierinvoicesagainstpurchaseordersandgoodsreceipt'

/** By how much a page is wider than its window, and a table on it than its card. */
const tooWide = (page: Page) =>
  page.evaluate<readonly number[]>(
    "[document.documentElement, ...document.querySelectorAll('.tablewrap')].map((one) => one.scrollWidth - one.clientWidth).filter((by) => by > 0)",
  )

inBrowser('the list of workflows', (stage) => {
  test('on a phone, a person chooses several workflows by their rows and changes them at once', async () => {
    const account = await stage.server.registerAccount()
    for (const name of ['orders', 'invoices', 'refunds']) await account.client.workflows.create({ body: { definition: greeting(name) } })
    const { context, end } = await stage.visitor({ phone: true })
    const page = await signIn(context, stage.server.url, account)
    await page.goto(`${stage.server.url}/workflows`)
    const row = (name: string) => page.locator('tbody tr', { hasText: name })
    await row('orders').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await press(page, 'Select')
    for (const name of ['orders', 'refunds']) await row(name).click()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
    const bar = page.locator('.bulk')
    expect([await bar.getByRole('button').count(), page.url()]).toEqual([5, `${stage.server.url}/workflows`])
    const ends = await bar.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
    expect(await findingsOf(page)).toEqual([])
    await row('refunds').click()
    await bar.getByRole('button', { name: 'Disable' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Disable 1 workflow' }).click()
    const states = async () =>
      (await account.client.workflows.list()).data
        .map(({ name, state }) => [name, state])
        .toSorted(([a = ''], [b = '']) => a.localeCompare(b))
    await expect.poll(states).toEqual([
      ['invoices', 'published'],
      ['orders', 'disabled'],
      ['refunds', 'published'],
    ])
    await sheet.getByRole('button', { name: 'Done', exact: true }).click()
    await press(page, 'Done')
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await row('orders').click()
    await page.waitForURL(/\/workflows\/wf_/)
    expect(await end(page)).toEqual([])
  })

  test.each(['en', 'ar'] as const)(
    'long names are cut within their lists and named whole, and no page is wider than its window (%s)',
    async (locale) => {
      const { server } = stage
      const account = await server.registerAccount()
      const { workflows, workflowDrafts, triggers } = account.client
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: reconcile, version: 1.0.0, title: ${long}, metadata: { labels: { supplier: ${long} } } }
do:
- greet: { set: { text: Hello } }
`
      const { id } = await workflows.create({ body: { definition, publish: true, tags: [`a-${long}`.slice(0, 40), 'nightly'] } })
      await workflowDrafts.save({ params: { id }, body: { text: `${definition}- last: { set: { done: true } }\n` } })
      const schedule = { cron: '0 9 * * MON-FRI', timeZone: 'Africa/Cairo' }
      await triggers.createSchedule({ body: { workflowId: id, name: long, schedule } })
      await workflows.execute({ params: { id }, body: {} }, { waitSeconds: 5 })
      const { context, end } = await stage.visitor({ locale })
      const page = await signIn(context, server.url, account)
      const found: unknown[] = []
      for (const path of ['/workflows', '/triggers', '/runs', '/audit', `/workflows/${id}`]) {
        await page.goto(`${server.url}${path}`)
        await page
          .locator(path.endsWith(id) ? '.ebar .primary' : 'tbody tr')
          .first()
          .waitFor()
        for (const size of [{ width: 1100, height: 700 }, phone]) {
          await page.setViewportSize(size)
          found.push(...(await tooWide(page)).map((by) => `${path} at ${size.width} px: ${by} px too wide`))
        }
      }
      expect(found).toEqual([])
      await page.setViewportSize({ width: 1100, height: 700 })
      await page.goto(`${server.url}/triggers`)
      await page.locator('.row-link').hover()
      expect(await page.locator('tbody tr').getAttribute('title')).toBe(long)
      expect(await end(page)).toEqual([])
    },
  )
})
