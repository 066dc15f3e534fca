import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { findingsOf, inBrowser, publish } from './in-browser.ts'

const definition = 'document: { dsl: 1.0.3, namespace: e2e, name: orders, version: 1.0.0 }\ndo:\n- pack: { set: { packed: true } }\n'

inBrowser('labels of runs', (stage) => {
  test('a person gives the runs of a workflow a label in the editor, and finds a run by it', async () => {
    const account = await stage.server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition } })
    const { context, end } = await stage.visitor({})
    const page = await signIn(context, stage.server.url, account)
    await page.goto(`${stage.server.url}/workflows/${id}`)
    const side = page.getByRole('complementary', { name: 'This workflow' })
    await side.getByRole('button', { name: 'Add', exact: true }).click()
    await side.getByLabel('Name', { exact: true }).fill('order')
    await page.keyboard.press('Enter')
    await side.getByLabel('order', { exact: true }).fill('${ .orderId }')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.getByRole('button', { name: 'Save draft' }).isEnabled()).toBe(true)
    expect(await findingsOf(page)).toEqual([])
    await publish(page)
    await page.getByText('Version 2 is published.').waitFor()

    for (const orderId of [4711, 4712, 4711])
      await account.client.workflows.execute({ params: { id }, body: { input: { orderId } } }, { waitSeconds: 20 })
    await page.goto(`${stage.server.url}/runs`)
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('link', { name: 'order 4712' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.getByRole('searchbox', { name: 'Label', exact: true }).inputValue()).toBe('order:4712')
    await page.getByRole('searchbox', { name: 'Label', exact: true }).fill('')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('searchbox', { name: /^Id, label/ }).fill('4711')
    await expect.poll(() => rows.count()).toBe(2)
    await rows.first().locator('td').nth(1).click()
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.runhead').waitFor()
    expect(await findingsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'order 4711' }).click()
    await page.waitForURL(/label=order/)
    await expect.poll(() => rows.count()).toBe(2)
    expect(await end(page)).toEqual([])
  })

  test('labels distinguish the approvals of several runs, numbers to decide by are rounded, and Home says how many more there are', async () => {
    const account = await stage.server.registerAccount()
    const ask = `{ call: approve, with: { title: Release, approvers: [${account.email}], excludeStarter: false, details: { net: '\${ .total / 1.19 }' } } }`
    const { id } = await account.client.workflows.create({
      body: {
        definition: `document: { dsl: 1.0.3, namespace: e2e, name: release, version: 1.0.0, metadata: { labels: { order: '\${ .order }' } } }
do:
- ask: ${ask}
`,
      },
    })
    const orders = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']
    for (const order of orders) await account.client.workflows.execute({ params: { id }, body: { input: { order, total: 4200 } } })
    const { context, end } = await stage.visitor({})
    const page = await signIn(context, stage.server.url, account)
    await page.goto(stage.server.url)
    await page.getByRole('heading', { name: '6 things need you' }).waitFor()
    const rest = page.locator('.need', { hasText: '2 more' })
    expect(await page.locator('.need', { hasText: 'order A-6' }).count()).toBe(1)
    await rest.getByRole('link', { name: 'See all' }).click()
    const queue = page.locator('.inbox-queue li')
    await expect.poll(() => queue.count()).toBe(orders.length)
    expect(new Set(await queue.allTextContents()).size).toBe(orders.length)
    await page.getByTitle('3529.4117647058824').getByText('3529.41', { exact: true }).waitFor()
    expect(await findingsOf(page)).toEqual([])
    expect(await end(page)).toEqual([])
  })
})
