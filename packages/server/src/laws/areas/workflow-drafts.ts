import { workflowDrafts, workflows } from '@millrace/contract'
import { textAt } from '#laws/calls.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import type { LawArea } from './area.ts'

export const workflowDraftsArea: LawArea = {
  async createResources() {
    return {}
  },
  async exercise({ perform, token }) {
    const body = { definition: documentOf(greets, 'law-draft') }
    const params = { id: textAt(await perform(workflows.create, { token, body }), 'id') }
    await perform(workflowDrafts.save, { token, params, body: { text: 'do: [' } })
    await perform(workflowDrafts.save, { token, params, body: { text: documentOf(greets, 'law-draft-changed') } })
    await perform(workflowDrafts.askToPublish, { token, params, body: { note: 'Greets.' } })
    await perform(workflowDrafts.publishRequests, { token })
    await perform(workflowDrafts.declinePublishRequest, { token, params, body: { note: 'Not yet.' } })
    await perform(workflows.update, { token, params, body: { publish: true } })
    await perform(workflowDrafts.versions, { token, params })
    await perform(workflowDrafts.restore, { token, params, body: { version: 1 } })
  },
}
