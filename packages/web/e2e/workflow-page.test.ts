import type { TestAccount } from '@millrace/server/testing/server'
import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { findingsOf, inBrowser, press } from './in-browser.ts'

const greeting = (name: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: ${name}, version: 1.0.0 }\ndo:\n- greet: { set: { text: Hello Ada } }\n`

let account: TestAccount

inBrowser(
  'the page of a workflow',
  (stage) => {
    test('a viewer sees flow, text and steps, and why nothing can be changed, and nothing is refused', async () => {
      const { id } = await account.client.workflows.create({ body: { definition: greeting('viewed') } })
      const viewer = { email: `viewer-${account.email}`, password: account.password }
      const { token } = await account.client.invitations.create({ body: { email: viewer.email, role: 'viewer' } })
      await stage.server.client.invitations.accept({ body: { token: token ?? '', password: viewer.password } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, viewer)
      await page.goto(`${stage.server.url}/workflows/${id}`)
      await page.getByText('your role is viewer').waitFor()
      await press(page, 'Both')
      await page.locator('.cm-content[contenteditable="false"]', { hasText: 'Hello Ada' }).waitFor()
      await page.locator('[data-step="/do/0/greet"]').click()
      await page.locator('aside.step .json', { hasText: 'Hello Ada' }).waitFor()
      for (const name of ['Publish', 'Run', 'Save draft']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
      expect(await end(page)).toEqual([])
    })

    test('a member who may not publish asks, and an owner sees who asked why, compares, and publishes', async () => {
      const { client, email, password } = account
      const { id } = await client.workflows.create({ body: { definition: greeting('asked') } })
      await client.workflowDrafts.save({ params: { id }, body: { text: greeting('asked').replace('Hello Ada', '.helloGrace') } })
      const member = { email: `member-${email}`, password }
      const { token } = await client.invitations.create({ body: { email: member.email, role: 'member' } })
      await stage.server.client.invitations.accept({ body: { token: token ?? '', password, name: 'Grace Hopper' } })
      await client.account.update({ body: { publishers: 'admins' } })
      const [asking, deciding] = [await stage.visitor(), await stage.visitor()]
      const page = await signIn(asking.context, stage.server.url, member)
      await page.goto(`${stage.server.url}/workflows/${id}`)
      await press(page, 'Ask to publish')
      await page.getByLabel('What changed?').fill('Greets Grace')
      await page.getByRole('dialog').getByRole('button', { name: 'Ask to publish' }).click()
      await page.getByText('You asked to publish this draft').waitFor()
      expect(await page.getByRole('button', { name: 'Ask to publish' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0)
      expect(await findingsOf(page)).toEqual([])
      const other = await signIn(deciding.context, stage.server.url, account)
      await other.goto(`${stage.server.url}/notifications`)
      await other.getByRole('link', { name: 'Grace Hopper asks to publish asked' }).click()
      await other.getByText('Grace Hopper asked to publish this draft').waitFor()
      expect(await findingsOf(other)).toEqual([])
      await press(other, 'Review')
      const dialog = other.getByRole('dialog')
      expect(await dialog.getByLabel('What changed?').inputValue()).toBe('Greets Grace')
      await dialog.locator('.changed-flow .card', { hasText: 'greet' }).getByText('changed').waitFor()
      await dialog.getByRole('button', { name: 'Decline' }).click()
      await dialog.getByLabel('Why, or what is missing').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.getByRole('heading', { name: '1 problem' }).waitFor()
      await dialog.getByRole('button', { name: 'This text looks like an expression' }).waitFor()
      expect(await findingsOf(other)).toEqual([])
      await dialog.getByRole('button', { name: 'Publish' }).click()
      await other.getByText('Version 2 is published.').waitFor()
      await other.getByText('asked to publish').waitFor({ state: 'detached' })
      await client.account.update({ body: { publishers: 'members' } })
      expect([await asking.end(page), await deciding.end(other)]).toEqual([[], []])
    })

    test('the deletion of a variable names the workflows that use it, with a link to each', async () => {
      await account.client.variables.create({ body: { name: 'rate', value: '7' } })
      const { id } = await account.client.workflows.create({ body: { definition: greeting('rated') } })
      await account.client.workflows.update({
        params: { id },
        body: { definition: greeting('rated').replace('Hello Ada', '"${ $variables.rate }"'), publish: false },
      })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/variables`)
      await press(page, 'Actions: rate')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const question = page.getByRole('dialog')
      await question.getByText('1 workflow uses it').waitFor()
      await question.getByText('in its draft').waitFor()
      expect(await findingsOf(page)).toEqual([])
      await question.getByRole('link', { name: 'rated' }).click()
      await page.waitForURL(`${stage.server.url}/workflows/${id}`)
      expect(await end(page)).toEqual([])
    })

    test('a workflow that is not published is published where its starts are, and one that has a name already says so', async () => {
      const named = (name: string) => greeting(name).replace('version:', 'title: Twice, version:')
      const { id: first } = await account.client.workflows.create({ body: { definition: named('twice-one') } })
      const { id } = await account.client.workflows.create({ body: { definition: named('twice-two'), publish: false } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/workflows/${id}?tab=starts`)
      await page.getByText('The workflow is not published').waitFor()
      expect(await findingsOf(page)).toEqual([])
      await press(page, 'Publish')
      await page.getByText('The workflow is not published').waitFor({ state: 'detached' })
      expect((await account.client.workflows.get({ params: { id } })).state).toBe('published')
      await page.getByRole('tab', { name: 'Settings' }).click()
      await page.getByText('There is a workflow named Twice already').waitFor()
      expect(await findingsOf(page)).toEqual([])
      await page.getByLabel('Name').fill('Once')
      await page.getByText('There is a workflow named').waitFor({ state: 'detached' })
      await page.getByLabel('Name').fill('twice')
      await page.getByRole('link', { name: 'See it' }).click()
      await page.waitForURL(`${stage.server.url}/workflows/${first}`)
      expect(await end(page)).toEqual([])
    })

    test('settings that were typed and not saved are there after a look at another tab, and are discarded or saved', async () => {
      const { id } = await account.client.workflows.create({ body: { definition: greeting('settings') } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.goto(`${stage.server.url}/workflows/${id}?tab=settings`)
      const tags = page.getByLabel('Tags')
      await tags.fill('one,two')
      await page.getByText('Not saved yet.').waitFor()
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.getByRole('tab', { name: 'Settings' }).click()
      expect(await tags.inputValue()).toBe('one,two')
      await press(page, 'Discard the changes')
      expect(await tags.inputValue()).toBe('')
      await tags.fill('one,two')
      await press(page, 'Save')
      await page.getByText('Saved.', { exact: true }).waitFor()
      await page.getByText('Not saved yet.').waitFor({ state: 'detached' })
      expect(await tags.inputValue()).toBe('one, two')
      expect(await end(page)).toEqual([])
    })

    test('Home, the lists of runs and the deletion of the workflow say that a run waits for its turn', async () => {
      const limited = greeting('limited')
        .replace('1.0.0 }', '1.0.0, metadata: { concurrency: 1 } }')
        .replace('set: { text: Hello Ada }', 'wait: PT1H')
      const { id } = await account.client.workflows.create({ body: { definition: limited } })
      for (let count = 0; count < 2; count++) await account.client.workflows.execute({ params: { id }, body: {} })
      const concerned = () => account.client.workflows.get({ params: { id }, query: { callers: 'true' } })
      await expect.poll(async () => (await concerned()).awaitingTurns).toBe(1)
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      await page.getByText('1 waits for its turn.').waitFor()
      for (const place of ['runs', `workflows/${id}?tab=runs`]) {
        await page.goto(`${stage.server.url}/${place}`)
        await page.locator('table.rows td', { hasText: /^Waits for its turn$/ }).waitFor()
        expect(await findingsOf(page)).toEqual([])
      }
      await page.goto(`${stage.server.url}/workflows/${id}?tab=settings`)
      await press(page, 'Delete workflow')
      await page.getByRole('dialog').getByText('1 run waits for its turn and will still run.').waitFor()
      expect(await findingsOf(page)).toEqual([])
      expect(await end(page)).toEqual([])
    })

    test('each tab has an address: Back, a reload and a link show it again, and the list of runs keeps it', async () => {
      const { id } = await account.client.workflows.create({ body: { definition: greeting('tabbed') } })
      const { context, end } = await stage.visitor()
      const page = await signIn(context, stage.server.url, account)
      const shown = (name: string) => page.getByRole('tab', { name, selected: true }).waitFor()
      const url = `${stage.server.url}/workflows/${id}`
      await page.goto(url)
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.waitForURL(`${url}?tab=runs`)
      await page.getByText('Never ran.').waitFor()
      await page.getByRole('tab', { name: 'Starts' }).click()
      await page.waitForURL(`${url}?tab=starts`)
      await page.goBack()
      await shown('Runs')
      for (let count = 0; count < 26; count++) await account.client.workflows.execute({ params: { id }, body: {} })
      await page.reload()
      await shown('Runs')
      await page.getByRole('button', { name: 'Older' }).click()
      await page.waitForURL(/\?tab=runs&cursor=/)
      await page.locator('table.rows tbody tr').nth(1).waitFor({ state: 'detached' })
      await page.locator('table.rows .row-link').click()
      await page.waitForURL(/\/runs\/exec_/)
      await page.goBack()
      await shown('Runs')
      await page.goBack()
      await page.waitForURL(`${url}?tab=runs`)
      await page.goBack()
      await shown('Definition')
      expect(await end(page)).toEqual([])
    })
  },
  undefined,
  async (server) => {
    account = await server.registerAccount()
  },
)
