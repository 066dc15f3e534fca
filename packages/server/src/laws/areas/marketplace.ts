import { randomUUID } from 'node:crypto'
import { auth, connectors, connectorSubmissions, marketplace, templates, workflows } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const workflow = {
  document: { dsl: '1.0.3', namespace: 'laws', name: 'published', version: '1.0.0' },
  do: [{ note: { set: { noted: true } } }],
}
const publication = { summary: 'Notes that it ran.', author: 'The laws', category: 'data', licence: 'MIT' }
const proposal = {
  name: 'law-service',
  kind: 'manifest',
  summary: 'A service of the laws.',
  licence: 'MIT',
  document: {
    connector: '1.0',
    title: 'Laws',
    servers: ['https://api.laws.example'],
    operations: [{ name: 'read', summary: 'Reads a law.', method: 'get', path: '/laws' }],
  },
}

// Entries are public and operators see every proposal, so no id here belongs to one account alone: the tests of the modules compare accounts.
export const marketplaceArea: LawArea = {
  async exercise({ url, perform, token, operatorToken }) {
    await perform(templates.list, { token, query: { q: 'order' } })
    await perform(templates.get, { token, params: { id: 'order-processing' } })
    await perform(templates.import, { token, params: { id: 'order-processing' }, body: {} })

    const id = textAt((await call(url, workflows.create, { token, body: { definition: workflow } })).body, 'id')
    const entry = textAt(await perform(marketplace.publish, { token, params: { id }, body: publication }), 'id')
    const params = { id: entry }
    await perform(marketplace.list, {})
    await perform(marketplace.search, { query: { q: 'noted' } })
    await perform(marketplace.get, { params })
    const user = { email: `law-${randomUUID()}@example.com`, password: `staple ${randomUUID()}` }
    const other = textAt((await call(url, auth.register, { body: user })).body, 'accessToken')
    await perform(marketplace.import, { token: other, params, body: {} })
    await perform(marketplace.rate, { token: other, params, body: { stars: 4 } })
    await perform(marketplace.report, { token: other, params, body: { reason: 'spam' } })
    await perform(marketplace.imports, { token: other })
    await perform(marketplace.reports, { token: operatorToken })
    await perform(marketplace.moderate, { token, params, body: { state: 'withdrawn' } })

    const submission = textAt(await perform(connectorSubmissions.create, { token, body: proposal }), 'id')
    await perform(connectorSubmissions.list, { token })
    await perform(connectorSubmissions.decide, { token: operatorToken, params: { id: submission }, body: { state: 'approved' } })
    await perform(connectors.list, { token })
    await perform(connectors.get, { token, params: { id: submission } })
  },
}
