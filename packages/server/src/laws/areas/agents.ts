import { agents } from '@millrace/contract'
import { vi } from 'vitest'
import { call, dig, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

export const agentsArea: LawArea = {
  async createResources(url, { token }) {
    return { arun: textAt((await call(url, agents.run, { token, body: { goal: 'Say hello.' } })).body, 'id') }
  },

  async exercise({ url, perform, token }) {
    const params = { id: textAt(await perform(agents.run, { token, body: { goal: 'Say hello.' } }), 'id') }
    await perform(agents.list, { token })
    await vi.waitFor(
      async () => {
        const { body } = await call(url, agents.get, { token, params })
        if (dig(body, ['state']) !== 'completed') throw new Error('the run has not ended')
      },
      { timeout: 60_000 },
    )
    await perform(agents.get, { token, params })
    await perform(agents.stream, { token, params })
    await perform(agents.live, { token, query: { seconds: '1' } })
    await perform(agents.stats, { token })
  },
}
