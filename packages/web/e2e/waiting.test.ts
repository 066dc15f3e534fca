import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import type { TestAccount } from '@millrace/server/testing/server'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { findingsOf, inBrowser, press } from './in-browser.ts'

let account: TestAccount
let colleague: TestAccount['client']

const definition = (name: string, body: string) => `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n${body}`

const asks = (title: string) =>
  `{ call: approve, with: { title: '${title}', approvers: [{ role: owner }, { role: admin }], excludeStarter: false } }`

async function started(name: string, body: string, input: Readonly<Record<string, number>> = {}): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: definition(name, body) } })
  return (await account.client.workflows.execute({ params: { id }, body: { input } })).id
}

inBrowser(
  'what waits for people, events and times',
  (stage) => {
    test('the page of a run says which step waits for what, and leads to the step and to the question', async () => {
      const executionId = await started(
        'waits',
        `- both:
    fork:
      branches:
        - pause: { wait: PT2H }
        - payment: { listen: { to: { one: { with: { type: com.example.paid }, correlate: { order: { from: .data.id, expect: '\${ .id }' } } } } } }
        - sign: ${asks('Sign it?')}
        - guard:
            try: [{ callErp: { raise: { error: { type: 'https://e.test/busy', status: 503, title: Busy } } } }]
            catch: { retry: { delay: PT1H, limit: { attempt: { count: 4 } } } }
`,
        { id: 4711 },
      )
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/runs/${executionId}`)
      const waits = page.getByRole('region', { name: 'What it waits for' })
      await waits.getByText(/^Waits in pause until/).waitFor()
      await waits.getByText(/^Waits in payment for an event of type com.example.paid \(order: 4711\), since/).waitFor()
      await waits.getByText(/^Waits in sign for a decision by Owners(?: or|,) Administrators and owners/).waitFor()
      await waits.getByText(/^Tries callErp again at .+, attempt 2 of 5, because: 503 Busy$/).waitFor()
      expect(await findingsOf(page)).toEqual([])
      await waits.getByRole('button', { name: 'payment' }).click()
      await page.getByRole('region', { name: 'Step payment' }).waitFor()
      await press(page, 'To the question')
      await page.locator('.acard:focus').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('lists of runs and Home distinguish runs that wait for a time from those that wait for people', async () => {
      await started('sleeps', '- pause: { wait: PT2H }\n')
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.getByText('1 waits for its time.').waitFor()
      await page.goto(`${stage.server.url}/runs`)
      // Beside the state, where it is for phones, it is hidden.
      const shown = (text: string | RegExp) => page.getByText(text, { exact: true }).filter({ visible: true }).first()
      await shown(/^Waits until /).waitFor()
      await shown('Waits for a decision in sign').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('on a day with more runs than Home lists, it counts those that ended and names a workflow that failed before them', async () => {
      const busy = await stage.server.registerAccount()
      const create = async (name: string, body: string) =>
        (await busy.client.workflows.create({ body: { definition: definition(name, body) } })).id
      const run = (id: string) => busy.client.workflows.execute({ params: { id }, body: { input: {} } })
      await run(await create('nightly', `- import: { raise: { error: { type: 'https://e.test/gone', status: 404, title: File gone } } }\n`))
      const orders = await create('orders', '- settle: { set: { ok: true } }\n')
      for (let count = 0; count < 102; count += 6) await Promise.all(Array.from({ length: 6 }, () => run(orders)))
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, busy)
      await page.getByText('103 runs ended since midnight. None waits.').waitFor()
      await page.locator('.need', { hasText: 'nightly fails' }).getByText('1 of 1 runs today').waitFor()
      expect(await page.locator('.chart .bar-faulted').count()).toBe(1)
      expect(await end(page)).toEqual([])
    })

    test('a question that another person decides stays, and says who decided what', async () => {
      await started('first-question', `- ask: ${asks('First?')}\n`)
      const executionId = await started('second-question', `- ask: ${asks('Second?')}\n`)
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/approvals`)
      const queue = page.getByRole('list', { name: 'Approvals' })
      await queue.getByText('second-question ·').waitFor()
      await queue.getByText('Second?').click()
      await page.getByRole('heading', { name: 'Second?' }).waitFor()
      await decidedByColleague(executionId)
      await page.getByText(/^Grace Hopper rejected this at .+, while you looked at it/).waitFor()
      await page.getByRole('heading', { name: 'Second?' }).waitFor()
      expect(await findingsOf(page)).toEqual([])
      await press(page, 'Next question')
      await page.getByRole('heading', { name: 'Second?' }).waitFor({ state: 'detached' })
      expect(await end(page)).toEqual([])
    })

    test('a draft that a colleague changed meanwhile says who, when and which step, and both changes are kept', async () => {
      const text = definition('shared', '- price:\n    set:\n      x: 1\n- last:\n    set:\n      z: 1\n')
      const { id } = await account.client.workflows.create({ body: { definition: text } })
      const { context, end } = await stage.visitor({}, [/409 PUT/])
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/workflows/${id}`)
      await page.locator('[data-step="/do/1/last"]').waitFor()
      await colleague.workflowDrafts.save({ params: { id }, body: { text: text.replace('x: 1', 'x: 7') } })
      await addAfter(page, '/do/1/last', 'wait')
      await page.getByText(/^Grace Hopper changed this draft at /).waitFor()
      await page.getByText('Changed: price.').waitFor()
      expect(await findingsOf(page)).toEqual([])
      await press(page, 'Keep both')
      await page.locator('[data-saving="saved"]').waitFor()
      const { source } = await account.client.workflows.get({ params: { id } })
      expect([source.includes('x: 7'), source.includes('pause:')]).toEqual([true, true])
      expect(await end(page)).toEqual([])
    })
  },
  undefined,
  async (server) => {
    account = await server.registerAccount()
    const email = `grace-${account.email}`
    const { token } = await account.client.invitations.create({ body: { email, role: 'admin' } })
    await server.client.invitations.accept({ body: { token: token ?? '', password: account.password, name: 'Grace Hopper' } })
    const session = await server.client.auth.login({ body: { email, password: account.password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    colleague = createClient({ baseUrl: server.url, groups, token: session.accessToken })
  },
)

async function decidedByColleague(executionId: string): Promise<void> {
  const { data } = await colleague.approvals.ofExecution({ params: { executionId } })
  const approvalId = data[0]?.id ?? ''
  await colleague.approvals.answer({ params: { executionId, approvalId }, body: { decision: 'reject', reason: 'Too early.' } })
}

async function addAfter(page: Page, step: string, kind: string): Promise<void> {
  await page.locator(`[data-step="${step}"]`).click()
  await page.keyboard.press('a')
  await page.keyboard.type(kind)
  await page.keyboard.press('Enter')
}
