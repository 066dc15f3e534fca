import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser, pickWorkflow } from './in-browser.ts'

const dayMs = 86_400_000
const flow = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- note: { set: { noted: true } }\n`

inBrowser('API keys in a browser', (stage) => {
  test('a person makes a key for a chosen workflow that ends after 30 days', async () => {
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const [orders] = [
      await client.workflows.create({ body: { definition: flow('orders') } }),
      await client.workflows.create({ body: { definition: flow('invoices') } }),
    ]
    await page.goto(`${stage.server.url}/settings/api-keys`)
    await page.locator('.pagehead').getByRole('button', { name: 'New key' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Name').fill('Shop')
    await sheet.getByLabel('variables:write').check()
    await sheet.getByLabel('Where it works').selectOption('In chosen workflows only')
    await pickWorkflow(sheet.getByLabel('Workflows', { exact: true }), 'orders')
    await sheet.getByRole('button', { name: 'Remove: orders' }).waitFor()
    await sheet.getByLabel('Expires').selectOption('30 days')
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByRole('button', { name: 'New key' }).click()
    await page.getByText('It is shown once and not stored').waitFor()
    const [key] = (await client.apiKeys.list({})).data
    expect(key).toMatchObject({ workflowIds: [orders.id], scopes: ['workflows:read', 'executions:read', 'executions:run'] })
    const days = (Date.parse(key?.expiresAt ?? '') - Date.parse(key?.createdAt ?? '')) / dayMs
    expect(Math.round(days)).toBe(30)
    await page.goto(`${stage.server.url}/settings/api-keys`)
    await page.getByText('limited to 1 workflow').waitFor()
    await page.getByRole('button', { name: 'Actions: Shop' }).click()
    await page.getByRole('menuitem', { name: 'Show its workflows' }).click()
    await page.getByRole('dialog').getByText('orders').waitFor()
    expect(await end(page)).toEqual([])
  })

  test('a form is sent once, however long the list behind it takes to be read again', async () => {
    const { page, end } = await stage.registered()
    await page.goto(`${stage.server.url}/settings/api-keys`)
    await page.locator('.pagehead').getByRole('button', { name: 'New key' }).click()
    const sheet = page.getByRole('dialog')
    const name = sheet.getByLabel('Name')
    await name.fill('Shop')
    const list = Promise.withResolvers<undefined>()
    const sent: string[] = []
    await page.route(/\/api\/v1\/api-keys/, async (route) => {
      sent.push(route.request().method())
      if (route.request().method() === 'GET') await list.promise
      await route.continue()
    })
    await name.press('Enter')
    await expect.poll(() => sent.includes('GET')).toBe(true)
    await name.press('Enter')
    expect(await sheet.getByRole('button', { name: 'New key' }).isDisabled()).toBe(true)
    list.resolve(undefined)
    await page.getByText('It is shown once and not stored').waitFor()
    expect(sent.filter((method) => method === 'POST')).toHaveLength(1)
    expect(await end(page)).toEqual([])
  })
})
