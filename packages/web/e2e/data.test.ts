import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { inBrowser, press } from './in-browser.ts'

inBrowser('data in a browser', (stage) => {
  const { registered } = stage

  test('a person uploads a file, downloads it as it was, and deletes it', async () => {
    const { page, end } = await registered()
    await page.goto(`${stage.server.url}/files`)
    await page.locator('.pagehead').getByRole('button', { name: 'Upload a file' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByRole('button', { name: 'Upload a file' }).click()
    await dialog.getByText('Choose a file first.').waitFor()
    await page.setInputFiles('input[type=file]', { name: 'Zahlen "ä".csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;2\n') })
    await dialog.getByRole('button', { name: 'Upload a file' }).click()
    const row = page.getByRole('row', { name: /Zahlen "ä"\.csv/ })
    await row.getByText('text/csv').waitFor()
    await row.getByRole('button', { name: /Actions/ }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download' }).click()])
    expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual([
      expect.stringMatching(/^Zahlen .ä.\.csv$/),
      'a;b\n1;2\n',
    ])
    await row.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(page, 'Delete the file')
    await page.getByText('No files yet').waitFor()
    expect(await end(page)).toEqual([])
  })

  test('a person makes a table, imports a file into it, changes a row, and exports what is in it', async () => {
    const { page, end } = await registered()
    await page.goto(`${stage.server.url}/tables`)
    await page.locator('.pagehead').getByRole('button', { name: 'New table' }).click()
    await page.getByLabel('Name', { exact: true }).fill('orders')
    await page.locator('dialog').getByRole('button', { name: 'New table' }).click()
    await page.waitForURL(/\/tables\/orders/)
    await press(page, 'Import a CSV file')
    const csv = Buffer.from('\ufeffnumber;customer;total\n007;"Café ""Öl"";";87.5\nA-2;=1+1;12\n')
    await page.setInputFiles('input[type=file]', { name: 'orders.csv', mimeType: 'text/csv', buffer: csv })
    await press(page, 'Import 2 rows')
    await page.getByText('2 rows added, 0 replaced.').waitFor()
    const row = page.getByRole('row', { name: /007/ })
    await row.getByText('Café "Öl";').waitFor()
    await row.getByRole('button', { name: /Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const columns = page.getByLabel('Columns', { exact: true })
    expect(await columns.inputValue()).toContain('total: 87.5')
    await columns.fill('customer: Café\ntotal: [')
    await press(page, 'Save')
    await page.getByText('Write columns as name: value, one a line.').waitFor()
    await columns.fill('customer: Café\ntotal: 90\npaid: true\n')
    await press(page, 'Save')
    await row.getByText('true').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export as CSV')])
    expect(await readFile(await file.path(), 'utf8')).toBe(`key,customer,total,paid\n007,Café,90,true\nA-2,"'=1+1",12,`)
    await page.getByRole('link', { name: 'All tables' }).click()
    await page
      .getByRole('row', { name: /orders/ })
      .getByRole('button', { name: /Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(page, 'Delete the table')
    await page.getByText('No tables yet').waitFor()
    expect(await end(page)).toEqual([])
  })
})
