import { connections } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { lawProvider } from '#laws/sign-in-parts.ts'
import type { LawArea } from './area.ts'

// Nothing listens there: tests of the connection fail at once.
const settings = { kind: 'bearer', url: 'http://127.0.0.1:9/api' }
const secrets = { token: 'a token of the laws' }
const consenting = {
  kind: 'oauth2',
  grant: 'authorization_code',
  url: 'http://127.0.0.1:9/api',
  authorizationUrl: `${lawProvider.issuer}/authorize`,
  tokenUrl: `${lawProvider.issuer}/token`,
  clientId: 'millrace',
  clientAuthentication: 'post',
}

export const connectionsArea: LawArea = {
  async createResources(url, { token }) {
    const body = { name: 'law', settings, secrets }
    return { conn: textAt((await call(url, connections.create, { token, body })).body, 'id') }
  },
  async exercise({ perform, token }) {
    const params = { id: textAt(await perform(connections.create, { token, body: { name: 'service', settings, secrets } }), 'id') }
    await perform(connections.list, { token, query: { kind: 'bearer' } })
    await perform(connections.get, { token, params })
    await perform(connections.update, { token, params, body: { description: 'Of the laws.' } })
    await perform(connections.test, { token, params })
    await perform(connections.delete, { token, params })
    const body = { name: 'consent', settings: consenting, secrets: { clientSecret: 'a client of the laws' } }
    const pending = { id: textAt(await perform(connections.create, { token, body }), 'id') }
    const begun = await perform(connections.authorize, { token, params: pending })
    const state = new URL(textAt(begun, 'authorizationUrl')).searchParams.get('state')
    await perform(connections.complete, { token, body: { state, code: 'any' } })
  },
}
