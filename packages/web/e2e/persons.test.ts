import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { type Look, password } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const greets = `document: { dsl: 1.0.3, namespace: e2e, name: greets, version: 1.0.0 }
do:
- greet: { set: { greeted: '\${ $workflow.input.to }' } }
`
const value = 'grete@example.com'

inBrowser('the data of a person', (stage) => {
  /** A person whose account has a run, an event and a variable with the data of another person. */
  async function withData(look?: Look) {
    const { page, email, end } = await stage.registered(look)
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const { id } = await client.workflows.create({ body: { definition: greets } })
    const run = await client.workflows.execute({ params: { id }, body: { input: { to: value } } }, { waitSeconds: 10 })
    await client.variables.create({ body: { name: 'contact', kind: 'text', value: `Write to ${value}` } })
    await page.goto(`${stage.server.url}/privacy?view=person`)
    return { page, client, run, end }
  }

  test('is found by category with links, reported as a file, and erased from there', async () => {
    const { page, client, run, end } = await withData()
    await page.getByLabel('What identifies the person').fill(value)
    await press(page, 'Find')
    await page.getByRole('heading', { name: 'records have the data' }).waitFor()
    const runs = page.locator('section', { has: page.getByRole('heading', { name: /^Runs/ }) }).last()
    expect(await runs.getByRole('link').getAttribute('href')).toContain(run.id)
    await page.getByText('an erasure keeps it').first().waitFor()

    await press(page, 'Make a report')
    await page.getByRole('dialog').getByText('Review a report before you hand it over').waitFor()
    await page.getByLabel('For which request').fill('Request 17')
    await press(page, 'Make the report')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/^pdr_\w+\.zip$/)
    expect((await client.persons.reports()).data).toMatchObject([{ state: 'ready', note: 'Request 17', values: 1 }])

    await press(page, 'Erase…')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('What identifies the person').inputValue()).toBe(value)
    await dialog.getByRole('switch').check()
    await press(page, 'Erase for good')
    await dialog.getByText('Replaced or deleted').waitFor()
    // An erasure deletes reports.
    await expect.poll(async () => (await client.persons.reports()).data.length).toBe(0)
    expect(await end(page)).toEqual([])
  })

  test('that is nowhere is not found, and the page says that a report also searches files', async () => {
    const { page, end } = await withData()
    await page.getByLabel('What identifies the person').fill('nowhere@example.com')
    await press(page, 'Find')
    await page.getByRole('heading', { name: 'No record contains these values.' }).waitFor()
    await page.getByText('A report also searches the contents of files.').waitFor()
    expect(await end(page)).toEqual([])
  })

  test('a report is deleted after a question', async () => {
    const { page, client, end } = await withData()
    await client.persons.createReport({ body: { values: [value] } })
    await page.reload()
    await press(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No report yet.', { exact: false }).waitFor()
    expect((await client.persons.reports()).data).toEqual([])
    expect(await end(page)).toEqual([])
  })

  test.each([
    ['in English', {}, 'Find', 'Runs'],
    ['in Arabic', { locale: 'ar' }, 'ابحث', 'عمليات التشغيل'],
  ] as const)('is shown without findings, wide and on a phone, %s', async (_, look, find, runs) => {
    const { page, client, end } = await withData(look)
    await client.persons.createReport({ body: { values: [value] } })
    await page.getByRole('textbox').fill(value)
    await press(page, find)
    await page.getByRole('heading', { name: runs }).first().waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    expect(await end(page)).toEqual([])
  })
})
