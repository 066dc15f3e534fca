import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServedGroup } from '#platform/http/http-server.ts'
import { consumeRate } from '#platform/http/mount.ts'
import type { SigningKeys } from './signing-keys.ts'

/** How long others may keep the document; keys are published days before they sign. */
const cacheSeconds = 600

type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>
type Published = Pick<SigningKeys, 'jwks'>

/**
 * The public keys of access tokens as something to be mounted, its requests counted like any others.
 *
 * It stands among the groups without being an operation: the place is fixed by others, and the answer is a document of theirs.
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

/** Serves the public keys at the well-known place (RFC 7517), for those who verify tokens of ours without asking us. */
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
