import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { generatedBy, type ModelStandIn, startModelStandIn } from '@millrace/server/testing/model-stand-in'
import { afterAll, expect, test, vi } from 'vitest'
import { signIn } from './browser.ts'
import { buildingPaths } from './building-paths.ts'
import { findingsOfAll, inBrowser, pickWorkflow, press, publish, walks } from './in-browser.ts'
import { startServiceStandIn } from './service-stand-in.ts'

const greeting = 'document: { dsl: 1.0.3, namespace: e2e, name: greet, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n'

const division = (expression: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: divides, version: 1.0.0 }\ndo:\n- begin: { set: { by: 0 } }\n- divide: { set: { result: "\${ ${expression} }" } }\n`

/** A model that wants to know the name first. */
function respond(last: string): ReturnType<typeof generatedBy> {
  const workflowId = /wf_[0-9a-z]{26}/.exec(last)?.[0]
  const action = { kind: 'workflow.run', workflowId, input: { name: 'Ada' } }
  if (last.includes('Please run')) return { toolCalls: [{ name: 'propose_action', arguments: JSON.stringify({ action }) }] }
  if (last.includes('The user sees it')) return { content: 'I propose to **run** it.' }
  if (last.includes('Say first why')) return { content: JSON.stringify({ explanation: 'It divides by **zero**.' }) }
  if (last.includes('10 / .by'))
    return { content: JSON.stringify({ definition: division('10 / (.by + 1)'), explanation: 'One is added first.' }) }
  if (!last.includes('Ada')) return generatedBy('', { questions: ['Whom?'], definition: '' })
  const requirements = [{ kind: 'secret', name: 'GREETING_KEY', reason: 'The card shop asks for it.' }]
  return generatedBy(greeting, { explanation: 'It greets Ada.', requirements })
}

/** A workflow that says its name, and that of whom it is from. */
const workflowNamed = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }
input: { schema: { document: { type: object, properties: { from: { type: string, title: From whom } } } } }
do:\n- say: { set: { by: '\${ if .from then "${name} after " + .from else "${name}" end }' } }\n`

const everyMorning = { interval: [{ field: 'cronExpression', expression: '0 8 * * 1-5' }] }

