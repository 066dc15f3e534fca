import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { findingsOf, inBrowser, press } from './in-browser.ts'

const greeting = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n`

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
    await bar.getByRole('button', { name: 'Switch off' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Switch 1 workflow off' }).click()
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
})
