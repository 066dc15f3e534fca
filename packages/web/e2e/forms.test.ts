import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, password, phone } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const head = (name: string) => `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\n`

const approval = `${head('pay')}do:
  - ask:
      call: approve
      with:
        title: Pay? # in one line
        approvers:
          - auditor@audit.example # from outside
          - role: admin
        deadline: P3D # long enough
`

const order = `${head('order')}input:
  schema:
    document:
      type: object
      required: [name, size]
      properties:
        name: { type: string, minLength: 2, description: Who orders. }
        size: { enum: [small, large] }
        count: { type: integer, minimum: 1, default: 3 }
        key: { type: string, writeOnly: true }
        lines: { type: array, items: { type: object, properties: { sku: { type: string } } } }
do:
  - keep: { set: { text: '\${ "\\(.name) \\(.size) \\(.count) \\(.lines[0].sku)" }' } }
`

inBrowser('forms of the editor', (stage) => {
  /** A person in the editor of a workflow. */
  async function editing(definition: string, expected: readonly RegExp[] = []) {
    const visit = await stage.registered({}, expected)
    const { page, email } = visit
    const session = await createClient({ baseUrl: stage.server.url, groups }).auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const api = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    const { id } = await api.workflows.create({ body: { definition, publish: true } })
    await page.goto(`${stage.server.url}/workflows/${id}`)
    await page.locator('.flow .card').first().waitFor()
    return { ...visit, api, id }
  }

  const lines = (page: Page) => page.locator('.cm-line').allTextContents()

  test('a step that is renamed keeps its form: what is typed into the next field arrives, also at once, and after an undo', async () => {
    const { page, api, id, end } = await editing(
      `${head('find')}do:\n  - find: { call: tables.get, with: { table: a, key: b } }\n  - keep: { set: { first: 1, second: 2 } }\n`,
    )
    const form = page.locator('aside.step')
    const field = (name: string) => form.locator(`[data-field="${name}"] :is(input, textarea)`)
    const name = form.locator('.name-field')
    const source = async () => (await api.workflows.get({ params: { id } })).source
    const reads = (line: string) => expect.poll(source).toContain(line)
    await page.locator('[data-step="/do/0/find"]').click()
    await name.fill('look')
    await field('table').click()
    await page.keyboard.press('End')
    await page.keyboard.type('ddresses', { delay: 30 })
    expect(await field('table').inputValue()).toBe('addresses')
    await page.locator('[data-step="/do/0/look"]').waitFor()
    await reads('- look: { call: tables.get, with: { table: addresses, key: b } }')
    // What was typed with pauses is more than one step of the history.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+z')
        return await page.locator('[data-step="/do/0/find"]').isVisible()
      })
      .toBe(true)
    expect(await page.evaluate('document.activeElement.closest("[data-field]")?.dataset.field')).toBe('table')
    expect(await name.inputValue()).toBe('find')
    await name.fill('get')
    await field('table').fill('people')
    await field('key').fill('ada')
    await name.fill('fetch')
    await field('table').fill('persons')
    await page.locator('[data-step="/do/1/keep"]').click()
    const rows = form.locator('.rows-row')
    await rows.nth(0).locator('.rows-key').fill('one')
    await rows.nth(0).locator('textarea').fill('11')
    await rows.nth(1).locator('.rows-key').fill('two')
    await rows.nth(1).locator('textarea').click()
    await page.keyboard.press('End')
    await page.keyboard.type('22', { delay: 30 })
    await page.locator('[data-step="/do/0/fetch"]').waitFor()
    await reads('- keep: { set: { one: 11, two: 222 } }')
    await reads('- fetch: { call: tables.get, with: { table: persons, key: ada } }')
    expect(await end(page)).toEqual([])
  })

  test('an approval is filled in without YAML: who decides, until when, and what they choose; the text keeps its comments', async () => {
    const { page, email, end } = await editing(approval)
    await page.locator('[data-step="/do/0/ask"]').click()
    const form = page.locator('aside.step')
    await form.getByText('auditor@audit.example').first().waitFor()
    await form.getByRole('button', { name: 'Remove Administrators and owners' }).click()
    await form.getByRole('button', { name: 'Add a person or a role' }).click()
    await page.getByRole('option', { name: email }).waitFor()
    expect(await findingsInBoth(page)).toEqual([])
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    await form.locator('.approver').nth(1).getByText(email).waitFor()
    await form.getByLabel('Time limit: unit').selectOption('hours')
    await form.getByLabel('Time limit: number').fill('36')
    await form.getByLabel('When the time is over').selectOption('the step fails with a timeout error')
    await form.getByRole('button', { name: 'Add a choice' }).click()
    await form.getByLabel('Choices, one in each line').fill('customer\nwarehouse')
    await form.getByLabel('must be filled in').click()
    await form.getByRole('button', { name: 'Add an escalation' }).click()
    await form.getByText('Escalation 1').waitFor()
    await page.locator('[data-saving="saved"]').waitFor()
    await press(page, 'Text')
    await page.locator('.cm-line', { hasText: 'warehouse' }).waitFor()
    expect((await lines(page)).slice(4)).toEqual([
      '      with:',
      '        title: Pay? # in one line',
      '        approvers:',
      '          - auditor@audit.example # from outside',
      `          - ${email}`,
      '        deadline: PT36H # long enough',
      '        onDeadline: fail',
      '        form:',
      '          type: object',
      '          properties:',
      '            choice:',
      '              enum:',
      '                - customer',
      '                - warehouse',
      '        escalation:',
      '          - after: P1D',
      '            approvers: []',
      '',
    ])
    expect(await end(page)).toEqual([])
  })

  test('a run asks for its input by the schema, says what is wrong at the field, and keeps the last input without its secrets', async () => {
    const { page, end } = await editing(order)
    const sheet = page.getByRole('dialog')
    await press(page, 'Run')
    await sheet.getByText('Who orders.').waitFor()
    expect(await sheet.getByLabel('count').inputValue()).toBe('3')
    await sheet.getByLabel('name').fill('A')
    await sheet.getByLabel('lines').fill('[{"sku":')
    await sheet.getByRole('button', { name: 'Run' }).click()
    expect(await sheet.getByRole('alert').allTextContents()).toEqual([
      'This must have at least 2 characters.',
      'This is needed.',
      expect.stringContaining('This is not JSON'),
    ])
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByLabel('name').fill('Ada')
    await sheet.getByLabel('size').selectOption('large')
    await sheet.getByLabel('key').fill('between us')
    await sheet.getByLabel('lines').fill('[{"sku":"kettle"}]')
    await sheet.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.step-panel .json', { hasText: 'Ada large 3 kettle' }).first().waitFor()
    await page.goBack()
    await press(page, 'Run')
    await sheet.getByText('As in the last run').waitFor()
    expect(await sheet.getByLabel('name').inputValue()).toBe('Ada')
    expect(await sheet.getByLabel('key').inputValue()).toBe('')
    await press(page, 'As JSON')
    expect(JSON.parse(await sheet.locator('textarea').inputValue())).toEqual({
      name: 'Ada',
      size: 'large',
      count: 3,
      lines: [{ sku: 'kettle' }],
    })
    expect(await end(page)).toEqual([])
  })

  test('a run that publishes first publishes nothing while the input is refused', async () => {
    const { page, api, id, end } = await editing(order, [/^422 PUT /])
    await api.workflows.update({ params: { id }, body: { definition: order.replace('- keep:', '- note:'), publish: false } })
    await page.reload()
    const sheet = page.getByRole('dialog')
    await press(page, 'Run')
    await sheet.getByLabel('name').fill('Ada')
    await sheet.getByLabel('size').selectOption('large')
    await sheet.getByLabel('lines').fill('[{"sku":7}]')
    await sheet.getByRole('button', { name: 'Publish and run' }).click()
    await sheet.getByRole('alert').getByText('0/sku').waitFor()
    expect((await api.workflows.get({ params: { id } })).version).toBe(1)
    await sheet.getByLabel('lines').fill('[{"sku":"kettle"}]')
    await sheet.getByRole('button', { name: 'Publish and run' }).click()
    await page.waitForURL(/\/runs\/exec_/)
    const { data } = await api.workflowDrafts.versions({ params: { id }, query: {} })
    expect(data.map(({ number, note }) => [number, note])).toEqual([
      [2, 'Renamed: keep → note'],
      [1, null],
    ])
    expect(await end(page)).toEqual([])
  })

  test('a name of a step that was typed counts when another step is selected or the editor ends, and a refused one stays with the reason', async () => {
    const { page, end } = await editing(`${head('names')}do:\n  - greet: { set: { a: 1 } }\n  - thank: { set: { a: 1 } }\n`)
    const step = (pointer: string) => page.locator(`[data-step="${pointer}"]`)
    const name = page.locator('.name-field')
    await step('/do/1/thank').click()
    await name.fill('taken')
    await step('/do/0/greet').click()
    await step('/do/1/taken').waitFor()
    await page.locator('[data-step="/do/0/greet"][aria-pressed="true"]').waitFor()
    // The editor ends while the field has the focus.
    await name.fill('hello')
    await page.getByRole('tab', { name: 'Versions' }).dispatchEvent('click')
    await page.locator('table.rows').waitFor()
    await page.getByRole('tab', { name: 'Definition' }).click()
    await step('/do/0/hello').click()
    await name.fill('taken')
    await name.press('Enter')
    await page.locator('aside.step').getByRole('alert').getByText('The list has a task taken already.').waitFor()
    expect(await name.inputValue()).toBe('taken')
    await name.press('Escape')
    await expect.poll(() => name.inputValue()).toBe('hello')
    await page.locator('[data-saving="saved"]').waitFor()
    expect(await end(page)).toEqual([])
  })

  test('what the account lacks is said when the editor opens', async () => {
    const { page, api, id, end } = await editing(`${head('lacks')}do:\n  - say: { set: { a: "\${ $variables.rate }" } }\n`)
    await page.setViewportSize(phone)
    await page.getByRole('button', { name: '1 problem' }).first().click()
    const { y, height } = (await page.locator('.ebar .problem-list').boundingBox()) ?? { y: 0, height: 0 }
    expect([height > 20, y + height <= phone.height]).toEqual([true, true])
    await page.keyboard.press('Escape')
    await page.setViewportSize(desktop)
    await page.getByRole('link', { name: 'Fill in' }).first().click()
    // The name is filled in, so that the value is what is typed.
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'rate', exact: true }).waitFor()
    await page.goto(`${stage.server.url}/workflows/${id}`)
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    expect((await api.workflows.get({ params: { id } })).revision).toBe(1)
    expect(await end(page)).toEqual([])
  })

  test('the list of values is in sight when it opens, below the field into which one is picked', async () => {
    const { page, end } = await editing(
      `${head('pick')}do:\n  - pair: { set: { from: a, to: b } }\n  - ask: { call: approve, with: { title: Ok?, description: '\${ .from }', approvers: [{ role: member }] } }\n`,
    )
    for (const [size, picked] of [
      [desktop, '${ "\\(.from) \\(.to)" }'],
      [phone, '${ "\\(.from) \\(.to) \\(.to)" }'],
    ] as const) {
      await page.setViewportSize(size)
      await page.locator('[data-step="/do/1/ask"]').click()
      const field = page.locator('[data-field="description"] textarea')
      await field.click()
      await page.keyboard.press('End')
      const list = page.locator('.value-picker')
      if ((await list.getAttribute('open')) === null) await list.locator('summary').click()
      const [at, from] = [await list.getByRole('button', { name: 'to "' }).first().boundingBox(), await field.boundingBox()]
      expect(at && from && from.y + from.height < at.y && at.y + at.height < size.height).toBe(true)
      await list.getByRole('button', { name: 'to "' }).first().click()
      await expect.poll(() => field.inputValue()).toBe(picked)
    }
    expect(await end(page)).toEqual([])
  })

  test('a field of the input is renamed with what reads it as one step of the history, and the steps that may read it are named', async () => {
    const { page, api, id, end } = await editing(
      `${head('uses')}input: { schema: { document: { type: object, required: [who], properties: { who: { type: string }, why: { type: string } } } } }
do:
  - note: { set: { text: '\${ "\\(.who) \\($workflow.input.who)" }', who: 1 } }
  - ask: { call: http, with: { method: get, endpoint: https://example.com } }
  - last: { set: { text: '\${ .who }' } }
`,
    )
    const source = async () => (await api.workflows.get({ params: { id } })).source
    const before = await source()
    const row = page.getByRole('group', { name: 'who', exact: true })
    await row.getByRole('button', { name: 'Details: who' }).click()
    await row.getByRole('button', { name: 'Move down: who' }).click()
    await row.getByLabel('Name', { exact: true }).fill('person')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed at one place that reads it. Unchanged, since it is not certain that they read it: last.').waitFor()
    const fields = 'required: [person], properties: { why: { type: string }, person: { type: string } }'
    const after = before
      .replace('required: [who], properties: { who: { type: string }, why: { type: string } }', fields)
      .replace('.who) \\($workflow.input.who)', '.person) \\($workflow.input.person)')
    await expect.poll(source).toBe(after)
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(source).toBe(before)
    expect(await end(page)).toEqual([])
  })

  test('a command of curl that is pasted as an address becomes the call', async () => {
    const { page, end } = await editing(
      `${head('curl')}do:\n  - ask: { call: http, with: { method: get, endpoint: https://example.com } }\n`,
    )
    await page.locator('[data-step="/do/0/ask"]').click()
    await page.locator('.step [data-field="endpoint"] textarea').click()
    for (const keys of ['Control+a', 'Delete']) await page.keyboard.press(keys)
    await page.keyboard.insertText(`curl https://api.example/orders -H 'X-Team: tea' -d '{"sku":"kettle"}'`)
    for (const keys of ['Control+a', 'Control+x', 'Control+v']) await page.keyboard.press(keys)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    for (const line of ['post', 'https://api.example/orders', 'x-team', 'kettle'])
      await page.locator('.cm-line', { hasText: line }).waitFor()
    expect(await end(page)).toEqual([])
  })
})
