import { triggers, workflows } from '@millrace/contract'
import { type ApiResponse, call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const workflow = (name: string) => ({
  document: { dsl: '1.0.3', namespace: 'laws', name, version: '1.0.0' },
  do: [{ note: { set: { noted: true } } }],
})
const webhook = { signature: { scheme: 'none' } }
const schedule = { cron: '0 0 1 1 *', timeZone: 'Europe/Berlin' }

/** Calls the URL of a webhook, at the address where the server listens. */
async function deliver(url: string, created: unknown): Promise<void> {
  const response = await fetch(`${url}${new URL(textAt(created, 'webhook', 'url')).pathname}`, { method: 'POST', body: 'hello' })
  if (response.status !== 200) throw new Error(`the webhook responded ${response.status}: ${await response.text()}`)
}

const idOf = (response: ApiResponse) => textAt(response.body, 'id')

export const triggersArea: LawArea = {
  async createResources(url, { token }) {
    const workflowId = idOf(await call(url, workflows.create, { token, body: { definition: workflow('triggered') } }))
    const { body } = await call(url, triggers.createWebhook, { token, body: { workflowId, name: 'law', webhook } })
    await deliver(url, body)
    const trg = textAt(body, 'id')
    const deliveries = await call(url, triggers.deliveries, { token, params: { id: trg } })
    return { trg, whd: textAt(deliveries.body, 'data', '0', 'id') }
  },

  async exercise({ url, perform, token }) {
    const workflowId = idOf(await call(url, workflows.create, { token, body: { definition: workflow('triggering') } }))
    const scheduled = textAt(await perform(triggers.createSchedule, { token, body: { workflowId, name: 'yearly', schedule } }), 'id')
    const manual = textAt(await perform(triggers.create, { token, body: { workflowId, name: 'by hand', kind: 'manual' } }), 'id')
    const hook = await perform(triggers.createWebhook, { token, body: { workflowId, name: 'hook', webhook } })
    await deliver(url, hook)
    const params = { id: textAt(hook, 'id') }
    await perform(triggers.previewSchedule, { token, body: { schedule, count: 2 } })
    await perform(triggers.list, { token, query: { kind: 'schedule' } })
    await perform(triggers.ofWorkflow, { token, params: { workflowId } })
    await perform(triggers.get, { token, params })
    await perform(triggers.fire, { token, params: { id: manual }, body: { input: { a: 1 } } })
    const deliveryId = textAt(await perform(triggers.deliveries, { token, params }), 'data', '0', 'id')
    await perform(triggers.skipped, { token, params: { id: scheduled } })
    await perform(triggers.delivery, { token, params: { deliveryId } })
    await perform(triggers.test, { token, params, body: {} })
    await perform(triggers.stopTest, { token, params })
    await perform(triggers.replayDelivery, { token, params: { deliveryId } })
    await perform(triggers.toggle, { token, params, body: { enabled: false } })
    await perform(triggers.toggleSchedule, { token, params: { id: scheduled }, body: {} })
    await perform(triggers.update, { token, params: { id: scheduled }, body: { name: 'yearly', input: { a: 1 }, schedule } })
    await perform(triggers.delete, { token, params })
  },
}
