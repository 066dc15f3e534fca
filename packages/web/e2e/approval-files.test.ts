import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser } from './in-browser.ts'

const refund = `document: { dsl: 1.0.3, namespace: e2e, name: refund, version: 1.0.0 }
input:
  schema:
    document:
      type: object
      properties: { photo: { type: string, format: file }, bill: { type: string, format: file } }
do:
- ask: { call: approve, with: { title: Refund?, excludeStarter: false, approvers: [{ role: owner }], details: '\${ { photo, bill } }' } }
`
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

inBrowser('files of an approval in a browser', (stage) => {
  test('an approver sees the picture that a form sent, opens it larger and saves the other file, also on the page of the run', async () => {
    const { page, email, end } = await stage.registered()
    const { url } = stage.server
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: url, groups, token: session.accessToken })
    const { id: workflowId } = await client.workflows.create({ body: { definition: refund } })
    const webhook = { signature: { scheme: 'none' as const }, form: {} }
    const trigger = await client.triggers.createWebhook({ body: { workflowId, name: 'Refund', webhook } })
    const form = new FormData()
    form.append('_id', crypto.randomUUID())
    form.append('photo', new File([pixel], 'damage.png', { type: 'image/png' }))
    form.append('bill', new File(['%PDF'], 'bill.pdf', { type: 'application/pdf' }))
    await fetch(`${url}${new URL(trigger.webhook?.url ?? '').pathname}`, { method: 'POST', redirect: 'manual', body: form })

    await page.goto(`${url}/approvals`)
    const picture = page.getByRole('button', { name: 'Show damage.png larger' })
    const isDrawn = (selector: string) =>
      expect.poll(() => page.evaluate(`document.querySelector('${selector}')?.naturalWidth ?? 0`)).toBeGreaterThan(0)
    await isDrawn('.acard .thumb img')
    expect(await findingsInBoth(page)).toEqual([])
    await picture.click()
    await isDrawn('dialog .large-picture')
    expect(await findingsInBoth(page)).toEqual([])
    await page.keyboard.press('Escape')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download bill.pdf' }).click()
    expect((await saved).suggestedFilename()).toBe('bill.pdf')

    await page.getByRole('link', { name: 'Open the run' }).click()
    await isDrawn('.step-body .thumb img')
    expect(await findingsInBoth(page)).toEqual([])
    expect(await end(page)).toEqual([])
  })
})
