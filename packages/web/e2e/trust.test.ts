import { readFile } from 'node:fs/promises'
import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { startMockProvider } from '@millrace/server/testing/mock-provider'
import { linkTo, readOutbox } from '@millrace/server/testing/outbox'
import { startPsptwoStandIn } from '@millrace/server/testing/psptwo-stand-in'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { admit, password } from './browser.ts'
import { findingsOfAll, inBrowser, press, walks } from './in-browser.ts'
import { operatorPages, trustPages } from './trust-pages.ts'

const operator = 'operator@example.com'

let provider: Awaited<ReturnType<typeof startPsptwoStandIn>>
let identities: Awaited<ReturnType<typeof startMockProvider>>

/** With a payment provider, which has its own books and pages, and a provider of OpenID Connect. */
async function withProviders() {
  provider = await startPsptwoStandIn()
  identities = await startMockProvider()
  return {
    ...provider.environment,
    MILLRACE_TAX_RATES: 'DE:19',
    MILLRACE_LOGIN_TWO_ISSUER: identities.issuer,
    MILLRACE_LOGIN_TWO_CLIENT_ID: 'millrace',
    MILLRACE_LOGIN_TWO_CLIENT_SECRET: 'a secret of the journeys',
    MILLRACE_LOGIN_TWO_NAME: 'Acme',
  }
}

