import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@millrace/contract'
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify'
import type { ServedGroup } from './http-server.ts'
import { pathOf } from './mount.ts'
import { isTooDeep, loopDetected, depthOf, withDepth } from '#platform/net/depth.ts'
import { consumeRate } from './rate-limit/consume-rate.ts'
import { type RateLimit, rateOutcomeOf, rateSubject } from './rate-limit/rate-limit.ts'
import { isMultipart } from './request/limit-request-time.ts'
import { announcedBytes, bodyOf } from './request/streamed-body.ts'

/** A request to an address of ours that is no operation of the interface: its body is whatever the sender sends. */
export interface RawHttpRequest {
  readonly method: string
  readonly token: string
  readonly ip: string
  readonly headers: IncomingHttpHeaders
  /** Repeated parameters as a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
  /** The body as it arrives, once, for a form of several parts that its owner streams. */
  readonly stream: (() => AsyncIterable<Uint8Array>) | undefined
  /** Aborts when the sender disconnects. */
  readonly disconnected: AbortSignal
}

/** What the owner of the address decides before the body is read. */
export interface RawAdmission {
  /** Methods that the address takes. */
  readonly methods: readonly string[]
  readonly rateLimit: RateLimit
  /** Whether forms of several parts are read while they arrive, with a limit of their owner. */
  readonly streamsForms?: boolean
  /** What the requests are counted for. */
  readonly subject: string
  /** A limit for the requests of one address, for those that it concerns. */
  readonly visitorRate?: (request: Pick<RawHttpRequest, 'method' | 'headers'>) => RateLimit | undefined
  /** Called with the Fault of a request that is refused because of its method, a rate limit or its size. What it returns is sent in place of the problem document. */
  readonly onRefused: (request: Pick<RawHttpRequest, 'method' | 'ip' | 'headers'>, fault: Fault) => Promise<RawReply | undefined>
  /** Returns the JSON text of a success, or another response. */
  readonly handle: (request: RawHttpRequest) => Promise<string | RawReply>
}

/** A response that is no JSON, such as a page for people. */
export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RawRoute {
  /** With the one parameter `:token`. */
  readonly url: string
  readonly bodyLimit: number
  /** Undefined for an unknown token. */
  readonly admit: (token: string) => Promise<RawAdmission | undefined>
}

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Serves an address outside of the described interface, with request ids, problem documents and rate limits like every operation. */
export function servedRaw(route: RawRoute): ServedGroup {
  return {
    operations: {},
    mountOn(app, mounting) {
      const admissions = new WeakMap<FastifyRequest, RawAdmission>()
      const isStreamed = (request: FastifyRequest) => admissions.get(request)?.streamsForms === true
      const define = (scope: FastifyInstance) =>
        scope.route({
          method: methods,
          url: route.url,
          bodyLimit: route.bodyLimit,
          config: { multipartTimeoutMs: formTimeoutMs },
          async onRequest(request, reply) {
            const admission = await route.admit(tokenOf(request))
            if (admission === undefined) {
              // Guesses count against the address.
              throw (
                (await consumeRate(mounting, mounting.policies.default, request, reply)) ??
                new Fault('not_found', { detail: 'There is no such address.' })
              )
            }
            admissions.set(request, admission)
            const fault = await refusalOf(admission, request, reply, mounting.guards.rateLimiter)
            if (fault === undefined) return
            const refusal = await admission.onRefused(request, fault)
            if (refusal === undefined) throw fault
            const { retryAfterSeconds } = fault.details
            if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
            return sendRaw(reply, refusal)
          },
          errorHandler(error, request, reply) {
            const admission = admissions.get(request)
            // What is thrown here reaches the error handler of the server.
            if (admission === undefined || error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
            void respondTooLarge(admission, request, reply, error)
          },
          async handler(request, reply) {
            const admission = admissions.get(request)
            if (admission === undefined) throw new Error(`${pathOf(request.url)} was reached without admission.`)
            const response = await whileConnected(request, (disconnected) =>
              withDepth(depthOf(request.headers), () => admission.handle(rawRequestOf(request, disconnected, isStreamed(request)))),
            )
            // Otherwise what was not read would keep the next request of the connection waiting.
            if (!request.raw.destroyed) request.raw.resume()
            return typeof response === 'string' ? reply.type('application/json; charset=utf-8').send(response) : sendRaw(reply, response)
          },
        })
      void app.register(async (scope) => {
        scope.addContentTypeParser('multipart/form-data', (request: FastifyRequest) =>
          isStreamed(request) ? Promise.resolve() : readWhole(request, route.bodyLimit),
        )
        define(scope)
      })
    },
  }
}

/** For people who send a photograph over a slow network. */
const formTimeoutMs = 10 * 60 * 1000

async function readWhole(request: FastifyRequest, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  if ((announcedBytes(request.raw) ?? 0) > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  for await (const part of bodyOf(request)) {
    parts.push(part)
    bytes += part.length
    if (bytes > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  }
  return Buffer.concat(parts)
}

async function respondTooLarge(admission: RawAdmission, request: FastifyRequest, reply: FastifyReply, error: Error): Promise<void> {
  try {
    const refusal = await admission.onRefused(request, new Fault('payload_too_large', { cause: error }))
    await (refusal === undefined ? reply.send(error) : sendRaw(reply, refusal))
  } catch (failure) {
    await reply.send(failure)
  }
}

function sendRaw(reply: FastifyReply, { status, headers, body }: RawReply): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

type Limiter = Parameters<ServedGroup['mountOn']>[1]['guards']['rateLimiter']

async function refusalOf(
  { methods: taken, rateLimit, subject, visitorRate }: RawAdmission,
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: Limiter,
): Promise<Fault | undefined> {
  const ofVisitor = visitorRate?.(request)
  if (ofVisitor !== undefined) {
    // First, so that one visitor does not use up the limit of all.
    const visitor = `${subject}/${rateSubject(request.ip)}`
    const outcome = rateOutcomeOf(await limiter.consume([{ name: 'execution', ...ofVisitor }], visitor))
    if (outcome.retryAfterSeconds !== undefined) {
      reply.headers(outcome.headers)
      return new Fault('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds })
    }
  }
  const { headers, retryAfterSeconds } = rateOutcomeOf(await limiter.consume([{ name: 'execution', ...rateLimit }], subject))
  reply.headers(headers)
  if (retryAfterSeconds !== undefined) return new Fault('rate_limited', { retryAfterSeconds })
  if (isTooDeep(request.headers)) return loopDetected()
  if (taken.includes(request.method)) return undefined
  reply.header('allow', taken.join(', '))
  return new Fault('method_not_allowed', { detail: `This address takes ${taken.join(', ')}.` })
}

async function whileConnected<T>({ raw }: FastifyRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const aborter = new AbortController()
  const abort = () => aborter.abort()
  if (raw.socket.destroyed) abort()
  raw.socket.once('close', abort)
  try {
    return await work(aborter.signal)
  } finally {
    raw.socket.off('close', abort)
  }
}

function rawRequestOf(request: FastifyRequest, disconnected: AbortSignal, isStreamed: boolean): RawHttpRequest {
  const { method, ip, headers, query, body } = request
  return {
    method,
    token: tokenOf(request),
    ip,
    headers,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The parser of Node gives texts and lists of texts, in an object without a prototype.
    query: { ...(query as RawHttpRequest['query']) },
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    stream: isStreamed && isMultipart(headers) ? () => bodyOf(request) : undefined,
    disconnected,
  }
}

function tokenOf({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'token' in params ? String(params.token) : ''
}
