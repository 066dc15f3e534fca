import type { FastifyInstance } from 'fastify'
import type { SigningKeys } from './signing-keys.ts'

/** How long others may keep the document; keys are published days before they sign. */
const cacheSeconds = 600

/** Serves the public keys of access tokens at the well-known place (RFC 7517), for those who verify tokens of ours without asking us. */
export function serveJwks(app: FastifyInstance, keys: Pick<SigningKeys, 'jwks'>): void {
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${cacheSeconds}`)
      .type('application/jwk-set+json')
      .send(JSON.stringify(await keys.jwks())),
  )
}
