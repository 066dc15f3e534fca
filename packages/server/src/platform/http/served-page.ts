import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedGroup } from './http-server.ts'
import { consumeRate } from './rate-limit/consume-rate.ts'

/** A page for people behind a link that carries its own authority. */
export interface PageRoute {
  /** With the one parameter `:token`. */
  readonly url: string
  readonly show: (token: string) => Promise<PageContent>
  /** What the form of the page does. */
  readonly act: (token: string) => Promise<PageContent>
}

export interface PageContent {
  readonly status: number
  readonly html: string
}

/** No script and nothing from elsewhere; the form may only be sent to this server. */
const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const bodyBytesMax = 4096

/** Serves a page outside of the described interface. GET shows it and changes nothing; POST acts, whatever its body. */
export function servedPage({ url, show, act }: PageRoute): ServedGroup {
  return {
    operations: {},
    mountOn(app, mounting) {
      const respond = async (request: FastifyRequest, reply: FastifyReply, make: PageRoute['show']) => {
        const { status, html } = await make(tokenOf(request))
        return reply.code(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
      }
      const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        const fault = await consumeRate(mounting, mounting.policies.default, request, reply)
        if (fault !== undefined) throw fault
      }
      app.route({ method: 'GET', url, onRequest, handler: (request, reply) => respond(request, reply, show) })
      app.route({ method: 'POST', url, bodyLimit: bodyBytesMax, onRequest, handler: (request, reply) => respond(request, reply, act) })
    },
  }
}

function tokenOf({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'token' in params ? String(params.token) : ''
}
