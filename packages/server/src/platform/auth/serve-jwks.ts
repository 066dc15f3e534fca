import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServedGroup } from '#platform/http/http-server.ts'
import { consumeRate } from '#platform/http/rate-limit/consume-rate.ts'
import type { SigningKeys } from './signing-keys.ts'

/** How long clients may cache the document; keys are published days before they sign. */
const cacheSeconds = 600

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>
type Published = Pick<SigningKeys, 'jwks'>

/**
 * A served group with the public keys of access tokens, under the global rate limit.
 *
 * It declares no operation, since RFC 7517 and RFC 8615 define its path and its document.
 */
export function servedJwks(keys: Published): ServedGroup {
  return {
    operations: {},
    mountOn: (app, mounting) =>
      serveJwks(app, keys, async (request, reply) => {
        const exceeded = await consumeRate(mounting, mounting.policies.default, request, reply)
        if (exceeded !== undefined) throw exceeded
      }),
  }
}

/** Serves the public keys (RFC 7517) at the well-known path, for services that verify our tokens by themselves. */
function serveJwks(app: FastifyInstance, keys: Published, admit: Admit): void {
  app.get('/.well-known/jwks.json', {
    onRequest: admit,
    handler: async (_request, reply) =>
      reply
        .header('cache-control', `public, max-age=${cacheSeconds}`)
        .type('application/jwk-set+json')
        .send(JSON.stringify(await keys.jwks())),
  })
}
