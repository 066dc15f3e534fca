import { workflows, workflowTests } from '@millrace/contract'
import { textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const definition = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'tested', version: '1.0.0' },
  do: [{ fetch: { set: { total: 1 } } }, { double: { set: { total: '${ .total * 2 }' } } }],
}

export const workflowTestsArea: LawArea = {
  async exercise({ perform, token }) {
    const params = { id: textAt(await perform(workflows.create, { token, body: { definition, publish: false } }), 'id') }
    await perform(workflowTests.saveSamples, { token, params, body: { tasks: { '/do/0/fetch': { output: { total: 6 } } } } })
    await perform(workflowTests.samples, { token, params })
    await perform(workflowTests.run, { token, params, body: { task: '/do/1/double' }, headers: { prefer: 'wait=10' } })
  },
}
