import { audit } from '@millrace/contract'
import { vi } from 'vitest'
import { call, dig, textAt } from '#laws/calls.ts'
import { exerciseArchivist } from './archivist.ts'
import type { LawArea } from './area.ts'

const waiting = { timeout: 60_000, interval: 200 }

// No server listens on this port.
const unreachable = { name: 'law', target: { kind: 'http', url: 'http://127.0.0.1:9/' } }

export const auditArea: LawArea = {
  async createResources(url, { token }) {
    const { body } = await call(url, audit.query, { token })
    const { body: destination } = await call(url, audit.createDestination, { token, body: unreachable })
    return { aud: String(dig(body, ['data', '0', 'id'])), adst: textAt(destination, 'id') }
  },
  async exercise({ url, perform, token }) {
    const date = await vi.waitFor(async () => {
      const { body } = await call(url, audit.query, { token })
      const logged = dig(body, ['data', '0', 'log', 'date'])
      if (typeof logged !== 'string') throw new Error('the event has no leaf yet')
      return logged
    }, waiting)
    await perform(audit.query, { token, query: { event: 'account.*' } })
    await perform(audit.me, { token })
    await perform(audit.verify, { token })
    await perform(audit.verifyDay, { token, params: { date } })
    await perform(audit.exportEvents, { token, query: { event: 'account.*' } })
    await perform(audit.export, { token, params: { date } })
    await perform(audit.keys, {})
    const params = { id: textAt(await perform(audit.createDestination, { token, body: unreachable }), 'id') }
    await perform(audit.destinations, { token })
    await perform(audit.testDestination, { token, params })
    await perform(audit.resumeDestination, { token, params })
    await perform(audit.deleteDestination, { token, params })
    await exerciseArchivist({ url, perform, token })
  },
}
