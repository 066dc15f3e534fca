import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { generatedBy, type ModelStandIn, startModelStandIn } from '@millrace/server/testing/model-stand-in'
import { createTestServer, type TestServer } from '@millrace/server/testing/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeb } from '#build/build-web.ts'
import { chromiumPath, contextOf, launch, type Look, register } from './browser.ts'
import { buildingPaths } from './building-paths.ts'
import { axeFindings, guard } from './guard.ts'
import { startServiceStandIn } from './service-stand-in.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const greeting = 'document: { dsl: 1.0.3, namespace: e2e, name: greet, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n'

/** A model that wants to know the name first. */
function respond(last: string): ReturnType<typeof generatedBy> {
  const workflowId = /wf_[0-9a-z]{26}/.exec(last)?.[0]
  const action = { kind: 'workflow.run', workflowId, input: { name: 'Ada' } }
  if (last.includes('Please run')) return { toolCalls: [{ name: 'propose_action', arguments: JSON.stringify({ action }) }] }
  if (last.includes('The user sees it')) return { content: 'I propose to **run** it.' }
  if (!last.includes('Ada')) return generatedBy('', { questions: ['Whom?'], definition: '' })
  const requirements = [{ kind: 'secret', name: 'GREETING_KEY', reason: 'The card shop asks for it.' }]
  return generatedBy(greeting, { explanation: 'It greets Ada.', requirements })
}

/** A workflow that says its name, and that of the one before it. */
const workflowNamed = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- say: { set: { by: '\${ if .from then "${name} after " + .from else "${name}" end }' } }\n`

const n8nExport = {
  name: 'From elsewhere',
  nodes: [
    { id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    { id: '2', name: 'Odd one', type: 'n8n-nodes-base.unheardOf', typeVersion: 1, position: [200, 0], parameters: {} },
  ],
  connections: { Start: { main: [[{ node: 'Odd one', type: 'main', index: 0 }]] } },
}

describe.skipIf(chromiumPath === undefined)('building in a browser', { timeout: 120_000 }, () => {
  let server: TestServer
  let model: ModelStandIn
  let browser: Browser
  beforeAll(async () => {
    model = await startModelStandIn(({ messages }) => respond(JSON.stringify(messages.at(-1))))
    const settings = { MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' }
    const [started, launched] = await Promise.all([createTestServer(settings), launch(), buildWeb()])
    server = started
    browser = launched
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await model?.stop()
  })

  async function registered(look: Look = {}, expected: readonly RegExp[] = []) {
    const context = await contextOf(browser, server.url, look)
    // A machine that is busy with other tests may refuse a read with 503; the page repeats it.
    const seen = guard(context, server.url, [...expected, /^503 GET /])
    return { ...(await register(context, server.url)), seen, close: () => context.close() }
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('a person imports a template with its values', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/templates`)
    await page.getByLabel('Title, task or tag').fill('grant access')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Grant access for a time/ }).click()
    await page.locator('.flow .card').nth(3).waitFor()
    await page.getByLabel('Who approves').fill('ada@example.com')
    await page.getByLabel('Address to which grants are put').fill('https://access.example.com/grants')
    await page.getByLabel('Address to which revocations are posted').fill('https://access.example.com/revoked')
    await press(page, 'Use it')
    await page.waitForURL(/\/workflows\/wf_/)
    await press(page, 'Text')
    await page.locator('.cm-content').getByText('https://access.example.com/revoked').first().waitFor()
    expect(seen).toEqual([])
    await close()
  })

  test('a person publishes an imported template, and a signed call of its webhook starts it, again from the list of deliveries', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/templates/order-processing`)
    await press(page, 'Use it')
    await page.waitForURL(/\/workflows\/wf_/)
    await press(page, 'Publish')
    await page.getByText('Version 1 is published.').waitFor()
    await page.goto(`${server.url}/triggers`)
    await page.locator('.pagehead').getByRole('button', { name: 'New start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Webhook' }).click()
    await page
      .getByLabel('What the workflow gets (jq)')
      .fill('{ orderId: "7", lines: [{ sku: "tea", quantity: .body.order, price: 100 }] }')
    await press(page, 'Add')
    await page.locator('dialog .secret').nth(2).waitFor()
    const [, secret = '', call = ''] = await page.locator('dialog .secret').allTextContents()
    // The test server has another port than its configuration says.
    const script = call.replace(/http:\/\/[^/]+/, server.url).replaceAll('curl ', 'curl -s ')
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, SECRET: secret } })
    expect(JSON.parse(stdout)).toMatchObject({ executionId: expect.stringMatching(/^exec_/) })
    await press(page, 'Done')
    await page.locator('table.rows .row-link').click()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"orderId": "7"')
    expect(seen).toEqual([])
    await close()
  })

  test('a model asks what is missing, drafts a workflow from the answers, and the person keeps it', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/new/words`)
    await page.getByLabel('What should the workflow do?').fill('Greet someone')
    await press(page, 'Draft it')
    await page.getByLabel('Whom?').fill('Ada')
    await press(page, 'Continue')
    await page.getByText('It greets Ada.').waitFor()
    await page.getByText('GREETING_KEY').waitFor()
    await press(page, 'Keep as draft and open')
    await page.waitForURL(/\/workflows\/wf_/)
    await press(page, 'Text')
    await page.locator('.cm-content').getByText('Hello Ada').first().waitFor()
    expect(seen).toEqual([])
    await close()
  })

  test('an export of n8n becomes a draft, with a report of what was not converted', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/new/import`)
    await page.getByLabel('Or paste the text').fill(JSON.stringify(n8nExport))
    await page.getByText('This is an export of n8n.').waitFor()
    await press(page, 'Import')
    await page.getByText('From elsewhere is a draft now.').waitFor()
    await page.locator('.report').getByText('Odd one').waitFor()
    await page.getByRole('link', { name: 'Open the workflow' }).click()
    await page.waitForURL(/\/workflows\/wf_/)
    expect(seen).toEqual([])
    await close()
  })

  test('the assistant proposes a run, which starts when the person confirms it, and not before', async () => {
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/workflows/new`)
    await press(page, 'Save draft')
    await page.waitForURL(/\/workflows\/wf_/)
    await press(page, 'Publish')
    await page.getByText('Version 1 is published.').waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    await page.goto(`${server.url}/assistant`)
    await page.getByRole('textbox', { name: 'Message' }).fill(`Please run ${id}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/assistant\/conv_/)
    await page.locator('.proposal').getByText('waits for you').waitFor()
    await page.reload()
    await press(page, 'Confirm')
    await page.getByRole('link', { name: 'Open the run' }).click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('Hello, Ada')
    expect(seen).toEqual([])
    await close()
  })

  test('a person builds a chain of two workflows with a mapping, and runs it', async () => {
    const { page, seen, close } = await registered()
    for (const name of ['first', 'second']) {
      await page.goto(`${server.url}/new/import`)
      await page.getByLabel('Or paste the text').fill(workflowNamed(name))
      await press(page, 'Import')
      await page.waitForURL(/\/workflows\/wf_/)
      await press(page, 'Publish')
      await page.getByText('Version 1 is published.').waitFor()
    }
    await page.goto(`${server.url}/chains/new`)
    await page.getByLabel('Name').first().fill('One after the other')
    await press(page, 'Add a workflow')
    const last = page.locator('.member').nth(1)
    await last.getByLabel('Workflow').selectOption('second')
    await last.getByLabel('What it gets (jq)').fill('{ from: .by }')
    await press(page, 'Create')
    await page.getByRole('button', { name: 'Run the chain' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run the chain' }).click()
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"by": "second after first"')
    expect(seen).toEqual([])
    await close()
  })

  test('a person connects a service by an API key, tests and deletes the connection, and never sees the key again', async () => {
    const key = ['a key', 'of the service'].join(' ')
    const service = await startServiceStandIn(key, () => server.url)
    const { page, seen, close } = await registered()
    await page.goto(`${server.url}/connections`)
    await page.locator('.pagehead').getByRole('button', { name: 'New connection' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('parcels')
    await form.getByLabel('Address', { exact: true }).fill(`${service.url}/api`)
    await form.getByLabel('Key', { exact: true }).fill('not that key')
    await press(page, 'Save')
    await page.waitForURL(/\/connections\/conn_/)
    await page.locator('.problem').getByText('401').waitFor()
    await press(page, 'Actions: parcels')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    expect(await form.getByLabel('Key', { exact: true }).inputValue()).toBe('')
    await form.getByLabel('Key', { exact: true }).fill(key)
    await press(page, 'Save')
    await form.waitFor({ state: 'detached' })
    await press(page, 'Test')
    await page.getByText('The test passed.').waitFor()
    await page.getByText('The connection works.').waitFor()
    expect(await page.content()).not.toContain(key)
    await press(page, 'Actions: parcels')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(page, 'Delete the connection')
    await page.getByText('No connections yet').waitFor()
    expect(seen).toEqual([])
    await close()
    await service.stop()
  })

  test('a person consents to a connection of OAuth, and neither code nor state stays in the address', async () => {
    const service = await startServiceStandIn('unused', () => server.url)
    const { page, seen, close } = await registered({}, [new RegExp(`^request to ${service.url}/authorize`), /^409 POST /])
    await page.goto(`${server.url}/connections`)
    await page.locator('.pagehead').getByRole('button', { name: 'New connection' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('calendar')
    await form.getByLabel('Kind').selectOption('oauth2')
    await form.getByLabel('Address', { exact: true }).fill(service.url)
    await form.getByLabel('Authorization address').fill(`${service.url}/authorize`)
    await form.getByLabel('Token address').fill(`${service.url}/token`)
    await form.getByLabel('Client ID').fill('millrace')
    await form.getByLabel('Client secret').fill('between us')
    await press(page, 'Save')
    await page.getByText('The service needs the consent of a person').waitFor()
    await press(page, 'Authorize')
    await page.getByText('The connection works.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.goto(`${server.url}/connections/callback?state=unknown&code=used`)
    await page.getByRole('heading', { name: 'The connection is not authorized' }).waitFor()
    expect(page.url()).toBe(`${server.url}/connections/callback`)
    await page.goto(`${server.url}/connections/callback?error=access_denied`)
    await page.getByText('The service refused: access_denied.').waitFor()
    expect(seen).toEqual([])
    await close()
    await service.stop()
  })

  const looks: readonly (readonly [string, Look])[] = [
    ['light', {}],
    ['dark, at 390 px', { theme: 'dark', phone: true }],
    ['in Arabic', { locale: 'ar' }],
  ]

  test.each(looks)('every page of building is accessible and fits: %s', async (_name, look) => {
    const { page, seen, close } = await registered(look)
    const findings: string[] = []
    for (const path of buildingPaths) {
      await page.goto(`${server.url}${path}`)
      await page.locator('h1').first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      findings.push(...(await axeFindings(page, axe)).map((finding) => `${path} ${finding}`))
      const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (Number(overflow) > 0) findings.push(`${path} is ${String(overflow)} px too wide`)
    }
    expect(findings).toEqual([])
    expect(seen).toEqual([])
    await close()
  })
})
