import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const flow = (name: string, task: string) => `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- ${task}\n`
const fails = flow('orders', "refuse: { raise: { error: { type: 'https://example.com/errors/stock', status: 409, title: Out of stock } } }")

inBrowser('starts by the ends of runs in a browser', (stage) => {
  test('a person lets a workflow start when a run of another one fails, and the runs lead to each other', async () => {
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const failing = await client.workflows.create({ body: { definition: fails } })
    const handler = await client.workflows.create({ body: { definition: flow('alarm', 'note: { set: { noted: true } }') } })
    await page.goto(`${stage.server.url}/workflows/${handler.id}?tab=starts`)
    await press(page, 'When a run fails')
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Runs of').selectOption('chosen workflows')
    await sheet.getByLabel('Workflows', { exact: true }).fill('orders')
    await sheet.getByRole('option', { name: 'orders' }).click()
    await sheet.getByRole('button', { name: 'Remove: orders' }).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Add' }).click()
    await page.getByText('When a run fails · of one workflow').waitFor()
    const run = await client.workflows.execute({ params: { id: failing.id } })
    await page.goto(`${stage.server.url}/runs/${run.id}`)
    const caused = page.getByRole('region', { name: 'Its end started' })
    await caused.getByRole('link', { name: 'alarm' }).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await caused.getByRole('link', { name: 'alarm' }).click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await page.getByRole('link', { name: 'Started by the end of another run' }).click()
    await page.waitForURL(`**/runs/${run.id}`)

    await page.goto(`${stage.server.url}/triggers`)
    await page.getByRole('link', { name: 'When a run fails' }).click()
    await page.getByRole('link', { name: 'orders' }).waitFor()
    await page.locator('.pagehead').getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Change this start' }).click()
    await sheet.getByLabel('Start it when a run').selectOption('fails or is cancelled')
    await press(page, 'Save')
    await page.getByText('When a run fails or is cancelled').waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    const { data } = await client.triggers.list({ query: {} })
    // The workflow reads nothing of the event, so it gets what the form says.
    expect(data[0]?.mapping).toBe('.data')
    expect(data[0]?.event).toEqual({
      types: ['io.serverlessworkflow.workflow.faulted.v1', 'io.serverlessworkflow.workflow.cancelled.v1'],
      workflows: [failing.id],
    })
    expect(await end(page)).toEqual([])
  })
})
