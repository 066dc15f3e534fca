import { analytics, executions, workflows } from '@millrace/contract'
import { textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const definition = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'analysed', version: '1.0.0' },
  do: [{ greet: { set: { message: 'Hello' } } }],
}

export const analyticsArea: LawArea = {
  async exercise({ perform, token }) {
    const id = textAt(await perform(workflows.create, { token, body: { definition } }), 'id')
    await perform(executions.search, { token, query: { state: 'completed,faulted', label: 'order:4711' } })
    await perform(analytics.workflows, { token, query: { zone: 'Asia/Kathmandu' } })
    await perform(analytics.workflow, { token, params: { id }, query: { interval: 'week' } })
  },
}
