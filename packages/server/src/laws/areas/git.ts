import { git, workflows } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { startGitServer } from '#testing/git-server.ts'
import type { LawArea } from './area.ts'

const definition = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'pushed', version: '1.0.0' },
  do: [{ note: { set: { noted: true } } }],
}

export const gitArea: LawArea = {
  async createResources(url, { token }) {
    // Nothing listens there: it is linked and never pulled.
    const { body } = await call(url, git.create, { token, body: { url: 'http://127.0.0.1:9/laws.git' } })
    return { repo: textAt(body, 'id') }
  },
  async exercise({ url, perform, token }) {
    await using server = await startGitServer()
    await server.commit({ 'README.md': 'Laws' })
    const params = { id: textAt(await perform(git.create, { token, body: { url: server.url } }), 'id') }
    const { body: made } = await call(url, workflows.create, { token, body: { definition } })
    await perform(git.push, { token, params, body: { workflowIds: [textAt(made, 'id')] } })
    await perform(git.pull, { token, params, body: {} })
    await perform(git.list, { token })
    await perform(git.update, { token, params, body: { pull: 'publish' } })
    await perform(git.delete, { token, params })
  },
}
