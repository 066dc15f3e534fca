import { type ModelStandIn, startModelStandIn } from '@millrace/server/testing/model-stand-in'
import { afterAll, expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { findingsInBoth, inBrowser, pickWorkflow, press } from './in-browser.ts'

let model: ModelStandIn

async function withModel() {
  model = await startModelStandIn(({ messages }) =>
    JSON.stringify(messages).includes('Write a novel') ? { error: { message: 'too long' }, status: 413 } : { content: 'She wants tea.' },
  )
  const of = { MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' }
  return { ...of, MILLRACE_MODEL_PRICES: '3/15', MILLRACE_MODEL_TEXTS: 'kept' }
}

inBrowser(
  'the use of models in a browser',
  (stage) => {
    afterAll(() => model?.stop())

    test('an administrator reads what a model was sent, returned and cost, in the run and of all runs', async () => {
      const account = await stage.server.registerAccount()
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: sorts-mail, version: 1.0.0 }
do:\n- sort: { call: model, with: { system: Sort the mail., prompt: 'What does Ada want?' } }\n- ask: { call: agent, with: { goal: Find out who Ada is., tools: [] } }\n`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const run = await account.client.workflows.execute({ params: { id }, body: { input: {} } }, { waitSeconds: 30 })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/runs/${run.id}`)
      await page.locator('.flow .entry[data-state="completed"]', { hasText: 'sort' }).click()
      const calls = page.getByRole('region', { name: '1 model call' })
      await calls.getByText('complete', { exact: true }).click()
      await calls.getByText('What does Ada want?').waitFor()
      await calls.getByText('Sort the mail.').waitFor()
      // The agent is one step, whose turn is a task inside of it.
      await page.locator('.flow .entry[data-state="completed"]', { hasText: 'ask' }).click()
      await calls.locator('summary').click()
      await calls.getByText('Find out who Ada is.').waitFor()
      await page.goto(`${stage.server.url}/settings/model-use`)
      await page.locator('.model-sums').getByRole('link', { name: 'sorts-mail' }).click()
      await page.waitForURL(/workflowId=wf_/)
      await page
        .getByRole('row', { name: /sorts-mail.*complete/ })
        .first()
        .getByRole('button', { name: 'Show the texts' })
        .click()
      await page.getByRole('dialog').getByText('Find out who Ada is.').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a person says by fields what a model returns, and the schema gets them', async () => {
      const account = await stage.server.registerAccount()
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: sorts-complaints, version: 1.0.0 }
do:\n  - sort:\n      call: model\n      with:\n        prompt: What went wrong?\n`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/workflows/${id}`)
      await page.locator('[data-step="/do/0/sort"]').click()
      const returned = page.locator('aside.step [data-field="schema"]')
      await returned.getByText('Without fields it returns a text').waitFor()
      await returned.getByRole('button', { name: 'Add a choice' }).click()
      const row = returned.getByRole('group', { name: 'choice' })
      await row.getByLabel('Choices, one in each line').fill('damaged\nlate')
      await row.getByLabel('What it is').fill('What went wrong.')
      await returned.getByRole('button', { name: 'Add a field' }).click()
      await returned.getByRole('group', { name: 'field' }).getByLabel('Kind of the field').selectOption('texts')
      const schemaNow = async (): Promise<unknown> => {
        const { definition: draft } = Object(await account.client.workflows.get({ params: { id } }))
        return draft?.do[0].sort.with.schema
      }
      await expect.poll(schemaNow).toEqual({
        type: 'object',
        required: ['choice', 'field'],
        properties: {
          choice: { enum: ['damaged', 'late'], description: 'What went wrong.' },
          field: { type: 'array', items: { type: 'string' } },
        },
      })
      expect(await end(page)).toEqual([])
    })

    test('a person gives the agent of a workflow another workflow, an address and a function of a connector as tools', async () => {
      const account = await stage.server.registerAccount()
      const define = (name: string, tasks: string) =>
        account.client.workflows.create({
          body: { definition: `document: { dsl: 1.0.3, namespace: shop, name: ${name}, version: 1.0.0 }\n${tasks}` },
        })
      await define('read-order', 'do:\n  - give: { set: { total: 7 } }\n')
      const settings = { kind: 'bearer', url: 'http://127.0.0.1:9' } as const
      await account.client.connections.create({ body: { name: 'team', settings, secrets: { token: 'xoxb-1' } } })
      const { id } = await define('helps', 'do:\n  - help:\n      call: agent\n      with:\n        goal: Help Ada.\n')
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/workflows/${id}`)
      await page.locator('[data-step="/do/0/help"]').click()
      const tools = page.locator('aside.step [data-field="tools"]')
      await tools.getByRole('button', { name: 'Add a workflow' }).click()
      const form = page.getByRole('dialog')
      await pickWorkflow(form.getByRole('combobox', { name: 'Workflow' }), 'read-order')
      await form.getByLabel('Name', { exact: true }).fill('order')
      await form.getByLabel('What it is for').fill('Reads an order.')
      await press(page, 'Add')
      await tools.getByText('Reads an order.').waitFor()
      await tools.getByRole('button', { name: 'Add an address' }).click()
      await form.getByLabel('Name', { exact: true }).fill('customer')
      await form.getByLabel('What it is for').fill('Reads a customer.')
      await form.getByLabel('URL').fill('https://crm.example/customers')
      await form.getByLabel('Secret for the header').fill('crm')
      await press(page, 'Add')
      await tools.getByText('Reads a customer.').waitFor()
      const draft = async (): Promise<unknown> => {
        const { source } = await account.client.workflows.get({ params: { id } })
        return source
      }
      await expect.poll(draft).toMatch(/secrets:[^]*crm/)
      // A name that the server would refuse, or that is taken, is refused at the field; the secret stays with the tool.
      await tools.getByRole('button', { name: 'Edit: customer' }).click()
      expect(await form.getByLabel('Secret for the header').inputValue()).toBe('crm')
      await form.getByLabel('Name', { exact: true }).fill('2nd customer')
      await press(page, 'Save')
      await form.getByText('A name begins with a letter').waitFor()
      expect(await findingsInBoth(page)).toEqual([])
      await form.getByLabel('Name', { exact: true }).fill('order')
      await press(page, 'Save')
      await form.getByText('Another tool is called order.').waitFor()
      await form.getByLabel('Name', { exact: true }).fill('client')
      await press(page, 'Save')
      await expect.poll(draft).toMatch(/name: client\s+description: Reads a customer.[^]*Authorization:\s+secret: crm/)
      expect(await draft()).not.toContain('name: customer')
      // The workflow stays the one that the tool names.
      await tools.getByRole('button', { name: 'Edit: order' }).click()
      await form.getByLabel('What it is for').fill('Reads one order.')
      await press(page, 'Save')
      await tools.getByText('Reads one order.').waitFor()
      await tools.getByRole('button', { name: 'Add a function of a connector' }).click()
      await form.getByRole('combobox').fill('slack channels')
      await form.getByRole('option', { name: /slack.listChannels/ }).click()
      await form.getByLabel('Connection').selectOption('team')
      await press(page, 'Add')
      await expect
        .poll(draft)
        .toMatch(/name: slack-listChannels\s+description: Lists channels.\s+function: slack.listChannels\s+connection: team/)
      expect(await draft()).toMatch(/namespace: shop\s+workflow: read-order/)
      expect(await end(page)).toEqual([])
    })

    test('an administrator sees at the step why a model failed, and how often it did', async () => {
      const account = await stage.server.registerAccount()
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: writes-novels, version: 1.0.0 }
do:\n- write: { call: model, with: { prompt: Write a novel. } }\n`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const run = await account.client.workflows.execute({ params: { id }, body: { input: {} } }, { waitSeconds: 30 })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/runs/${run.id}`)
      await page.locator('.flow .entry[data-state="faulted"]', { hasText: 'write' }).click()
      await page.getByRole('region', { name: '1 model call' }).locator('summary', { hasText: 'failed: provider error' }).click()
      await page.getByText('The endpoint responded with 413: the request is too large.', { exact: true }).waitFor()
      await page.goto(`${stage.server.url}/settings/model-use`)
      await page.getByText('1 failed', { exact: true }).filter({ visible: true }).waitFor()
      await page
        .locator('.model-sums')
        .getByRole('row', { name: /writes-novels 1 1/ })
        .waitFor()
      await page.getByRole('row', { name: /default.*writes-novels.*failed/ }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('an administrator limits what models cost in a month, sees how much of it is used, and is warned', async () => {
      const account = await stage.server.registerAccount()
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: asks-once, version: 1.0.0 }
do:\n- ask: { call: model, with: { prompt: 'What does Ada want?' } }\n`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const run = () => account.client.workflows.execute({ params: { id }, body: { input: {} } }, { waitSeconds: 30 })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/settings/model-use`)
      await press(page, 'Set a limit')
      const form = page.getByRole('dialog')
      await form.getByLabel('Cost in a month').fill('100')
      await form.getByLabel('Tokens in a month').fill('5')
      await press(page, 'Save')
      const limits = page.getByRole('region', { name: 'Spending limits' })
      await limits.getByText('0.00 of 100.00').waitFor()
      await run()
      expect(await run()).toMatchObject({ state: 'faulted', error: { status: 429 } })
      await page.reload()
      await limits.getByText('Reached:').waitFor()
      await page.goto(`${stage.server.url}/notifications`)
      await page.getByRole('link', { name: /The limit for models is used up/ }).click()
      await limits.getByText('Administrators are notified at 80 % and at the limit.').waitFor()
      expect(await end(page)).toEqual([])
    })
  },
  withModel,
)
