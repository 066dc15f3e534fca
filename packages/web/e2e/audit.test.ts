import { readFile } from 'node:fs/promises'
import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const asks = (email: string) => `document: { dsl: '1.0.3', namespace: shop, name: returns, version: '1.0.0' }
do:
  - ask:
      call: approve
      with:
        title: Take the pump back
        approvers: [${email}]
        excludeStarter: false
        form: { type: object, required: [choice], properties: { choice: { enum: [customer, warehouse] } } }
`

inBrowser('what an auditor reads in a browser', (stage) => {
  test('an entry says what was decided and how and leads to the run, and a link with days shows the same entries', async () => {
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const { id } = await client.workflows.create({ body: { definition: asks(email) } })
    const { id: executionId } = await client.workflows.execute({ params: { id }, body: {} })
    const asked = () => client.approvals.ofExecution({ params: { executionId } }).then(({ data }) => data[0])
    await expect.poll(asked).toBeDefined()
    const params = { executionId, approvalId: (await asked())?.id ?? '' }
    await client.approvals.answer({ params, body: { decision: 'approve', reason: 'It leaks.', data: { choice: 'warehouse' } } })

    await page.goto(`${stage.server.url}/audit`)
    await page.getByRole('combobox', { name: /^What/ }).selectOption('approvals')
    await page.getByRole('combobox', { name: /^Period/ }).selectOption('today')
    const decided = 'Ada Lindqvist approved Take the pump back in returns with choice: warehouse: “It leaks.”'
    const rows = () => page.locator('tbody tr td:first-child').allTextContents()
    await expect.poll(rows).toEqual([decided])
    await press(page, 'Export')
    const sheet = page.getByRole('dialog')
    await sheet.getByText('approvals', { exact: true }).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'CSV, for spreadsheets')])
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines.map((line) => line.split(',')[2])).toEqual(['what', 'approval.answered', '1 events'])
    await page.getByRole('combobox', { name: /^Period/ }).selectOption('from … to …')
    const today = await page.evaluate(() => new Date().toLocaleDateString('sv-SE'))
    const address = () => Object.fromEntries(new URL(page.url()).searchParams)
    await expect.poll(address).toEqual({ kind: 'approvals', from: today, to: today })
    await page.goto(page.url())
    await expect.poll(rows).toEqual([decided])
    expect(await findingsInBoth(page)).toEqual([])
    await press(page, decided)
    expect(await findingsInBoth(page)).toEqual([])
    await page.getByRole('dialog').getByRole('link', { name: 'Take the pump back' }).click()
    await page.waitForURL(`${stage.server.url}/runs/${executionId}`)

    for (const list of ['audit', 'runs']) {
      await page.goto(`${stage.server.url}/${list}?from=2026-01-01&to=2026-01-31`)
      await page.getByText('Nothing matches these filters').waitFor()
      await page.getByLabel('To, with that day').fill(today)
      await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(0)
      expect(address()).toEqual({ from: '2026-01-01', to: today })
    }
    expect(await end(page)).toEqual([])
  })

  test('a pack without any run says so before it is made, and once it is made', async () => {
    const { page, end } = await stage.registered()
    await page.goto(`${stage.server.url}/evidence`)
    await page.locator('.pagehead').getByRole('button', { name: 'Make a pack' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Period').selectOption('last month')
    expect(await sheet.getByLabel('Runs that ended from').inputValue()).toMatch(/-01$/)
    await sheet.getByLabel('Runs that ended from').fill('2026-02-01')
    await sheet.getByLabel('To, with that day').fill('2026-01-31')
    await sheet.getByRole('button', { name: 'Make a pack' }).click()
    await sheet.getByText('This day is before the first day.').waitFor()
    await sheet.getByLabel('Runs that ended from').fill('2026-01-01')
    await sheet.getByLabel('To, with that day').fill('2026-01-31')
    await sheet.getByRole('button', { name: 'Make a pack' }).click()
    await sheet.getByText('The pack would be empty').waitFor()
    await sheet.getByText(/^No run ended from 1 Jan 2026, 00:00:00 .* to 1 Feb 2026, 00:00:00/).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Make it all the same' }).click()
    await sheet.getByText('No run is in this pack').waitFor()
    // A pack is found again after its dialog was left.
    await press(page, 'Close')
    const pack = page.getByRole('listitem').filter({ hasText: '1 January 2026 – 31 January 2026' })
    await pack.getByText('ready', { exact: true }).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await pack.getByRole('button', { name: 'Download' }).click()
    const saved = page.waitForEvent('download')
    await sheet.getByRole('link', { name: 'Download' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^pack_\w+\.zip$/)
    expect(await end(page)).toEqual([])
  })
})
