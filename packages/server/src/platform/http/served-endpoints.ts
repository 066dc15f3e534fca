import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedGroup } from './http-server.ts'
import { consumeRate } from './rate-limit/consume-rate.ts'

/** An address whose form another party has defined: no operation of the interface, open to everyone. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly respond: (request: EndpointRequest) => EndpointResponse | Promise<EndpointResponse>
}

export interface EndpointRequest {
  /** Scheme and host as the caller used them. */
  readonly origin: string
  readonly body: string
}

export interface EndpointResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body: object
}

/** Serves such addresses with request ids and the rate limit of each address of a caller. */
export function servedEndpoints(endpoints: readonly Endpoint[], bodyLimit: number): ServedGroup {
  return {
    operations: {},
    mountOn(app, mounting) {
      for (const { method, url, respond } of endpoints)
        app.route({
          method,
          url,
          bodyLimit,
          async onRequest(request, reply) {
            const exceeded = await consumeRate(mounting, mounting.policies.default, request, reply)
            if (exceeded !== undefined) throw exceeded
          },
          handler: async (request, reply) => send(reply, await respond(requestOf(request))),
        })
    },
  }
}

function requestOf({ protocol, host, body }: FastifyRequest): EndpointRequest {
  return { origin: `${protocol}://${host}`, body: Buffer.isBuffer(body) ? body.toString('utf8') : '' }
}

function send(reply: FastifyReply, { status, headers, body }: EndpointResponse): FastifyReply {
  return reply.status(status).headers(headers).type('application/json').send(JSON.stringify(body))
}
