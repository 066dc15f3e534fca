import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, findingsOf, inBrowser, publish } from './in-browser.ts'

const leave = `document: { dsl: 1.0.3, namespace: e2e, name: leave, version: 1.0.0 }
input:
  schema:
    document:
      type: object
      title: Request for leave
      required: [email, from, days]
      properties:
        email: { type: string, format: email, title: Your address }
        from: { type: string, format: date, title: First day }
        days: { type: integer, title: Days, description: Working days only }
        kind: { enum: [holiday, other], title: Kind }
        when: { type: string, format: date-time, title: Call me at }
        halves: { type: array, title: Half days, items: { enum: [first, last] } }
        note: { type: string, maxLength: 2000, title: Note }
        proof: { type: string, format: file, title: Certificate, contentMediaType: 'application/pdf, image/*', maxBytes: 1000000 }
do:
- note: { set: { noted: true } }
`

inBrowser('start forms in a browser', (stage) => {
  test('a person makes a form, and another one without an account starts the workflow by it', async () => {
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const { id } = await client.workflows.create({ body: { definition: leave } })
    await client.workflows.create({ body: { definition: leave.replace('name: leave', 'name: a-draft'), publish: false } })
    await page.goto(`${stage.server.url}/triggers`)
    await page.locator('header').getByRole('button', { name: 'New start' }).click()
    const sheet = page.getByRole('dialog')
    // The draft is newer, and by name the first one.
    await expect.poll(() => sheet.getByRole('combobox', { name: 'Workflow' }).inputValue()).toBe('leave')
    await sheet.getByRole('button', { name: 'Form' }).click()
    await sheet.getByText('More fields').click()
    await sheet.getByLabel('Text after it was sent').fill('HR will write to you.')
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Add' }).click()
    const address = await sheet.getByRole('link', { name: 'Open the form' }).getAttribute('href')
    await sheet.getByRole('button', { name: 'Done' }).click()
    const { pathname } = new URL(address ?? '')

    const visitor = await stage.browser.newContext({ locale: 'en-GB' })
    const form = await visitor.newPage()
    await form.goto(`${stage.server.url}${pathname}`)
    expect(await findingsInBoth(form)).toEqual([])
    await form.getByLabel('Your address').fill('ada@example.com')
    await form.getByLabel('First day').fill('2026-08-03')
    await form.getByLabel('Days', { exact: true }).fill('5')
    await form.getByLabel('last').check()
    const proof = form.getByLabel('Certificate')
    const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('certified') })
    await proof.setInputFiles({ ...pdf('big.pdf'), buffer: Buffer.alloc(1_000_001) })
    // What the browser would refuse itself.
    await form.evaluate("document.forms[0].noValidate = true; document.getElementsByName('days')[0].type = 'text'")
    await form.getByLabel('Days', { exact: true }).fill('many')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Must be a number.').waitFor()
    await form.getByText('The file is too large.').waitFor()
    expect(await findingsInBoth(form)).toEqual([])
    await proof.setInputFiles(pdf('doctor.pdf'))
    await form.getByLabel('Days', { exact: true }).fill('5')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('HR will write to you.').waitFor()
    await form.reload()
    await visitor.close()

    const arab = await stage.browser.newContext({ locale: 'ar-EG', viewport: { width: 390, height: 844 } })
    const arabic = await arab.newPage()
    await arabic.goto(`${stage.server.url}${pathname}`)
    await arabic.getByRole('button', { name: 'إرسال' }).waitFor()
    expect(await findingsOf(arabic)).toEqual([])
    await arab.close()

    const { data } = await client.workflows.executions({ params: { id }, query: {} })
    expect(data).toHaveLength(1)
    const { data: files } = await client.files.list({ query: {} })
    expect(files).toMatchObject([{ name: expect.stringMatching(/^forms\/[a-z]{16}\/doctor\.pdf$/), size: 9 }])

    await page.goto(`${stage.server.url}/workflows/${id}`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const run = page.getByRole('dialog')
    await run.getByLabel('Your address').fill('ada@example.com')
    await run.getByLabel('First day').fill('2026-08-03')
    await run.getByRole('spinbutton').fill('5')
    const choosing = page.waitForEvent('filechooser')
    await run.getByRole('button', { name: 'Upload a file' }).click()
    await (await choosing).setFiles(pdf('by-hand.pdf'))
    await expect.poll(() => run.getByLabel('Certificate').inputValue()).toMatch(/^runs\/.+\/by-hand\.pdf$/)
    expect(await findingsInBoth(page)).toEqual([])
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await page.waitForURL(/\/runs\/exec_/)
    expect((await client.files.list({ query: { prefix: 'runs/' } })).data).toMatchObject([{ size: 9 }])
    await page.goto(`${stage.server.url}/triggers`)
    await page.getByRole('link', { name: 'Form' }).first().click()
    await page.getByRole('heading', { name: 'Pass on the form' }).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    expect(await end(page)).toEqual([])
  })

  test('a person declares two fields of the input, and the rehearsal and a start form ask for them', async () => {
    const { page, end } = await stage.atHome({}, [/422/])
    await page.getByRole('button', { name: /Start empty/ }).click()
    await page.waitForURL(/\/workflows\/wf_/)
    await page.locator('[data-step="/do/0/greet"]').waitFor()
    const addForm = async () => {
      await page.getByRole('tab', { name: 'Starts' }).click()
      await page.getByRole('button', { name: 'Form', exact: true }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    }
    await publish(page)
    await page.getByText('Version 1 is published.').waitFor()
    await addForm()
    // Without fields the form leads to where they are declared.
    await page.getByRole('dialog').getByRole('link', { name: 'Fields of the input' }).click()
    const side = page.getByRole('complementary', { name: 'This workflow' })
    const field = (name: string) => side.getByRole('group', { name, exact: true })
    const add = side.getByRole('button', { name: 'Add a field' })
    await expect.poll(() => add.evaluate('document.activeElement?.textContent')).toBe('Add a field')
    await add.click()
    await expect.poll(() => page.evaluate('document.activeElement?.value')).toBe('field')
    await page.keyboard.type('days')
    await page.keyboard.press('Enter')
    await field('days').getByLabel('Kind of the field').selectOption('whole number')
    await field('days').getByLabel('Label').fill('Days off')
    await field('days').getByLabel('At least').fill('31')
    await field('days').getByLabel('At most').fill('30')
    await field('days').getByText('so that no value would fit').waitFor()
    await field('days').getByLabel('At least').fill('1')
    await field('days').getByText('so that no value would fit').waitFor({ state: 'detached' })
    await field('days').getByLabel('must be filled in').click()
    await expect.poll(() => field('days').getByLabel('must be filled in').isChecked()).toBe(true)
    await add.click()
    await field('field').getByLabel('Kind of the field').selectOption('one of')
    await field('field').getByLabel('Choices').fill('holiday\nother')
    await field('field').getByLabel('Label').fill('Reason')
    await field('field').getByLabel('Name', { exact: true }).fill('days')
    await page.keyboard.press('Enter')
    await field('field').getByText('Another field is named days.').waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await page.locator('[data-saving="saved"]').waitFor()
    // The fields make up a sample; a person gives another one by the form that a run has, and it is there after a reload.
    await page.getByRole('button', { name: 'Rehearsed 1 of 1' }).click()
    const sample = page.getByRole('dialog')
    expect(await sample.getByLabel('Days off').inputValue()).toBe('1')
    await sample.getByLabel('Days off').fill('')
    await sample.getByRole('button', { name: 'Done' }).click()
    await sample.getByText('This is needed.').waitFor()
    await sample.getByLabel('Days off').fill('31')
    await sample.getByRole('button', { name: 'Done' }).click()
    await sample.getByText('This must be 30 or less.').waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await sample.getByLabel('Days off').fill('5')
    await sample.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Rehearsed 1 of 1' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Rehearsed 1 of 1' }).waitFor()
    // A removal is one step of the history.
    await field('days').getByRole('button', { name: 'Remove days' }).click()
    await field('days').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await field('days').waitFor()
    await publish(page)
    await page.getByText('Version 2 is published.').waitFor()
    await addForm()
    const address = await page.getByRole('dialog').getByRole('link', { name: 'Open the form' }).getAttribute('href')
    await page.goto(`${stage.server.url}${new URL(address ?? '').pathname}`)
    await page.getByLabel('Days off').fill('5')
    await page.getByLabel('Reason').selectOption('holiday')
    expect(await page.getByLabel('Days off').getAttribute('required')).not.toBeNull()
    expect(await end(page)).toEqual([])
  })
})
