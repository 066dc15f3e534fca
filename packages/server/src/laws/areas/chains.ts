import { chains, workflows } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const workflow = (name: string) => ({
  document: { dsl: '1.0.3', namespace: 'laws', name, version: '1.0.0' },
  do: [{ note: { set: { noted: true } } }],
})

async function memberOf(url: string, token: string, name: string) {
  const { body } = await call(url, workflows.create, { token, body: { definition: workflow(name) } })
  return { name: 'only', workflowId: textAt(body, 'id') }
}

export const chainsArea: LawArea = {
  async createResources(url, { token }) {
    const members = [await memberOf(url, token, 'chained')]
    return { chn: textAt((await call(url, chains.create, { token, body: { name: 'law', members } })).body, 'id') }
  },

  async exercise({ url, perform, token }) {
    const members = [await memberOf(url, token, 'chaining')]
    const params = { id: textAt(await perform(chains.create, { token, body: { name: 'law', members } }), 'id') }
    await perform(chains.list, { token })
    await perform(chains.run, { token, params, body: { input: { a: 1 } } })
    await perform(chains.get, { token, params })
    await perform(chains.update, { token, params, body: { name: 'another' } })
    await perform(chains.delete, { token, params })
  },
}