const n8nExport = {
  name: 'From elsewhere',
  nodes: [
    { id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    {
      id: '3',
      name: 'Daily',
      type: 'n8n-nodes-base.scheduleTrigger',
      typeVersion: 1,
      position: [0, 200],
      parameters: { rule: everyMorning },
    },
    { id: '2', name: 'Odd one', type: 'n8n-nodes-base.unheardOf', typeVersion: 1, position: [200, 0], parameters: {} },
  ],
  settings: { timezone: 'Europe/Berlin' },
  connections: { Start: { main: [[{ node: 'Odd one', type: 'main', index: 0 }]] } },
}

let model: ModelStandIn

async function withModel() {
  model = await startModelStandIn(({ messages }) => respond(JSON.stringify(messages.at(-1))))
  model.mock.onTranscription({ transcription: { text: 'What ran today?', language: 'english', duration: 1 } })
  const of = { MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test', MILLRACE_MODEL_SPEECH: 'whisper' }
  return { ...of, MILLRACE_MODEL_PRICES: '3/15', MILLRACE_MODEL_TEXTS: 'kept' }
}

inBrowser(
  'building in a browser',
  (stage) => {
    const { registered } = stage
    afterAll(() => model?.stop())

    test('a person imports a template with its values', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/templates`)
      // The search follows what is typed, and a press on a tile while the text still changes opens that tile.
      await page.getByLabel('Title, task or tag').fill('grant acces')
      await page.waitForURL(/\/templates\?q=grant\+acces$/)
      await vi.waitFor(async () => expect(await page.locator('.gallery .tile').count()).toBeLessThan(4))
      await page.getByLabel('Title, task or tag').fill('grant access')
      await page.getByRole('link', { name: /Grant access for a time/ }).click()
      await page.locator('.flow .card').nth(3).waitFor()
      await page.goBack()
      await page.waitForURL(/\/templates\?q=grant/)
      await page.getByRole('link', { name: /Grant access for a time/ }).click()
      await page.locator('.flow .card').nth(3).waitFor()
      await page.getByLabel('Who approves').fill('ada@example.com')
      await page.getByLabel('Address to which grants are put').fill('https://access.example.com/grants')
      await page.getByLabel('Address to which revocations are posted').fill('https://access.example.com/revoked')
      await press(page, 'Use it')
      await page.waitForURL(/\/workflows\/wf_/)
      await press(page, 'Text')
      await page.locator('.cm-content').getByText('https://access.example.com/revoked').first().waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a person publishes an imported template, and a signed call of its webhook starts it, again from the list of deliveries', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/templates/order-processing`)
      await press(page, 'Use it')
      await page.waitForURL(/\/workflows\/wf_/)
      await publish(page)
      await page.getByText('Version 1 is published.').waitFor()
      await page.goto(`${stage.server.url}/triggers`)
      await page.locator('.pagehead').getByRole('button', { name: 'New start' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Webhook' }).click()
      await page
        .getByLabel('What the workflow gets (jq)')
        .fill('{ orderId: "7", lines: [{ sku: "tea", quantity: .body.order, price: 100 }] }')
      await press(page, 'Add')
      await page.locator('dialog .secret').nth(2).waitFor()
      const [, secret = '', call = ''] = await page.locator('dialog .secret').allTextContents()
      // The test server has another port than its configuration says.
      const script = call.replace(/http:\/\/[^/]+/, stage.server.url).replaceAll('curl ', 'curl -s ')
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, SECRET: secret } })
      expect(JSON.parse(stdout)).toMatchObject({ executionId: expect.stringMatching(/^exec_/) })
      await press(page, 'Done')
      await page.locator('table.rows .row-link').click()
      await page.getByRole('button', { name: 'Start again' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Start again' }).click()
      await page.waitForURL(/\/runs\/exec_/)
      await page.locator('.runhead span.st-completed').waitFor()
      expect(await page.locator('.step-panel .json').first().textContent()).toContain('"orderId": "7"')
      expect(await end(page)).toEqual([])
    })

    test('a model asks what is missing, drafts a workflow from the answers, and the person keeps it', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/new/words`)
      const description = page.getByLabel('What should the workflow do?')
      await description.fill('Greet someone')
      // What was typed is still there after the way to the models and back, until the workflow is kept.
      await page.goto(`${stage.server.url}/settings/models`)
      await page.goto(`${stage.server.url}/new/words`)
      expect(await description.inputValue()).toBe('Greet someone')
      await press(page, 'Draft it')
      await page.getByLabel('Whom?').fill('Ada')
      await press(page, 'Continue')
      await page.getByText('It greets Ada.').waitFor()
      await page.getByText('GREETING_KEY').waitFor()
      await press(page, 'Keep as draft and open')
      await page.waitForURL(/\/workflows\/wf_/)
      await press(page, 'Text')
      await page.locator('.cm-content').getByText('Hello Ada').first().waitFor()
      await page.goto(`${stage.server.url}/new/words`)
      expect(await description.inputValue()).toBe('')
      expect(await end(page)).toEqual([])
    })

    test('a model explains a failed run and proposes a correction of its version', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/workflows/new`)
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+A')
      await page.evaluate(
        `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(division('10 / .by'))}); document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) })()`,
      )
      // What is not saved is still there after a step to another page and back.
      await page.locator('.cm-line', { hasText: '10 / .by' }).waitFor()
      await page.goto(stage.server.url)
      await page.goBack()
      await page.locator('.cm-line', { hasText: '10 / .by' }).waitFor()
      await press(page, 'Save draft')
      await page.waitForURL(/\/workflows\/wf_/)
      await press(page, 'Run')
      await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
      await page.waitForURL(/\/runs\/exec_/)
      await press(page, 'Explain')
      const sheet = page.getByRole('dialog')
      await press(page, 'Explain why it failed')
      await sheet.getByText('It divides by').waitFor()
      await press(page, 'Propose a correction')
      await sheet.getByText('One is added first.').waitFor()
      expect(await sheet.locator('pre').textContent()).toContain('(.by + 1)')
      expect(await end(page)).toEqual([])
    })

    test('an export of n8n becomes a draft, with a report of what was not converted', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/new/import`)
      const chosen = (name: string, content: string | Buffer) =>
        page.setInputFiles('input[type=file]', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
      await chosen('flow.json', Buffer.of(0x89, 0x50, 0x4e, 0x47, 0))
      await page.getByRole('alert').getByText('The file is not JSON or YAML').waitFor()
      await chosen('flow.json', JSON.stringify(n8nExport))
      await page.getByText('This is an export of n8n.').waitFor()
      await press(page, 'Import')
      await page.getByText('From elsewhere is a draft now.').waitFor()
      await page.locator('.report').getByText('Odd one').waitFor()
      await page.locator('section', { hasText: 'Starts that exist once you publish' }).getByText('a person').last().waitFor()
      await page.getByText('schedule, 0 8 * * 1-5 Europe/Berlin').waitFor()
      await page.getByRole('link', { name: 'Open the workflow' }).click()
      await page.waitForURL(/\/workflows\/wf_/)
      // The report is there after Back, and from the workflow.
      await page.goBack()
      await page.locator('.report').getByText('Odd one').waitFor()
      await page.goForward()
      await page.getByRole('link', { name: 'What the import converted' }).click()
      await page.locator('.report').getByText('Odd one').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('the assistant proposes a run, which starts when the person confirms it, and not before', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/workflows/new`)
      await press(page, 'Save draft')
      await page.waitForURL(/\/workflows\/wf_/)
      await publish(page)
      await page.getByText('Version 1 is published.').waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      await page.goto(`${stage.server.url}/assistant`)
      await page.getByRole('textbox', { name: 'Message' }).fill(`Please run ${id}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/assistant\/conv_/)
      await page.locator('.proposal').getByText('waits for you').waitFor()
      await page.reload()
      await press(page, 'Confirm')
      await page.getByRole('link', { name: 'Open the run' }).click()
      await page.locator('.runhead span.st-completed').waitFor()
      expect(await page.locator('.step-panel .json').first().textContent()).toContain('Hello, Ada')
      expect(await end(page)).toEqual([])
    })

    test('a person speaks to the assistant, and sends the text that was heard', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/assistant`)
      const message = page.getByRole('textbox', { name: 'Message' })
      await message.fill('Please:')
      await press(page, 'Speak')
      const stop = page.getByRole('button', { name: 'End of speech' })
      await stop.waitFor()
      await page.waitForTimeout(500)
      await stop.click()
      await vi.waitFor(async () => expect(await message.inputValue()).toBe('Please: What ran today?'))
      await press(page, 'Speak')
      await stop.waitFor()
      expect(await end(page)).toEqual([])
    })

    test('what a person publishes in the marketplace is the version that the page shows, whatever is published meanwhile', async () => {
      const account = await stage.server.registerAccount()
      const { id } = await account.client.workflows.create({ body: { definition: workflowNamed('shown'), publish: true } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/marketplace/publish?workflow=${id}`)
      await page.locator('.preview-flow .card').first().waitFor()
      await page.getByLabel('What it does').fill('Says its name.')
      const [request] = await Promise.all([page.waitForRequest((sent) => sent.method() === 'POST'), press(page, 'Publish')])
      expect(request.postDataJSON()).toMatchObject({ version: 1 })
      await page.waitForURL(/\/marketplace\/mkt_/)
      await page.getByText('Says its name.').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a person builds a chain of two workflows with a mapping, runs it, and fires a start of it, by the form of the first one', async () => {
      const { page, end } = await registered()
      for (const name of ['first', 'second']) {
        await page.goto(`${stage.server.url}/new/import`)
        await page.getByLabel('Or paste the text').fill(workflowNamed(name))
        await press(page, 'Import')
        await page.waitForURL(/\/workflows\/wf_/)
        await publish(page)
        await page.getByText('Version 1 is published.').waitFor()
      }
      await page.goto(`${stage.server.url}/chains/new`)
      await page.getByLabel('Name').first().fill('One after the other')
      await press(page, 'Add a workflow')
      const last = page.locator('.member').nth(1)
      await pickWorkflow(last.getByRole('combobox', { name: 'Workflow' }), 'second')
      await last.getByText('Input, condition and faults').click()
      await last.getByLabel('What it gets (jq)').fill('{ from: .by }')
      await press(page, 'Create')
      await page.getByRole('button', { name: 'Run the chain' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('From whom').fill('Ada')
      await sheet.getByRole('button', { name: 'Run the chain' }).click()
      await page.waitForURL(/\/runs\/exec_/)
      await page.locator('.runhead span.st-completed').waitFor()
      expect(await page.locator('.step-panel .json').first().textContent()).toContain('"by": "second after first after Ada"')
      await page.goto(`${stage.server.url}/triggers`)
      await page.locator('.pagehead').getByRole('button', { name: 'New start' }).click()
      await pickWorkflow(sheet.getByRole('combobox', { name: 'Workflow' }), 'first')
      await sheet.getByRole('button', { name: 'Schedule' }).click()
      await sheet.getByLabel('From whom').fill('Grace')
      await press(page, 'Add')
      await page.locator('table.rows .row-link').click()
      await page.getByRole('button', { name: 'Actions: Weekdays at 09:00' }).click()
      await page.getByRole('menuitem', { name: 'Change this start' }).click()
      await sheet.getByLabel('When').selectOption('every hour')
      await sheet.getByLabel('From whom').fill('Grace Hopper')
      await press(page, 'Save')
      await page.getByTitle('0 * * * *').getByText('Every hour').waitFor()
      await page.getByRole('button', { name: 'Start now' }).click()
      expect(await sheet.getByLabel('From whom').inputValue()).toBe('Grace Hopper')
      await sheet.getByRole('button', { name: 'Start now' }).click()
      await sheet.getByRole('link', { name: 'Open the run' }).click()
      await page.locator('.runhead span.st-completed').waitFor()
      expect(await page.locator('.step-panel .json').first().textContent()).toContain('"by": "first after Grace Hopper"')
      expect(await end(page)).toEqual([])
    })

    test('the home page leads a published workflow that never ran to its starts, and the audit log is filtered by person and by what was done', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/new/import`)
      await page.getByLabel('Or paste the text').fill(greeting)
      await press(page, 'Import')
      await page.waitForURL(/\/workflows\/wf_/)
      await publish(page)
      await page.getByText('Version 1 is published.').waitFor()
      await page.goto(stage.server.url)
      await page.getByRole('heading', { name: 'Ready for the first run' }).waitFor()
      await page.getByRole('link', { name: 'Give it a start' }).click()
      await page.getByText('Started by hand only').waitFor()
      await page.goto(`${stage.server.url}/audit`)
      await page.getByRole('combobox', { name: /^By/ }).selectOption('Ada Lindqvist')
      await page.getByRole('combobox', { name: /^What/ }).selectOption('workflows and starts')
      const events = ['Ada Lindqvist published greet (version 1)', 'Ada Lindqvist created the workflow greet']
      await expect.poll(() => page.locator('tbody tr td:first-child').allTextContents()).toEqual(events)
      expect(await end(page)).toEqual([])
    })

    test('a person connects a service by an API key, tests and deletes the connection, and never sees the key again', async () => {
      const key = ['a key', 'of the service'].join(' ')
      const service = await startServiceStandIn(key, () => stage.server.url)
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/connections`)
      await page.locator('.pagehead').getByRole('button', { name: 'New connection' }).click()
      const form = page.getByRole('dialog')
      const find = form.getByRole('combobox', { name: 'Find a service, such as Slack' })
      await find.fill('stripe')
      await find.press('Enter')
      // A connector says where the service is and how it is entered.
      const types = () => form.locator('input:visible').evaluateAll((all) => all.map((one) => one.getAttribute('type')))
      await expect.poll(types).toEqual(['text', 'password'])
      await press(page, 'Another service')
      await find.fill('key')
      await form.getByRole('option', { name: /^API key/ }).click()
      await form.getByLabel('Name', { exact: true }).fill('parcels')
      await form.getByLabel('Address', { exact: true }).fill(`${service.url}/api`)
      await form.getByLabel('Key', { exact: true }).fill('not that key')
      await press(page, 'Save and test')
      await form.locator('.problem').getByText('401').waitFor()
      expect(await form.getByLabel('Key', { exact: true }).inputValue()).toBe('')
      await form.getByLabel('Key', { exact: true }).fill(key)
      await press(page, 'Save')
      await page.waitForURL(/\/connections\/conn_/)
      await press(page, 'Test')
      // That of the first test may still be shown.
      await page.getByText('The test passed.').first().waitFor()
      await page.getByText('The connection works.').waitFor()
      expect(await page.content()).not.toContain(key)
      await press(page, 'Actions: parcels')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await press(page, 'Delete the connection')
      await page.getByText('No connections yet').waitFor()
      expect(await end(page)).toEqual([])
      await service.stop()
    })

    test('a person consents to a connection of OAuth, and neither code nor state stays in the address', async () => {
      const service = await startServiceStandIn('unused', () => stage.server.url)
      const { page, end } = await registered({}, [new RegExp(`^request to ${service.url}/authorize`), /^409 POST /])
      await page.goto(`${stage.server.url}/connections`)
      await page.locator('.pagehead').getByRole('button', { name: 'New connection' }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('option', { name: 'OAuth 2.0' }).click()
      await form.getByLabel('Name', { exact: true }).fill('calendar')
      await form.getByLabel('Address', { exact: true }).fill(service.url)
      await form.getByLabel('Authorization address').fill(`${service.url}/authorize`)
      await form.getByLabel('Token address').fill(`${service.url}/token`)
      await form.getByLabel('Client ID').fill('millrace')
      await form.getByLabel('Client secret').fill('between us')
      await press(page, 'Save and test')
      await page.getByText('The service needs the consent of a person').waitFor()
      await press(page, 'Authorize')
      await page.getByText('The connection works.').waitFor()
      expect(new URL(page.url()).search).toBe('')
      await page.goto(`${stage.server.url}/connections/callback?state=unknown&code=used`)
      await page.getByRole('heading', { name: 'The connection is not authorized' }).waitFor()
      expect(page.url()).toBe(`${stage.server.url}/connections/callback`)
      await page.goto(`${stage.server.url}/connections/callback?error=access_denied`)
      await page.getByText('The service refused: access_denied.').waitFor()
      expect(await end(page)).toEqual([])
      await service.stop()
    })

    test.each(walks)('every page of building is accessible and fits: %s', async (_name, look) => {
      const { page, end } = await registered(look)
      expect(await findingsOfAll(page, stage.server.url, buildingPaths, look)).toEqual([])
      expect(await end(page)).toEqual([])
    })
  },
  withModel,
)
