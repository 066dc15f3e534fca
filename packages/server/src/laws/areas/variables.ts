import { variables } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

export const variablesArea: LawArea = {
  async createResources(url, { token }) {
    const body = { name: 'LAW_SECRET', kind: 'secret', value: 'a law is kept' }
    return { var: textAt((await call(url, variables.create, { token, body })).body, 'id') }
  },
  async exercise({ perform, token }) {
    const body = { name: 'REGION', value: 'eu-central-1' }
    const params = { id: textAt(await perform(variables.create, { token, body }), 'id') }
    await perform(variables.list, { token, query: { scope: 'account' } })
    await perform(variables.update, { token, params, body: { value: 'eu-west-1' } })
    await perform(variables.reveal, { token, params })
    await perform(variables.delete, { token, params })
  },
}
