import type { IncomingMessage } from 'node:http'
import { type ErrorCode, errorCatalogue, Fault, type OperationGroup } from '@millrace/contract'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { respondToClientError, respondToExpectation } from './response/client-error.ts'
import { createCors, securityHeaders } from './response/response-headers.ts'
import { serveDocs } from './docs/routes.ts'
import { createAllowedMethods } from './allowed-methods.ts'
import type { Guards } from './guards.ts'
import type { HandlersFor } from './handler.ts'
import type { HttpConfig } from './http-config.ts'
import { createRequestMetrics, type MetricsDeps, serveMetrics } from './metrics.ts'
import { type Mounting, mountGroup, pathOf } from './mount.ts'
import { consumeRate } from './rate-limit/consume-rate.ts'
import { faultOf, problemHeaders, problemOf, problemType } from './response/problem.ts'
import { credentialPolicies, type Limited, policiesByClass } from './rate-limit/rate-limit.ts'
import { limitRequestTime, uploadTimeoutMs } from './request/limit-request-time.ts'
import { requestIdOf } from './request/request-headers.ts'
import { createWeb, type WebConfig } from './web/serve-web.ts'

/** A group with its handlers, ready to be mounted. */
export interface ServedGroup {
  readonly operations: OperationGroup
  mountOn(app: FastifyInstance, mounting: Mounting): void
}

/** Pairs a group with its handlers; a handler that is missing is a compile error. */
export function served<G extends OperationGroup>(group: G, handlers: HandlersFor<G>): ServedGroup {
  return { operations: group, mountOn: (app, mounting) => mountGroup(app, mounting, group, handlers) }
}

export interface HttpServerDeps {
  readonly config: HttpConfig
  readonly guards: Guards
  readonly groups: Readonly<Record<string, ServedGroup>>
  readonly newRequestId: () => string
  /** Serves `/metrics` with these figures. */
  readonly metrics?: Pick<MetricsDeps, 'figures' | 'token'>
  /** Called once for a caller and window that go over a rate limit. */
  readonly onLimited?: ((limited: Limited) => void) | undefined
  /** Logs server errors; none are logged when absent. */
  readonly logger?: FastifyBaseLogger
  /** The interface for people; absent in processes that serve programs only. */
  readonly web?: WebConfig | undefined
}

/** Limit of the request line and the header fields together. */
const headBytesMax = 16 * 1024