inBrowser(
  'people and trust in a browser',
  (stage) => {
    const { registered, visitor } = stage
    afterAll(() => Promise.all([provider?.[Symbol.asyncDispose](), identities?.[Symbol.asyncDispose]()]))

    const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

    /** Invites a person in the interface, and returns the link to hand over. */
    async function invite(page: Page, email: string): Promise<string> {
      await page.goto(`${stage.server.url}/settings/team`)
      await press(page, 'Invite')
      await page.getByLabel('E-mail').fill(email)
      await inDialog(page, 'Invite')
      // The server of the test has no mail server.
      await page.getByText('No mail was sent').waitFor()
      const link = await page.locator('pre.secret').textContent()
      await inDialog(page, 'Done')
      return link?.trim() ?? ''
    }

    async function join(page: Page, link: string): Promise<void> {
      await page.goto(link)
      await page.getByLabel('Name').fill('Bilal Haddad')
      await page.getByLabel('Password').fill(password)
      await press(page, 'Join')
    }

    /** A client with the credential of a person of the interface. */
    async function clientOf(email: string) {
      const session = await stage.server.client.auth.login({ body: { email, password } })
      if (!('accessToken' in session)) throw new Error('a second step is missing')
      return createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    }

    async function signIn(page: Page, email: string): Promise<void> {
      await page.goto(`${stage.server.url}/sign-in`)
      await page.locator('input[type="email"]').fill(email)
      await page.locator('input[type="password"]').fill(password)
      await page.locator('button[type="submit"]').click()
    }

    test('an invited person joins the account, and decides an approval', async () => {
      const owner = await registered()
      const email = `second-${owner.email}`
      const link = await invite(owner.page, email)
      const guest = await visitor()
      const page = await guest.context.newPage()
      await join(page, link)
      await page.waitForURL(`${stage.server.url}/`)
      const client = await clientOf(owner.email)
      const { id } = await client.workflows.create({ body: { definition: asks(email) } })
      const { id: executionId } = await client.workflows.execute({ params: { id }, body: {} })
      await page.goto(`${stage.server.url}/approvals`)
      await page.getByText('Pay the invoice').first().waitFor()
      await press(page, 'Approve')
      await owner.page.goto(`${stage.server.url}/runs/${executionId}`)
      await owner.page.locator('.runhead span.st-completed').waitFor()
      await owner.page.goto(`${stage.server.url}/settings/team`)
      await owner.page.getByText(email, { exact: true }).waitFor()
      expect(await owner.page.locator('table.rows tbody tr').count()).toBe(2)
      expect(await Promise.all([owner.end(owner.page), guest.end(page)])).toEqual([[], []])
    })

    test('a person of an account that demands a second factor adds one at sign-in', async () => {
      const { email, accountId } = await stage.server.registerAccount()
      await stage.server.database.system.updateTable('accounts').set({ requires_mfa: true }).where('id', '=', accountId).execute()
      const { context, end } = await visitor()
      const page = await context.newPage()
      await signIn(page, email)
      await press(page, 'Add an authenticator')
      await page.locator('.qr').waitFor()
      const secret = (await page.locator('bdi.mono').textContent()) ?? ''
      await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
      await press(page, 'Continue')
      expect((await page.locator('.secret').textContent())?.split('\n').length).toBeGreaterThan(4)
      await press(page, 'Done')
      await page.waitForURL(`${stage.server.url}/`)
      await page.reload()
      await page.getByRole('heading', { name: 'Let the first one run' }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a new proof of identity in one tab replaces the session of all tabs, and none asks to sign in again', async () => {
      const { page, email, context, end } = await registered({}, [/^401 /])
      const other = await context.newPage()
      await other.goto(`${stage.server.url}/settings/security`)
      await other.getByRole('heading', { name: 'Security' }).waitFor()
      const { system } = stage.server.database
      const { id } = await system.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      const before = await system.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
      await system
        .updateTable('sessions')
        .set({ authenticated_at: new Date(0) })
        .where('user_id', '=', id)
        .execute()
      await page.goto(`${stage.server.url}/settings/security`)
      await press(page, 'Add an authenticator')
      await page.getByRole('dialog').getByLabel('Password').fill('not the password')
      await inDialog(page, 'Continue')
      await page.getByRole('dialog').getByText('wrong').waitFor()
      await page.getByRole('dialog').getByLabel('Password').fill(password)
      await inDialog(page, 'Continue')
      await page.locator('.qr').waitFor()
      const active = await system.selectFrom('sessions').select('id').where('user_id', '=', id).where('revoked_at', 'is', null).execute()
      expect([before.length, active.length, before.some((one) => one.id === active[0]?.id)]).toEqual([1, 1, false])
      // The other tab still has the former token.
      await other.getByRole('link', { name: 'Team' }).first().click()
      await other.getByText(email).first().waitFor()
      await other.reload()
      await other.getByText(email).first().waitFor()
      expect(await end(other)).toEqual([])
    })

    test('a person links a provider, and a sign-in with it elsewhere returns to the confirmation of the address', async () => {
      const toProvider = new RegExp(`^request to ${identities.issuer}/`)
      const { page, email, end } = await registered({}, [toProvider])
      identities.state.person = { sub: email, email, email_verified: false, name: 'Ada' }
      await page.goto(`${stage.server.url}/settings/security`)
      await press(page, 'Link Acme')
      await page.getByRole('button', { name: 'Unlink' }).waitFor()
      const token = await linkTo(stage.server.url, email, '/mail/verify')
      const elsewhere = await visitor({}, [toProvider])
      const other = await elsewhere.context.newPage()
      await other.goto(`${stage.server.url}/mail/verify#token=${token}`)
      await other.getByRole('link', { name: 'Sign in' }).click()
      await other.getByRole('link', { name: 'Acme' }).click()
      await press(other, 'Confirm the address')
      await other.getByText(email).first().waitFor()
      await other.getByRole('heading', { name: 'Address confirmed' }).waitFor()
      expect(await Promise.all([end(page), elsewhere.end(other)])).toEqual([[], []])
    })

    test('a person adds a passkey, signs in by it alone, and removes it', async () => {
      // Browsers make passkeys for names only.
      const url = stage.server.url.replace('127.0.0.1', 'localhost')
      const { context, end } = await visitor({}, [], url)
      const { page } = await admit(context, url)
      const devtools = await context.newCDPSession(page)
      await devtools.send('WebAuthn.enable')
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await page.goto(`${url}/settings/security`)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByLabel('Name').fill('Laptop')
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
      await page.getByText('Laptop').waitFor()
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(/\/sign-in/)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.waitForURL(`${url}/`)
      await page.goto(`${url}/settings/security`)
      await page.getByRole('button', { name: 'Remove Laptop' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
      await page.getByRole('button', { name: 'Remove Laptop' }).waitFor({ state: 'detached' })
      expect(await end(page)).toEqual([])
    })

    test('a run proves itself in the browser, and so does the day of the audit log that has its end', async () => {
      const { page, email, end } = await registered()
      const client = await clientOf(email)
      const { id } = await client.workflows.create({ body: { definition: doubles } })
      const run = await client.workflows.execute({ params: { id }, body: { input: { n: 21 } } }, { waitSeconds: 10 })
      await page.goto(`${stage.server.url}/runs/${run.id}`)
      await press(page, 'Prove it')
      await page.getByText('Proven in this browser').waitFor()
      await page.getByText('The result on this page is the one in the receipt.').waitFor()
      await page.goto(`${stage.server.url}/audit`)
      await press(page, 'Verify')
      await page.locator('.day-card').click()
      await press(page, 'Verify this day')
      await page.getByText('is complete and unchanged').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a phone becomes a second factor, signs in by its code, and is removed', async () => {
      const { page, email, end } = await registered({}, [/401 (?:POST|DELETE) \/api\/v1\/auth\/phone/])
      const number = '+4915112345678'
      const codeOf = async (count: number) => {
        const all = () => readOutbox(stage.server.url).then((messages) => messages.filter(({ recipient }) => recipient === number))
        await vi.waitFor(async () => expect((await all()).length).toBe(count))
        return /\d{6}/.exec((await all())[0]?.text ?? '')?.[0] ?? ''
      }
      await page.goto(`${stage.server.url}/settings/security`)
      await press(page, 'Add a phone')
      await page.getByLabel('Number').fill(number)
      await press(page, 'Send a code')
      await page.getByRole('textbox', { name: 'Code' }).fill(await codeOf(1))
      await press(page, 'Confirm the number')
      await page.locator('dialog .secret').waitFor()
      await press(page, 'Done')
      await press(page, 'Your account')
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(/\/sign-in/)
      await signIn(page, email)
      await page.getByRole('button', { name: /phone that ends in 78/ }).click()
      await page.getByLabel('Code').fill(await codeOf(2))
      await press(page, 'Continue')
      await page.waitForURL(`${stage.server.url}/`)
      await page.goto(`${stage.server.url}/settings/security`)
      await page.getByText('ends in 78').waitFor()
      await press(page, 'Remove the phone')
      await inDialog(page, 'Remove the phone')
      await page.getByText('no number').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('a text that was redacted by encryption is restored, and a destination outside is refused without consent', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/privacy`)
      await page.getByLabel('Text', { exact: true }).fill('Write to ada@example.com today.')
      await page.getByLabel('Redact by').selectOption('encrypt')
      await press(page, 'Check a text')
      const redacted = page.locator('.bench .wrap-any')
      await redacted.waitFor()
      const text = (await redacted.textContent()) ?? ''
      expect(text).not.toContain('ada@example.com')
      await page.goto(`${stage.server.url}/privacy?view=restore`)
      await page.getByLabel('Redacted text').fill(text)
      await press(page, 'Restore')
      await page.getByText('1 part restored').waitFor()
      await page.getByText('Write to ada@example.com today.').waitFor()
      await page.goto(`${stage.server.url}/privacy?view=leaving`)
      await page.getByLabel('Host').fill('api.example.com')
      await page.getByLabel('E-mail address').check()
      await press(page, 'May it leave?')
      await page.getByText('It may not leave').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('an operator changes a plan, and records a payment that was made elsewhere', async () => {
      const { client } = await stage.server.registerAccount()
      const { account } = await client.auth.me()
      const { context, end } = await visitor()
      const page = await context.newPage()
      await signIn(page, operator)
      await page.waitForURL(`${stage.server.url}/`)
      await page.goto(`${stage.server.url}/operate/billing`)
      await press(page, 'New plan')
      await page.getByLabel('Name').fill('Team')
      await page.getByLabel('Key').fill('team')
      await page.getByLabel('Prices').fill('79.50 EUR month')
      await press(page, 'Save the plan')
      await page.getByText('€79.50').waitFor()
      await press(page, 'Record a payment')
      await page.getByLabel('Id of the account').fill(account.id)
      await page.getByLabel('Plan').selectOption('team')
      await inDialog(page, 'Record a payment')
      await page.getByText('Recorded. The account has Team.').waitFor()
      expect(await end(page)).toEqual([])
    })

    test('an owner exports the data of the account, and gets a ZIP file', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/settings/data`)
      await press(page, 'Export everything')
      await inDialog(page, 'Export everything')
      const link = page.getByRole('link', { name: 'Download' })
      await link.waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      const bytes = await readFile(await download.path())
      expect(bytes.subarray(0, 2).toString()).toBe('PK')
      expect(await end(page)).toEqual([])
    })

    test('an account begins the trial of a plan, cancels it, and returns to the plan of the installation', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/settings/plan`)
      await press(page, 'Change the plan')
      await inDialog(page, 'Choose Pro')
      await page.getByRole('dialog').getByText('no limit → 50,000', { exact: true }).waitFor()
      await page.getByLabel('Country').fill('de')
      await inDialog(page, 'Confirm')
      await press(page, 'Cancel the plan')
      await inDialog(page, 'Cancel the plan')
      await page.getByRole('button', { name: 'Undo the cancellation' }).waitFor()
      await press(page, 'Change the plan')
      await inDialog(page, 'Choose Unlimited')
      await inDialog(page, 'Confirm')
      await page.getByRole('heading', { name: 'Unlimited' }).waitFor()
      expect(await end(page)).toEqual([])
    })

    test('an administrator adds a model with a key, decides about those of the installation, and deletes it', async () => {
      const { page, end } = await registered()
      await page.goto(`${stage.server.url}/settings/models`)
      await page.getByText('No models of the account yet').waitFor()
      await page.getByRole('button', { name: 'Add a model' }).first().click()
      await page.getByRole('dialog').getByLabel('Name').fill('main')
      // Nothing listens there.
      await page.getByRole('dialog').getByLabel('Address').fill('http://127.0.0.1:9/v1')
      await page.getByRole('dialog').getByLabel('Model').fill('large')
      await page.getByRole('dialog').getByLabel('Key').fill('a-key-of-the-journey')
      await inDialog(page, 'Add a model')
      await page.locator('table.rows').getByText('does not answer').waitFor()
      // The list can be there before the dialog has closed.
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.content()).not.toContain('a-key-of-the-journey')
      await press(page, 'Edit')
      await page.getByRole('dialog').getByLabel('Models of the installation').selectOption('never')
      await page.getByRole('dialog').getByLabel('Prompts and answers').selectOption('kept')
      await inDialog(page, 'Save')
      await page.getByText('Models of the installation: never used').waitFor()
      await page.getByText('Prompts and answers: kept for administrators').waitFor()
      await page.getByRole('button', { name: 'Actions: main' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await inDialog(page, 'Delete the model')
      await page.getByText('No models of the account yet').waitFor()
      expect(await end(page)).toEqual([])
    })

    /** Sends the notification of the last payment. */
    async function report(): Promise<void> {
      const [happening] = provider.ledger.happenings.slice(-1)
      if (happening === undefined) throw new Error('the provider has no payment')
      const { body, headers } = provider.signed(happening)
      const reply = await fetch(`${stage.server.url}/api/v1/webhooks/psptwo`, { method: 'POST', headers, body })
      expect(reply.status).toBeLessThan(300)
    }

    test('a person pays for a plan at the page of the provider, and has the plan and its invoice', async () => {
      const { page, context, end } = await registered({}, [/^request to https:\/\/pay\.example\.com\//])
      // The page of the provider: it takes the payment, reports it, and leads back.
      await context.route('https://pay.example.com/**', async (route) => {
        if (provider.ledger.pay(new URL(route.request().url()).pathname.slice(1))) await report()
        await route.fulfill({ contentType: 'text/html', body: `<a href="${stage.server.url}/settings/plan">Back</a>` })
      })
      await page.goto(`${stage.server.url}/settings/plan`)
      await press(page, 'Change the plan')
      await inDialog(page, 'Choose Pro')
      await page.getByLabel('How').selectOption('psptwo')
      await page.getByLabel('Country').fill('DE')
      await inDialog(page, 'Confirm')
      await page.getByRole('link', { name: 'Back' }).click()
      await page.locator('.verdict.ok').getByText('€34.51').waitFor()
      await page.locator('table.rows').getByText('€34.51').first().waitFor()
      expect(await end(page)).toEqual([])
    })

    test.each(walks)('every page about people and trust is accessible and fits: %s', async (_name, look) => {
      const { context, end } = await visitor(look)
      const page = await context.newPage()
      await signIn(page, operator)
      await page.waitForURL(`${stage.server.url}/`)
      expect(await findingsOfAll(page, stage.server.url, [...trustPages, ...operatorPages], look)).toEqual([])
      expect(await end(page)).toEqual([])
    })
  },
  withProviders,
  async ({ client, operatorCode }) => {
    const code = operatorCode === undefined ? {} : { operatorCode }
    await client.auth.register({ body: { email: operator, password, name: 'Ada Lindqvist', ...code } })
  },
)

const asks = (email: string) =>
  `document: { dsl: 1.0.3, namespace: e2e, name: pay, version: 1.0.0 }\ndo:\n- ask: { call: approve, with: { title: Pay the invoice, approvers: [${email}] } }\n`

const doubles = 'document: { dsl: 1.0.3, namespace: e2e, name: double, version: 1.0.0 }\ndo:\n- twice: { set: { result: "${ .n * 2 }" } }\n'
