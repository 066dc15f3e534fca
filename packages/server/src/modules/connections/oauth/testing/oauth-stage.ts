import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createConnectionAccess } from '#modules/connections/connection-access.ts'
import type { Http } from '#modules/connections/authorised-port.ts'
import { createConnectionSecrets } from '#modules/connections/connection-secrets.ts'
import { findConnection } from '#modules/connections/connection-store.ts'
import { createConnectionPauses } from '#modules/triggers/index.ts'
import { workflowsWithConnection } from '#modules/workflows/index.ts'
import { createSealing } from '#platform/sealing/sealing.ts'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { idOf } from '#platform/ids.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount } from '#testing/server.ts'
import { followAuthorization, startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { createTokenSource } from '#modules/connections/oauth/token-source.ts'

export const path = '/api/v1/connections'
const secretKey = Buffer.alloc(32, 7)
const root = { version: 1, secret: secretKey }
export const sealing = createSealing({ roots: { current: async () => root, of: async () => root }, randomBytes })
export const box = createConnectionSecrets(sealing)

/** A server, a provider of OAuth and a service that takes its tokens. */
export async function startOauthStage() {
  /** Grants that the provider was asked for, in order. */
  const grants: Record<string, unknown>[] = []
  /** What the service answers to its test path and to all else. */
  const refusing = { status: 200 }
  const answers: { next: object | undefined; status: number } = { next: undefined, status: 200 }

  const provider = await startMockProvider()
  provider.server.service.on(
    'beforeResponse',
    (response: { body: object; statusCode: number }, request: { body: Record<string, unknown> }) => {
      grants.push(request.body)
      response.statusCode = answers.status
      response.body = answers.next ?? {
        ...response.body,
        access_token: `token number ${grants.length}`,
        refresh_token: `refresh ${grants.length}`,
      }
    },
  )
  const service = await startHttpStandIn(() => ({ status: refusing.status }))
  const server = await createTestServer({ MILLRACE_SECRET_KEY: Buffer.from(secretKey).toString('base64') })
  const settings = (more: object = {}) => ({
    kind: 'oauth2',
    grant: 'authorization_code',
    url: service.url,
    tokenUrl: `${provider.issuer}/token`,
    authorizationUrl: `${provider.issuer}/authorize`,
    clientId: 'millrace',
    clientAuthentication: 'post',
    scopes: ['contacts'],
    ...more,
  })

  async function create(account: TestAccount, body: object = {}) {
    const made = await account.send('POST', path, {
      name: 'crm',
      settings: settings(),
      secrets: { clientSecret: 'secret of the client' },
      ...body,
    })
    if (made.status !== 200) throw new Error(`the connection was refused: ${JSON.stringify(made.body)}`)
    return made.body
  }

  async function authorize(account: TestAccount, id: string) {
    const { body } = await account.send('POST', `${path}/${id}/authorize`)
    const { state, code } = await followAuthorization(body.authorizationUrl)
    return { body, answer: { state, code } }
  }

  /** Ends the token of a connection, so that the next use renews it. */
  async function endToken({ accountId }: TestAccount, id: string): Promise<void> {
    const { database } = server
    const row = idOf('conn', id)
    await database.account(accountId, async (tx) => {
      const found = await findConnection(tx, accountId, { id: row })
      const tokens = await box.openTokens(tx, accountId, row, found?.tokens ?? Buffer.alloc(0))
      const sealed = await box.seal(tx, accountId, row, 'tokens', { ...tokens, expiresAtMs: Date.now() })
      await sql`update connections set tokens = ${sealed} where id = ${row}`.execute(tx)
    })
  }

  async function createAuthorized(account: TestAccount, body: object = {}) {
    const { id } = await create(account, body)
    const { answer } = await authorize(account, id)
    await account.send('POST', '/api/v1/connection-authorizations', answer)
    return { id, key: { id: idOf('conn', id) } }
  }

  /** A token endpoint whose answers the test decides. */
  function slowEndpoint() {
    const pending: ((reply: object) => void)[] = []
    const http: Http = {
      request: () =>
        new Promise((resolve) =>
          pending.push((reply) =>
            resolve({ status: 'error' in reply ? 400 : 200, headers: {}, url: '', body: Buffer.from(JSON.stringify(reply)) }),
          ),
        ),
    }
    return { http, pending }
  }

  /** A process of its own, by what it shares with the server: the database. */
  const pauses = createConnectionPauses({ now: Date.now, workflowsWithConnection })

  function processOf(now = Date.now) {
    const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
    return { http, ...partsOf(http, now) }
  }

  function partsOf(http: Http, now = Date.now) {
    const { database } = server
    const tokens = createTokenSource({ database, secrets: box, http, now, onRevoked: pauses.pause })
    return { tokens, access: createConnectionAccess({ database, secrets: box, tokens }) }
  }

  return {
    server,
    provider,
    service,
    grants,
    refusing,
    answers,
    settings,
    create,
    authorize,
    endToken,
    createAuthorized,
    slowEndpoint,
    pauses,
    processOf,
    partsOf,
    async close() {
      await server.close()
      await provider[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}
