import { Readable } from 'node:stream'
import { type AnyOperation, Fault } from '@millrace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedGroup } from './http-server.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { depthOf, withDepth } from '#platform/net/depth.ts'
import { admit, type Mounting } from './mount.ts'
import { consumeRate } from './rate-limit/consume-rate.ts'
import { isFromOwnPage } from './request/request-headers.ts'
import type { RequestContext } from './request/request-context.ts'

/** An address that speaks the protocol of another party over HTTP, for callers with a credential. */
export interface ExchangeRoute {
  /** Says who may call it. It is no operation of the interface. */
  readonly op: AnyOperation
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Where a caller without a valid credential learns how to get one (RFC 9728); undefined: by the documentation alone. */
  readonly metadataUrl?: (request: Pick<FastifyRequest, 'protocol' | 'host'>) => string
  /** Of the installation. Pages of other origins cannot use the address, also when a name of theirs leads here (DNS rebinding). */
  readonly publicUrl: string | undefined
  readonly respond: (ctx: RequestContext, request: Request, exchange: Exchange) => Promise<Response>
}

export interface Exchange {
  readonly audit: WriteAudit
  /** Counts the start of an execution like a request that starts one. Fault `rate_limited`. */
  readonly countStart: () => Promise<void>
}

/** Writes an event of the caller to the audit log. */
export type WriteAudit = (event: string, details: Parameters<RequestContext['audit']>[0]) => Promise<void>

/** Serves such an address with request ids, rate limits, credentials and problem documents like every operation. */
export function servedExchange({ op, methods, metadataUrl, publicUrl, respond }: ExchangeRoute): ServedGroup {
  return {
    operations: {},
    mountOn(app, mounting) {
      app.route({
        method: [...methods],
        url: op.path,
        bodyLimit: op.bodyLimit ?? 1024 * 1024,
        async onRequest(request, reply) {
          if (!isFromOwnPage(request.headers, publicUrl))
            throw (await consumeRate(mounting, mounting.policies.default, request, reply)) ?? foreignPage()
          await admit(mounting, op, request, reply).catch((error: unknown) => {
            throw metadataUrl === undefined ? error : withMetadata(error, metadataUrl(request), op)
          })
        },
        async handler(request, reply) {
          const ctx = request.millrace
          if (ctx === null) throw new Error(`${op.path} was reached without a context.`)
          const audit: WriteAudit = (event, details) => mounting.guards.audit.record(undefined, ctx, event, details)
          const countStart = async () => {
            const exceeded = await consumeStart(mounting, ctx, request, reply)
            if (exceeded !== undefined) throw exceeded
          }
          const response = await ctx.whileConnected((signal) =>
            withDepth(depthOf(request.headers), () => respond(ctx, webRequest(request, signal), { audit, countStart })),
          )
          return send(reply, response)
        },
      })
    },
  }
}

/** Counts what a start counts for beyond the request in which it is made. */
function consumeStart(mounting: Mounting, { principal }: RequestContext, request: FastifyRequest, reply: FastifyReply) {
  const { policies, credentialPolicies } = mounting
  const own = principal === undefined ? undefined : credentialPolicies?.execution
  const counted = new Set([...policies.default, ...(credentialPolicies?.default ?? [])].map(({ name }) => name))
  const further = (own ?? policies.execution).filter(({ name }) => !counted.has(name))
  return consumeRate(mounting, further, request, reply, own === undefined || principal === undefined ? undefined : actorOf(principal))
}

const foreignPage = () => new Fault('forbidden', { detail: 'A page of another origin cannot use this address.' })

function withMetadata(error: unknown, resourceMetadata: string, { auth }: AnyOperation): unknown {
  if (!(error instanceof Fault)) return error
  const neededScope = auth === 'public' ? '' : auth.scope
  return new Fault(error.code, { ...error.details, extensions: { ...error.details.extensions, resourceMetadata, neededScope } })
}

function webRequest({ method, url, headers, body }: FastifyRequest, signal: AbortSignal): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  const content = Buffer.isBuffer(body) && body.length > 0 ? { body: new Uint8Array(body) } : {}
  return new Request(new URL(url, 'http://millrace.invalid'), { method, headers: Object.fromEntries(entries), signal, ...content })
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
  reply.status(response.status)
  return response.body === null ? reply.send() : reply.send(Readable.from(response.body))
}