/** Makes the HTTP server of the given groups; the caller listens and closes. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const { config, guards, newRequestId } = deps
  const mounting: Mounting = {
    guards,
    policies: policiesByClass(config.rateLimits),
    credentialPolicies: credentialPolicies(config.rateLimits),
    isExempt: config.isExempt,
    onLimited: deps.onLimited,
    strict: config.strict,
  }
  const headers = securityHeaders(config.hsts)
  const cors = createCors(config.corsOrigins)
  const clientErrors = { mounting, headers, newRequestId }
  const all = Object.values(deps.groups).map(({ operations }) => operations)
  const web = deps.web === undefined ? undefined : createWeb(deps.web, all)

  const allowedMethods = createAllowedMethods(all, guards.flagEnabled)
  const unservedFault = (request: FastifyRequest, reply: FastifyReply): Fault => {
    const methods = allowedMethods(pathOf(request.url))
    if (methods.length === 0) return new Fault('route_not_found')
    reply.header('allow', methods.join(', '))
    return new Fault('method_not_allowed', { detail: `This path has ${methods.join(', ')}, and not ${request.method}.` })
  }

  const prepare = (request: FastifyRequest, reply: FastifyReply) => reply.headers(headers).header('x-request-id', request.id)

  // Neither hooks nor the error handler run for a URL that cannot be decoded.
  const respondToBadUrl = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    prepare(request, reply)
    const exceeded = await consumeRate(mounting, mounting.policies.default, request, reply)
    sendFault(exceeded ?? faultOf(error), request, reply)
  }

  const app = fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], newRequestId),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // A path parameter may be as long as the head allows: an operation treats one that is too long like any unknown id.
    routerOptions: { maxParamLength: headBytesMax, ignoreTrailingSlash: false },
    requestTimeout: Math.max(config.requestTimeoutMs, uploadTimeoutMs),
    keepAliveTimeout: config.keepAliveTimeoutMs,
    // Otherwise Node would respond to a request without Host by itself, without our headers.
    http: {
      maxHeaderSize: headBytesMax,
      headersTimeout: config.headersTimeoutMs,
      connectionsCheckingInterval: Math.ceil(config.headersTimeoutMs / 4),
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => void respondToClientError(error, socket, clientErrors),
    frameworkErrors: (error, request, reply) => void respondToBadUrl(error, request, reply),
  })
  app.server.on('checkExpectation', (request, response) => void respondToExpectation(request, response, clientErrors))
  app.decorateRequest('millrace', null)
  app.decorate('uploadGraceMs', config.uploadGraceMs)
  app.removeAllContentTypeParsers()
  // Bodies are read as bytes and parsed after the caller is authorised; see body.ts.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  limitRequestTime(app, config.requestTimeoutMs)
  app.addHook('onRequest', async (request, reply) => {
    prepare(request, reply)
    if (cors !== undefined && cors(request, reply)) return reply
    // Before the body is read: a client of an unknown path need not finish sending it.
    const unknown = request.is404 && web?.takes(request) !== true
    const fault = hostFault(request.raw) ?? (unknown ? unservedFault(request, reply) : undefined)
    if (fault !== undefined) throw (await consumeRate(mounting, mounting.policies.default, request, reply)) ?? fault
    return undefined
  })
  app.setErrorHandler((error, request, reply) => sendFault(faultOf(error, request.routeOptions.bodyLimit), request, reply))
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const exceeded = await consumeRate(mounting, mounting.policies.default, request, reply)
    if (exceeded !== undefined) throw exceeded
  }
  if (deps.metrics !== undefined) serveMetrics(app, { ...deps.metrics, requests: createRequestMetrics(), admit })
  // The hook above refuses every other request that no route matches.
  if (web !== undefined) app.setNotFoundHandler((request, reply) => web.respond(request, reply))
  for (const group of Object.values(deps.groups)) group.mountOn(app, mounting)
  serveDocs(app, {
    groups: Object.fromEntries(Object.entries(deps.groups).map(([name, group]) => [name, group.operations])),
    admit,
  })
  return app
}

/** A request names exactly one host (RFC 9112, section 3.2), and an absolute-form target names the same one (section 3.2.2). */
function hostFault({ headers, httpVersion, rawHeaders, url = '' }: IncomingMessage): Fault | undefined {
  if (!url.startsWith('/') && !namesHost(url, headers.host))
    return new Fault('malformed_request', {
      detail: 'The request target names another host than the header Host. Send the same host in both, or only the path.',
    })
  if (headers.host === undefined)
    return httpVersion === '1.1' ? new Fault('malformed_request', { detail: 'The header Host is missing.' }) : undefined
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 ? undefined : new Fault('malformed_request', { detail: 'The header Host occurs more than once.' })
}

/** Whether an absolute-form request target names `host`; true for `*`, which names none. */
function namesHost(target: string, host: string | undefined): boolean {
  if (target === '*') return true
  const url = URL.parse(target)
  return url !== null && host !== undefined && url.host === URL.parse(`${url.protocol}//${host}`)?.host
}

/** What is wrong with the server itself. */
const failures: ReadonlySet<ErrorCode> = new Set(['internal', 'database_unavailable'])

function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = errorCatalogue[fault.code]
  if (status >= 500) {
    const { operation } = request.routeOptions.config
    const fields = { err: fault.cause ?? fault, requestId: request.id, operation, code: fault.code }
    // The others are refusals, which a caller can cause at will, for example by a model of the account that does not respond.
    if (failures.has(fault.code)) request.log.error(fields, 'request failed')
    else request.log.warn(fields, 'request failed')
  }
  return reply
    .code(status)
    .headers(problemHeaders(fault, request.headers.authorization !== undefined))
    .type(problemType)
    .send(JSON.stringify(problemOf(fault, request.id, pathOf(request.url))))
}
