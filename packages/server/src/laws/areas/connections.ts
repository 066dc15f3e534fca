import { connections, connectors, functions } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { lawProvider } from '#laws/sign-in-parts.ts'
import { followAuthorization } from '#testing/sign-in/mock-provider.ts'
import type { LawArea } from './area.ts'

// Nothing listens there: tests of the connection fail at once.
const settings = { kind: 'bearer', url: 'http://127.0.0.1:9/api' }
const secrets = { token: 'a token of the laws' }
/** Settings of a connection that a user authorizes at the provider of the laws. */
export const consenting = {
  kind: 'oauth2',
  grant: 'authorization_code',
  url: 'http://127.0.0.1:9/api',
  authorizationUrl: `${lawProvider.issuer}/authorize`,
  tokenUrl: `${lawProvider.issuer}/token`,
  clientId: 'millrace',
  clientAuthentication: 'post',
}

const document = {
  openapi: '3.1.0',
  info: { title: 'Laws', version: '1' },
  paths: { '/laws': { get: { operationId: 'read', responses: {} } } },
}

export const connectionsArea: LawArea = {
  async createResources(url, { token }) {
    const body = { name: 'law', settings, secrets }
    const own = { name: 'law-document', kind: 'openapi', document }
    return {
      conn: textAt((await call(url, connections.create, { token, body })).body, 'id'),
      ctor: textAt((await call(url, connectors.create, { token, body: own })).body, 'id'),
    }
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
    const { state, code } = await followAuthorization(textAt(begun, 'authorizationUrl'))
    await perform(connections.complete, { token, body: { state, code } })

    const own = { id: textAt(await perform(connectors.create, { token, body: { name: 'laws', kind: 'openapi', document } }), 'id') }
    await perform(functions.list, { token, query: { connector: 'laws' } })
    await perform(functions.get, { token, params: { name: 'laws.read' } })
    await perform(connectors.replace, { token, params: own, body: { document } })
    await perform(connectors.delete, { token, params: own })
  },
}
