import type { TestAccount } from '@millrace/server/testing/server'
import { expect, test, vi } from 'vitest'
import { signIn } from './browser.ts'
import { inBrowser, press } from './in-browser.ts'

const looping = `document: { dsl: 1.0.3, namespace: e2e, name: looping, version: 1.0.0 }
do:
- begin: { set: { lines: '\${ .lines }' } }
- each:
    for: { each: line, in: '\${ .lines }' }
    do:
    - take: { set: { line: '\${ $line }' } }
- rest: { wait: { milliseconds: 20 } }
- finish: { set: { sum: '\${ $workflow.input.lines | add }' } }
`

let account: TestAccount
let workflow: string

inBrowser(
  'the view of a run',
  (stage) => {
    async function signedIn() {
      const visit = await stage.visitor()
      return { ...visit, page: await signIn(visit.context, stage.server.url, account) }
    }

    async function runOf(input: object, id = workflow): Promise<string> {
      const run = await account.client.workflows.execute({ params: { id }, body: { input: { ...input } } }, { waitSeconds: 10 })
      return run.id
    }

    test('a person moves through a run, and sees steps and values as they were', async () => {
      const id = await runOf({ lines: [1, 2, 3] })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${id}`)
      const slider = page.getByRole('slider', { name: 'Moment' })
      await slider.focus()
      await page.keyboard.press('Home')
      await page.getByText('Before the first step').first().waitFor()
      expect(await page.locator('.flow .entry[data-state]').count()).toBe(0)
      await page.keyboard.press('ArrowRight')
      await page.locator('.step-panel', { hasText: 'begin' }).waitFor()
      expect(await page.locator('.step-panel .step-body').first().textContent()).toContain('"lines"')
      // begin, each, and three rounds of take: then the loop ends and the wait begins.
      for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight')
      await page.locator('.flow .entry[data-state="waiting"]', { hasText: 'rest' }).waitFor()
      expect(await page.locator('.flow .entry[data-state]', { hasText: 'finish' }).count()).toBe(0)
      await press(page, 'Back to the end')
      await page.locator('.flow .entry[data-state="completed"]', { hasText: 'finish' }).waitFor()
      // The player shows each moment for a part of a second: what looks now and then would miss it.
      await page.evaluate(`new MutationObserver(() => {
        const waiting = document.querySelector('.flow .entry[data-state="waiting"]')
        if (waiting !== null && waiting.textContent.includes('rest')) document.body.dataset.played = 'rest'
      }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] })`)
      await press(page, 'Play the run')
      await page.locator('body[data-played="rest"]').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('of steps at the same time those that decided the time are underlined, and keys walk through the steps', async () => {
      const parallel = `document: { dsl: 1.0.3, namespace: e2e, name: parallel, version: 1.0.0 }
do:
- both:
    fork:
      branches:
      - short: { wait: { milliseconds: 20 } }
      - long: { wait: { milliseconds: 400 } }
- last: { set: { done: true } }
`
      const made = await account.client.workflows.create({ body: { definition: parallel } })
      const id = await runOf({}, made.id)
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${id}`)
      await page.locator('.tlgrid .crit').first().waitFor()
      const underlined = await page.locator('.tlgrid > b:has(+ .crit)').allTextContents()
      expect(underlined).toEqual(['long', 'last'])
      for (const name of ['short', 'long']) {
        await page.keyboard.press('j')
        await page.locator('.step-panel', { hasText: name }).waitFor()
      }
      expect(await end(page)).toEqual([])
    })

    test('a run of many rounds keeps the page small, and each of its rounds can be seen', async () => {
      const id = await runOf({ lines: Array.from({ length: 3000 }, (_, index) => index) })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${id}`)
      await page.locator('.tl[data-entries="3003"]').waitFor()
      expect(Number(await page.evaluate('document.querySelectorAll("*").length'))).toBeLessThan(1500)
      await page.locator('.tlname', { hasText: 'take' }).click()
      await page.getByText('3000 of 3000').first().waitFor()
      await page.getByRole('slider', { name: 'Tries and rounds' }).focus()
      await page.keyboard.press('Home')
      await page.getByText('1 of 3000').waitFor()
      await press(page, 'Later round')
      await page.getByText('2 of 3000').waitFor()
      expect(await page.locator('.step-panel .json').first().textContent()).toContain('"line": 0')
      expect(await end(page)).toEqual([])
    })

    test('two runs are compared task by task, beginning with where they part', async () => {
      const first = await runOf({ lines: [1, 2, 3] })
      const second = await runOf({ lines: [1, 5] })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${second}`)
      await press(page, 'Compare')
      await page.getByRole('dialog').locator(`a[href*="${first}"]`).click()
      await page.waitForURL(/\/runs\/compare/)
      await page.getByRole('heading', { name: 'The same until begin' }).waitFor()
      // The inputs arrive after the rows.
      await vi.waitFor(async () => expect(await page.locator('.cmp-first').textContent()).toContain('.lines[1]25'))
      await page.getByRole('heading', { name: '3 of 4 tasks differ' }).waitFor()
      await page.getByText('2 of 3 rounds differ').click()
      await vi.waitFor(async () => expect(await page.locator('.cmp-tasks').textContent()).toContain('.line25'))
      await page.getByRole('link', { name: 'Swap' }).click()
      await page.waitForURL(new RegExp(`a=${second}`))
      expect(await end(page)).toEqual([])
    })

    test('a person tries the changed draft of a published workflow as a whole, and the published version stays', async () => {
      const text = (word: string) => `document: { dsl: 1.0.3, namespace: e2e, name: tried, version: 1.0.0 }
input: { schema: { document: { type: object, properties: { name: { type: string, title: Name of ${word} } } } } }
do:\n- greet: { set: { text: '\${ "${word} " + .name + " " + $variables.PLACE }' } }\n`
      await account.send('POST', '/api/v1/variables', { name: 'PLACE', value: 'here', environment: 'draft' })
      const { id } = await account.client.workflows.create({ body: { definition: text('Hello') } })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/workflows/${id}`)
      expect(await page.getByRole('button', { name: 'Try this draft' }).count()).toBe(0)
      await account.client.workflows.update({ params: { id }, body: { definition: text('Bye'), publish: false } })
      await page.reload()
      await press(page, 'Try this draft')
      await page.getByLabel('Name of Bye').fill('Ada')
      await press(page, 'Try it')
      await page.waitForURL(/\/runs\/exec_/)
      await page.getByText('A test of the draft, not of a published version').waitFor()
      // The drawing is that of the draft, which no version has.
      await page.locator('.flow .entry[data-state="completed"]', { hasText: 'greet' }).click()
      await page.locator('.step-panel .json', { hasText: 'Bye Ada here' }).first().waitFor()
      await page.goto(`${stage.server.url}/runs?q=tried`)
      await page.getByRole('cell', { name: 'draft', exact: true }).waitFor()
      const { version, hasUnpublishedChanges } = await account.client.workflows.get({ params: { id } })
      expect([version, hasUnpublishedChanges]).toEqual([1, true])
      expect(await end(page)).toEqual([])
    })

    test('a run is proven on the device, and a retry is previewed before it starts', async () => {
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: divides, version: 1.0.0 }
do:
- rest: { wait: { milliseconds: 5 } }
- divide: { set: { result: '\${ 10 / $workflow.input.by }' } }
`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const run = await runOf({ by: 0 }, id)
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${run}`)
      await press(page, 'Prove it')
      await page.getByText('Proven in this browser').waitFor()
      await page.getByText(/This device walked the run again from 1 journal entry/).waitFor()
      await press(page, 'Retry')
      const sheet = page.getByRole('dialog')
      await sheet.getByText('It would stop again at once, at divide').waitFor()
      expect(await sheet.locator('.retry-preview').textContent()).toContain('rest')
      await sheet.getByRole('heading', { name: 'Retry from where it stopped' }).waitFor()
      await sheet.locator('button:not(.primary)', { hasText: 'Retry anyway' }).waitFor()
      await sheet.getByRole('textbox').fill('{ "by": 5 }')
      await sheet.getByText('It completes at once, without calling anything.').waitFor()
      await sheet.locator('button.primary', { hasText: /^Retry$/ }).click()
      await page.locator('.runhead span.st-completed').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a run says why it took a way, and a retry changes one field of its input', async () => {
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: routes, version: 1.0.0 }
input:
  schema: { document: { type: object, properties: { total: { type: integer }, paper: { type: string, format: file } } } }
do:
- begin: { set: '\${ . }' }
- route: { switch: [{ large: { when: '\${ .total > 1000 }', then: accept } }, { others: { then: reject } }] }
- accept: { set: { accepted: true }, then: end }
- reject: { raise: { error: { type: 'https://e2e.example/rejected', status: 422, title: Rejected } } }
`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const input = { ref: 7, paper: 'runs/1/bill.pdf' }
      const run = await runOf(input, id)
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${run}`)
      await page.locator('.flow').getByText('route', { exact: true }).first().click()
      const panel = page.locator('.step-panel', { hasText: 'route' })
      await panel.getByText('The case others was taken. The run continued at reject.').waitFor()
      await panel.getByText('.total is missing, so the condition is false.').waitFor()
      await press(page, 'Retry')
      const sheet = page.getByRole('dialog')
      await sheet.getByText('It would stop again at once, at reject').waitFor()
      await sheet.getByLabel('Total').fill('1200')
      await sheet.getByText('It completes at once, without calling anything.').waitFor()
      await sheet.locator('button.primary', { hasText: /^Retry$/ }).click()
      await page.locator('.runhead span.st-completed').waitFor()
      const { pathname } = new URL(page.url())
      const next = await account.client.workflows.execution({ params: { executionId: pathname.slice('/runs/'.length) } })
      expect(next.input).toEqual({ ...input, total: 1200 })
      await page.locator('.flow').getByText('route', { exact: true }).first().click()
      await panel.getByText('The case large was taken. The run continued at accept.').waitFor()
      expect(await panel.locator('.decisions').textContent()).toContain('.total = 1200')
      expect(await end(page)).toEqual([])
    })

    test('a run that stops because no model is set up names the step of the drawing, and leads to the page of models', async () => {
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: looks, version: 1.0.0 }
do:
- look: { call: agent, with: { goal: Look. } }
`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${await runOf({}, id)}`)
      const why = page.getByRole('region', { name: 'Why it stopped' })
      await why.getByText('look', { exact: true }).waitFor()
      await why.getByText(/^No model is set up for difficult texts/).waitFor()
      await page.locator('.step-panel').getByText('look', { exact: true }).waitFor()
      expect(await why.getByRole('link', { name: 'Fix the workflow' }).count()).toBe(0)
      await why.getByRole('link', { name: 'Add a model' }).click()
      await page.getByRole('heading', { name: 'Models of the account', exact: true }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a press that comes after a decision does not decide the request that takes its place', async () => {
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: pay, version: 1.0.0 }
do:
- ask: { call: approve, with: { title: Pay?, approvers: [${account.email}], excludeStarter: false } }
`
      const { id } = await account.client.workflows.create({ body: { definition } })
      for (let count = 0; count < 2; count++) await account.client.workflows.execute({ params: { id }, body: {} })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/approvals`)
      const queue = page.locator('.inbox-queue li')
      await expect.poll(() => queue.count()).toBe(2)
      // Presses the button of the next card as soon as there is one.
      await page.evaluate(`new MutationObserver(() => {
        const next = document.querySelector('.inbox:has(li:only-child) .acard .primary:not([aria-busy])')
        if (next === null || document.body.dataset.pressed === 'yes') return
        document.body.dataset.pressed = 'yes'
        next.click()
      }).observe(document.body, { subtree: true, childList: true, attributes: true })`)
      await press(page, 'Approve')
      await page.locator('body[data-pressed]').waitFor()
      await page.locator('.acard .primary[aria-disabled="false"]').waitFor()
      const { data } = await account.client.approvals.list({})
      expect(data.map(({ state }) => state)).toEqual(['open'])
      await press(page, 'Approve')
      await expect.poll(() => queue.count()).toBe(0)
      expect(await end(page)).toEqual([])
    })

    test('after a decision the focus is on the next request or the page, and a decision that lacks a field is at that field', async () => {
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: books, version: 1.0.0 }
do:
- ask:
    call: approve
    with:
      title: Book?
      approvers: [${account.email}]
      excludeStarter: false
      form: { type: object, required: [centre], properties: { centre: { type: string, title: Cost centre } } }
`
      const { id } = await account.client.workflows.create({ body: { definition } })
      for (let count = 0; count < 2; count++) await account.client.workflows.execute({ params: { id }, body: {} })
      const { page, end } = await signedIn()
      const focused = (selector: string) => page.locator(`${selector}:focus`).waitFor()
      await page.goto(`${stage.server.url}/approvals`)
      await expect.poll(() => page.locator('.inbox-queue li').count()).toBe(2)
      await press(page, 'Approve')
      await focused('.acard input[aria-invalid]')
      await page.getByLabel('Cost centre').fill('4711')
      await press(page, 'Approve')
      await focused('.inbox-queue li:only-child button')
      await page.getByRole('link', { name: 'Open the run' }).click()
      await page.locator('.runhead').waitFor()
      await page.getByLabel('Cost centre').fill('4712')
      await press(page, 'Approve')
      await focused('main')
      expect(await end(page)).toEqual([])
    })

    test('a run whose approval was not decided in time says so on its page, in its timeline, and in the lists of approvals and runs', async () => {
      const definition = `document: { dsl: 1.0.3, namespace: e2e, name: lapses, version: 1.0.0 }
do:
- ask: { call: approve, with: { title: Pay now?, approvers: [${account.email}], excludeStarter: false, deadline: PT1S } }
- report: { set: { sum: 1 } }
`
      const { id } = await account.client.workflows.create({ body: { definition } })
      const run = await account.client.workflows.execute({ params: { id }, body: {} }, { waitSeconds: 30 })
      expect(run.state).toBe('completed')
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs/${run.id}`)
      await page.locator('.notice-strip', { hasText: /Pay now\? · No decision by \d\d:.*: it counts as rejected\./ }).waitFor()
      await page.locator('.tlgrid', { hasText: 'no decision' }).waitFor()
      await page.locator('.flow .entry', { hasText: 'it counts as rejected' }).click()
      await page.locator('.step-panel article', { hasText: 'it counts as rejected' }).waitFor()
      await page.goto(`${stage.server.url}/approvals`)
      await page.getByRole('combobox', { name: 'Shown' }).selectOption('not decided in time')
      await page.locator('.inbox-queue', { hasText: /Pay now\?lapses · run of .* · No decision by .*: it counts as rejected\./ }).waitFor()
      for (const list of ['/runs', `/workflows/${id}?tab=runs`]) {
        await page.goto(`${stage.server.url}${list}`)
        await page.getByRole('row', { name: /completed.*No decision by .*: it counts as rejected\./i }).waitFor()
      }
      await page.goto(stage.server.url)
      await page.locator('.mini-l li', { hasText: /lapses.*no decision/ }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a run whose stream is lost says so, and continues when the server is back', async () => {
      const waits = `document: { dsl: 1.0.3, namespace: e2e, name: waits, version: 1.0.0 }
do:
- ask: { call: approve, with: { title: Continue?, approvers: [${account.email}], excludeStarter: false } }
`
      const made = await account.client.workflows.create({ body: { definition: waits } })
      const run = await account.client.workflows.execute({ params: { id: made.id }, body: {} })
      const { context, page, end } = await signedIn()
      await context.route(/\/stream$/, (route) => route.abort())
      await page.goto(`${stage.server.url}/runs/${run.id}`)
      await page.getByText('Connection lost, trying again.').waitFor()
      await context.unroute(/\/stream$/)
      await page.getByText('Connection lost, trying again.').waitFor({ state: 'detached' })
      await page.locator('.flow .entry[data-state="waiting"]', { hasText: 'ask' }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a run has ended on its page when its result is there', async () => {
      const asks = `document: { dsl: 1.0.3, namespace: e2e, name: asks, version: 1.0.0 }
do:
- ask: { call: approve, with: { title: Continue?, approvers: [${account.email}], excludeStarter: false } }
- report: { set: { sum: 7 } }
`
      const made = await account.client.workflows.create({ body: { definition: asks } })
      const run = await account.client.workflows.execute({ params: { id: made.id }, body: {} })
      // The page gets the state with the run, since its stream brings nothing.
      const stateOf = async () => (await account.client.workflows.execution({ params: { executionId: run.id } })).state
      await expect.poll(stateOf).toBe('waiting')
      const { context, page, end } = await signedIn()
      // The stream is cut before its last event, and opened again later.
      const again = Promise.withResolvers<undefined>()
      const cut = Promise.withResolvers<undefined>()
      const state = JSON.stringify({ ...run, state: 'completed', endedAt: run.createdAt })
      const stream = /\/executions\/.*\/stream$/
      await context.route(stream, async (route) => {
        cut.resolve(undefined)
        await again.promise
        await route.continue()
      })
      const first = { contentType: 'text/event-stream', body: `event: state\ndata: ${state}\n\n` }
      await context.route(stream, (route) => route.fulfill(first), { times: 1 })
      await page.goto(`${stage.server.url}/runs/${run.id}`)
      await cut.promise
      await page.locator('.runhead span.st-waiting').waitFor()
      await press(page, 'Approve')
      again.resolve(undefined)
      await page.locator('.runhead span.st-completed').waitFor()
      expect(await page.locator('.step-panel .json').first().textContent()).toContain('"sum": 7')
      expect(await end(page)).toEqual([])
    })

    test('the id in the list of runs opens the run, also in the list of a period', async () => {
      const id = await runOf({ lines: [1] })
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/runs`)
      await page.getByRole('combobox', { name: 'Started', exact: true }).selectOption('yesterday')
      await page.getByText('Nothing matches').first().waitFor()
      await page.getByRole('combobox', { name: 'Started', exact: true }).selectOption('last 7 days')
      // The link of the row lies above its cells.
      await page.getByText(id.slice(-6), { exact: true }).click({ force: true })
      await page.waitForURL(`${stage.server.url}/runs/${id}`)
      await page.getByTitle(`Copy ${id}`).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a variable whose name suggests a secret is proposed as one, unless the person has chosen', async () => {
      const { page, end } = await signedIn()
      await page.goto(`${stage.server.url}/variables`)
      await page.getByRole('button', { name: 'New variable' }).first().click()
      const sheet = page.getByRole('dialog')
      const kind = () => sheet.getByLabel('Kind').inputValue()
      await sheet.getByLabel('Name').fill('STRIPE_KEY')
      expect(await kind()).toBe('secret')
      expect(await sheet.getByLabel('Value').getAttribute('type')).toBe('password')
      await sheet.getByLabel('Name').fill('REGION')
      expect(await kind()).toBe('text')
      await sheet.getByLabel('Kind').selectOption('text')
      await sheet.getByLabel('Name').fill('STRIPE_KEY')
      expect(await kind()).toBe('text')
      expect(await end(page)).toEqual([])
    })
  },
  undefined,
  async (server) => {
    account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: looping } })
    workflow = id
  },
)
