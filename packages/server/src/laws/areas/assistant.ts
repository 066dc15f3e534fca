import { assistant, workflows } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const definition = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'assisted', version: '1.0.0' },
  do: [{ note: { set: { noted: true } } }],
}
const email = { kind: 'email.draft', to: ['ada@example.com'], subject: 'Report', body: 'All is well.' }

export const assistantArea: LawArea = {
  async createResources(url, { token }) {
    const { body } = await call(url, assistant.chat, { token, body: { message: 'Hello' } })
    const prepared = await call(url, assistant.run, { token, body: { action: email } })
    return { conv: textAt(body, 'conversationId'), draft: textAt(prepared.body, 'drafts', '0', 'id') }
  },

  async exercise({ url, perform, token }) {
    const propose = async (action: object) => {
      const { body } = await call(url, assistant.run, { token, body: { action } })
      return { proposalId: textAt(body, 'proposals', '0', 'id'), digest: textAt(body, 'proposals', '0', 'digest') }
    }
    const draft = async () => {
      const { body } = await call(url, assistant.run, { token, body: { action: email } })
      return { id: textAt(body, 'drafts', '0', 'id') }
    }
    const workflowId = textAt((await call(url, workflows.create, { token, body: { definition } })).body, 'id')
    const id = textAt(await perform(assistant.chat, { token, body: { message: 'What runs?' } }), 'conversationId')
    await perform(assistant.messages, { token, body: { message: 'Thanks', conversationId: id } })
    await perform(assistant.conversations, { token })
    await perform(assistant.conversation, { token, params: { id } })
    await perform(assistant.deleteConversation, { token, params: { id } })
    await perform(assistant.run, { token, body: { action: { kind: 'workflow.run', workflowId } } })
    await perform(assistant.confirm, { token, body: await propose({ kind: 'workflow.run', workflowId }) })
    const { proposalId } = await propose({ kind: 'workflow.run', workflowId })
    await perform(assistant.reject, { token, body: { proposalId } })
    const yearly = { kind: 'schedule.create', workflowId, name: 'yearly', schedule: { cron: '0 0 1 1 *' } }
    await perform(assistant.confirmSchedule, { token, body: await propose(yearly) })
    await perform(assistant.approveDraft, { token, params: await draft(), body: {} })
    await perform(assistant.rejectDraft, { token, params: await draft(), body: { reason: 'Not needed.' } })
    await perform(assistant.proposals, { token })
    await perform(assistant.drafts, { token, query: { state: 'sent' } })
  },
}
