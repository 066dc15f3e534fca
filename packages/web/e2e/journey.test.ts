import { readFile } from 'node:fs/promises'
import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { messageTo } from '@millrace/server/testing/outbox'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { password, register } from './browser.ts'
import { findingsOf, findingsOfAll, inBrowser, looks, press, publish, walks } from './in-browser.ts'

/** Replaces the text of the editor as a paste does: what is typed over a selection, Chromium itself inserts with inline styles. */
async function replaceAll(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.evaluate(
    `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(text)}); document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) })()`,
  )
}

async function write(page: Page, definition: string, url: string): Promise<void> {
  await page.goto(`${url}/workflows/new`)
  await page.locator('.cm-content').click()
  await replaceAll(page, definition)
  await press(page, 'Save draft')
  await page.waitForURL(/\/workflows\/wf_/)
}

async function run(page: Page): Promise<void> {
  await press(page, 'Run')
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
  await page.waitForURL(/\/runs\/exec_/)
}

const fails = (text: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: fails, version: 1.0.0 }\ndo:\n- say: { set: { text: ${text} } }\n- stop: { raise: { error: { type: https://example.com/closed, status: 409, title: Closed } } }\n`

const greets = `document: { dsl: 1.0.3, namespace: e2e, name: fails, version: 1.0.1 }\ndo:\n- say: { set: { text: hello } }\n- stop: { set: { text: done } }\n`

async function zoneOfAccount(baseUrl: string, email: string): Promise<string | null> {
  const login = await createClient({ baseUrl, groups }).auth.login({ body: { email, password } })
  const token = 'accessToken' in login ? login.accessToken : ''
  const { timeZone } = await createClient({ baseUrl, groups, token }).account.settings()
  return timeZone
}

inBrowser('in a browser', (stage) => {
  const { atHome, registered, visitor } = stage

  test.each(looks)('a person registers, runs the example, decides while it is watched, and sees the result: %s', async (_name, look) => {
    const { context, end } = await visitor({ ...look, zone: 'Africa/Cairo' })
    const { page, email } = await register(context, stage.server.url)
    await page.locator('.door').first().click()
    await page.waitForURL(/\/workflows\/wf_/)
    await page.locator('.ebar .primary').click()
    await page.locator('dialog .primary').click()
    await page.waitForURL(/\/runs\/exec_/)
    await page.locator('.flow .entry[data-state="waiting"]').waitFor()
    await page.locator('.acard').getByText('Meridian Tea').first().waitFor()
    await page.locator('.acard .primary').click()
    await page.locator('.runhead span.st-completed').waitFor()
    await page.locator('.flow .entry[data-state="waiting"]').waitFor({ state: 'detached' })
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"total": 1236')
    expect(await zoneOfAccount(stage.server.url, email)).toBe('Africa/Cairo')
    expect(await end(page)).toEqual([])
  })

  test('a person sees why a run stopped, mends the workflow, and retries from there', async () => {
    const { page, end } = await registered()
    await write(
      page,
      'document: { dsl: 1.0.3, namespace: e2e, name: broken, version: 1.0.0 }\ndo:\n- begin: { set: { by: 0 } }\n- divide: { set: { result: "${ 10 / .by }" } }\n',
      stage.server.url,
    )
    await run(page)
    // The steps arrive after the reason, and with them the way to the step.
    await page.getByRole('region', { name: 'Why it stopped' }).getByText('divide', { exact: true }).waitFor()
    await press(page, 'Explain')
    await page.getByRole('dialog').getByRole('heading', { name: 'No model is configured' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Fix the workflow' }).click()
    await page.locator('[data-step="/do/1/divide"][aria-pressed="true"]').waitFor()
    await press(page, 'Text')
    await page.locator('.cm-content').click()
    await replaceAll(
      page,
      'document: { dsl: 1.0.3, namespace: e2e, name: broken, version: 1.0.1 }\ndo:\n- begin: { set: { by: 0 } }\n- divide: { set: { result: "${ 10 / (.by + 1) }" } }\n',
    )
    await publish(page)
    await page.getByText('Version 2 is published.').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('dialog', { name: 'Retry from the beginning' }).getByRole('button', { name: 'Retry' }).click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"result": 10')
    // The failed run leaves the list of what needs a look, and says why.
    await page.goto(`${stage.server.url}/runs`)
    await page.locator('table.rows tbody tr').nth(1).waitFor()
    await page.getByRole('link', { name: 'Need a look' }).click()
    await page.locator('.empty').waitFor()
    // It is no dead letter.
    await page.goto(`${stage.server.url}/dead-letters`)
    await page.getByRole('link', { name: 'Faulted runs' }).click()
    await page.locator('table.rows .row-link').click()
    await page.getByText('A retry of this run completed').waitFor()
    expect(await end(page)).toEqual([])
  })

  test('where an address leads nowhere the frame stays, with the way to the list that it belongs to', async () => {
    const { page, end } = await registered({}, [/^404 GET .*\/workflows\/wf_nothing/])
    for (const [path, title, list] of [
      ['/runs/some/where', 'There is no such page', 'Runs'],
      ['/no-such-page', 'There is no such page', 'Home'],
      ['/workflows/wf_nothing', 'There is nothing here', 'Workflows'],
    ] as const) {
      await page.goto(`${stage.server.url}${path}`)
      await page.getByRole('heading', { name: title }).waitFor()
      await page.getByRole('main').getByRole('link', { name: list }).waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      expect(await page.locator('.rail').count()).toBe(1)
      expect(await findingsOf(page)).toEqual([])
    }
    expect(await end(page)).toEqual([])
  })

  test('problems of a definition are shown while it is written, without a request', async () => {
    const { page, end } = await registered()
    await page.goto(`${stage.server.url}/workflows/new`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\n  - pause: { wiat: { seconds: 1 } }\n')
    await page.getByRole('button', { name: /problem/ }).click()
    await page.getByText(/wiat/).nth(1).waitFor()
    expect(await end(page)).toEqual([])
  })

  test('a session survives a reload, a sign-out ends it, and Back shows a signed-in person no form to sign in', async () => {
    const { page, email, end } = await atHome()
    await page.reload()
    await page.getByRole('heading', { name: 'Let the first one run' }).waitFor()
    await press(page, 'Your account')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.goto(`${stage.server.url}/variables`)
    await page.waitForURL(/\/sign-in\?to=/)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Continue')
    await page.waitForURL((url) => url.pathname === '/variables')
    await page.getByRole('heading', { name: 'Variables' }).waitFor()
    // What was before is the form that the sign-out led to.
    await page.goBack()
    await page.getByRole('heading', { name: 'Let the first one run' }).waitFor()
    expect(page.url()).toBe(`${stage.server.url}/`)
    await page.goto(`${stage.server.url}/register`)
    await page.waitForURL(`${stage.server.url}/`)
    await page.goto(`${stage.server.url}/sign-in?to=%2Fvariables`)
    await page.waitForURL(`${stage.server.url}/variables`)
    expect(await end(page)).toEqual([])
  })

  /** Opens the link of a mail about something, as the person reads it in the outbox. */
  async function openMail(page: Page, recipient: string, word: string): Promise<void> {
    const { links } = await messageTo(stage.server.url, recipient, word)
    await page.goto('about:blank')
    // The server of the test chose its port after the address of the links was known.
    const { pathname, hash } = new URL(links[0] ?? '')
    await page.goto(`${stage.server.url}${pathname}${hash}`)
  }

  test('the link that confirms an address survives the sign-in that it asks for, with its token in the fragment', async () => {
    const { page, email } = await atHome()
    await page.getByText('is not confirmed yet').waitFor()
    expect(await page.getByRole('link', { name: 'Open the outbox' }).getAttribute('href')).toBe('/dev/outbox')
    const { context, end } = await visitor()
    const asked: string[] = []
    context.on('request', (request) => asked.push(request.url()))
    const other = await context.newPage()
    await openMail(other, email, '/mail/verify#')
    await other.getByRole('link', { name: 'Sign in' }).click()
    await other.getByLabel('E-mail').fill(email)
    await other.getByLabel('Password').fill(password)
    await press(other, 'Continue')
    await press(other, 'Confirm the address')
    await other.getByText(`${email} is confirmed.`).waitFor()
    await other.getByRole('link', { name: 'Continue to Millrace' }).click()
    await other.getByRole('heading', { name: 'Let the first one run' }).waitFor()
    expect(await other.getByText('is not confirmed yet').count()).toBe(0)
    expect(asked.filter((url) => /[?&][^#]*mll_/.test(url))).toEqual([])
    expect(await end(other)).toEqual([])
    await page.context().close()
  })

  test('a person deletes the only user of an account, restores it by the mail, and signs in', async () => {
    const { page, email, end } = await registered()
    await page.goto(`${stage.server.url}/settings/profile`)
    await press(page, 'Delete my user')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete my user' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Account deleted' }).waitFor()
    await openMail(page, email, '/mail/restore#')
    await press(page, 'Restore the account')
    await page.getByText(`Sign in as ${email}.`).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'Let the first one run' }).waitFor()
    expect(await end(page)).toEqual([])
  })

  test('a person adds an authenticator, and signs in with its code', async () => {
    const { page, email, end } = await registered({}, [/401 POST \/api\/v1\/auth\/mfa\/setup/])
    await page.goto(`${stage.server.url}/settings/security`)
    await press(page, 'Add an authenticator')
    await page.locator('dialog .qr').waitFor()
    const secret = (await page.locator('dialog bdi.mono').textContent()) ?? ''
    const code = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
    await page.getByRole('textbox', { name: 'Code' }).fill(code(Date.now()))
    await page.getByRole('dialog').getByRole('button', { name: 'Add an authenticator' }).click()
    const recovery = (await page.locator('dialog .secret').textContent())?.split('\n')[0] ?? ''
    await press(page, 'Done')
    await press(page, 'Your account')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
    // A code works once; the one of the next half minute is accepted a little early.
    await page.getByLabel('Code').fill(code(Date.now() + 30_000))
    await press(page, 'Continue')
    await page.waitForURL(`${stage.server.url}/`)
    await press(page, 'Your account')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Continue')
    await press(page, 'Use a recovery code')
    await page.getByLabel('Recovery code').fill(recovery)
    await press(page, 'Continue')
    await page.waitForURL(`${stage.server.url}/`)
    expect(await end(page)).toEqual([])
  })

  test('a webhook made in the interface starts the workflow, and its run is listed', async () => {
    const { page, end } = await registered()
    await write(
      page,
      'document: { dsl: 1.0.3, namespace: e2e, name: hooked, version: 1.0.0 }\ndo:\n- take: { set: { order: "${ .body.order }" } }\n',
      stage.server.url,
    )
    await publish(page)
    await page.getByRole('tab', { name: 'Starts' }).click()
    await press(page, 'Webhook')
    await page.getByLabel('How the sender proves who it is').selectOption('none')
    await page.getByLabel('Ignore the same content for').fill('600')
    await page.getByLabel('Start only if').fill('.body.order > 5')
    await press(page, 'Add')
    // The test server has another port than its configuration says.
    const { pathname } = new URL((await page.locator('dialog .secret').first().textContent()) ?? '')
    const headers = { 'content-type': 'application/json' }
    const post = (order = 7) => fetch(`${stage.server.url}${pathname}`, { method: 'POST', headers, body: JSON.stringify({ order }) })
    expect(await (await post(3)).json()).toMatchObject({ ignored: true })
    expect((await post()).status).toBe(200)
    expect(await (await post()).json()).toMatchObject({ duplicate: true })
    await press(page, 'Done')
    await page.goto(`${stage.server.url}/runs`)
    await page.locator('table.rows .row-link').first().click()
    await page.locator('.runhead span.st-completed').waitFor()
    expect(await page.locator('.step-panel .json').first().textContent()).toContain('"order": 7')
    expect(await end(page)).toEqual([])
  })

  test('a version is compared, exported and restored as the draft, and the figures say where runs fault', async () => {
    const { page, end } = await registered()
    await write(page, fails('first'), stage.server.url)
    await publish(page)
    await page.getByText('Version 1 is published.').waitFor()
    await run(page)
    await page.locator('.runhead span.st-faulted').waitFor()
    await page.goBack()
    await press(page, 'Text')
    await page.locator('.cm-content').click()
    await replaceAll(page, fails('second'))
    await press(page, 'Publish')
    const note = page.getByRole('dialog').getByLabel('What changed?')
    await expect.poll(() => note.inputValue()).toBe('Changed: say')
    // It is selected: what is typed replaces it, and Enter publishes.
    await page.keyboard.type('Says second')
    await page.keyboard.press('Enter')
    await page.getByText('Version 2 is published.').waitFor()
    await page.getByRole('tab', { name: 'Insights' }).click()
    await page.locator('.failures').getByText('stop').waitFor()
    await page.getByRole('tab', { name: 'Versions' }).click()
    const row = page.locator('table.rows tbody tr').nth(1)
    await row.getByText('v1', { exact: true }).waitFor()
    await row.getByText('First version').waitFor()
    const latest = page.locator('table.rows tbody tr').first()
    for (const shown of ['Says second', 'Ada Lindqvist']) await latest.getByText(shown).waitFor()
    await row.getByRole('button', { name: 'Compare' }).click()
    const comparison = page.getByRole('dialog')
    await comparison.locator('.cm-changedLine, .cm-deletedChunk').first().waitFor()
    await comparison.getByText('What changes from version 1 to the draft').waitFor()
    expect(await comparison.locator('.changed-flow .card', { hasText: 'changed' }).allTextContents()).toEqual([
      expect.stringContaining('say'),
    ])
    await press(page, 'Close')
    await press(page, 'Actions: version 1')
    await page.getByRole('menuitem', { name: 'Export' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Save the file')])
    expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual([
      'fails-v1.yaml',
      expect.stringContaining('first'),
    ])
    await press(page, 'Actions: version 1')
    await page.getByRole('menuitem', { name: 'Restore as draft' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Restore/ })
      .click()
    await page.locator('.cm-content').getByText('first').first().waitFor()
    expect(await end(page)).toEqual([])
  })

  test('several runs are counted, and then retried at once, by selection and by filter', async () => {
    // A run is retried once: the one that was retried by itself is refused in the second round, which says so.
    const { page, end } = await registered({}, [/^409 POST .*\/retry$/])
    await write(page, fails('often'), stage.server.url)
    for (let count = 0; count < 2; count++) {
      await run(page)
      await page.locator('.runhead span.st-faulted').waitFor()
      await page.goBack()
    }
    await page.goto(`${stage.server.url}/runs?state=faulted`)
    await page
      .getByRole('checkbox', { name: /^Select exec_/ })
      .first()
      .check()
    await page.locator('.bulk').getByRole('button', { name: 'Retry…' }).click()
    await press(page, 'Retry 1 run')
    await page.getByText('1 run retried').waitFor()
    await press(page, 'Done')
    // The list learns of the new run by the stream of the account.
    await page.locator('table.rows tbody tr').nth(2).waitFor()
    await press(page, 'All that match')
    await page.getByRole('menuitem', { name: 'Retry…' }).click()
    await page.getByText('3 runs of 3 can be retried').waitFor()
    await press(page, 'Retry 3 runs')
    await page.getByText('2 runs retried').waitFor()
    await page.getByText('1 run refused:').waitFor()
    expect(await end(page)).toEqual([])
  })

  const paths = [
    '/',
    '/workflows',
    '/workflows/new',
    '/runs',
    '/runs/compare',
    '/insights',
    '/audit',
    '/approvals',
    '/variables',
    '/events',
    '/subscriptions',
    '/dead-letters',
    '/notifications',
    '/settings/plan',
    '/settings/profile',
    '/settings/security',
    '/settings/api-keys',
  ]

  test.each(walks)('every page is accessible and fits: %s', async (_name, look) => {
    const { page, end } = await registered(look)
    expect(await findingsOfAll(page, stage.server.url, paths, look)).toEqual([])
    expect(await end(page)).toEqual([])
  })
})

/** An empty variable counts as one that is not set: the limits of an installation, in place of those of the tests. */
const defaultLimits = async () => ({
  MILLRACE_RATE_LIMIT_GLOBAL: '',
  MILLRACE_RATE_LIMIT_AUTH: '',
  MILLRACE_RATE_LIMIT_REFRESH: '',
  MILLRACE_RATE_LIMIT_EXECUTION: '',
})

inBrowser(
  'with the rate limits of an installation',
  (stage) => {
    test('a person registers, builds, runs, mends, retries and looks around without being refused', async () => {
      const { page, end } = await stage.registered()
      await write(page, fails('once'), stage.server.url)
      await run(page)
      await page.getByRole('heading', { name: 'Why it stopped' }).waitFor()
      await page.getByRole('link', { name: 'Fix the workflow' }).click()
      await press(page, 'Text')
      await page.locator('.cm-content').click()
      await replaceAll(page, greets)
      await publish(page)
      await page.getByText('Version 2 is published.').waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
      await page.locator('.runhead span.st-completed').waitFor()
      const settled = async () => {
        await page.locator('h1').first().waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      }
      for (const path of ['/', '/workflows', '/runs', '/insights', '/audit', '/approvals']) {
        await page.locator(`.rail a[href="${path}"]`).first().click()
        await page.waitForURL(`${stage.server.url}${path}`)
        await settled()
      }
      for (const path of ['/settings/profile', '/settings/security']) {
        await page.goto(`${stage.server.url}${path}`)
        await settled()
      }
      expect(await end(page)).toEqual([])
    })
  },
  defaultLimits,
)
