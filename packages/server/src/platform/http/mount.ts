import { Readable } from 'node:stream'
import { type AnyOperation, bodyLimitDefault, errorsOf, Fault, isAlias, type OperationGroup } from '@millrace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, assertPermitted, assertUnlimited, type Principal } from '#platform/auth/principal.ts'
import { assertDepth, depthOf, withDepth } from '#platform/net/depth.ts'
import { assertWorkflow } from './request/assert-workflow.ts'
import { assertBound, isPaged, unboundQuery, withBoundCursor } from './request/bound-cursor.ts'
import { withEventHeaders } from './request/cloud-events.ts'
import { Context } from './request/context.ts'
import type { Guards } from './guards.ts'
import { type Handler, type HandlersFor, preparationOf } from './handler.ts'
import { fingerprintOf } from './idempotency/idempotency.ts'
import { type ParsedRequest, parseRequest } from './request/parse-request.ts'
import { withStreamedBodies } from './request/streamed-body.ts'
import { consumeRate, type RateCounting } from './rate-limit/consume-rate.ts'
import type { RatePolicy } from './rate-limit/rate-limit.ts'
import { DeferredResponse, Page, ResponseWithHeaders, respondLater } from './response/respond.ts'
import { runOperation } from './run-operation.ts'
import { sendResponse } from './response/send.ts'
import { compileSerialiser } from './response/serialiser.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `mount` once the caller is authenticated and authorised. */
    millrace: Context | null
  }

  interface FastifyContextConfig {
    /** Id of the operation that the route serves. */
    readonly operation?: string
    /** Whether its requests last as long as the sending of a file. */
    readonly streamsBody?: boolean
    /** How long a form of several parts may take to arrive, in place of the limit of other bodies. */
    readonly multipartTimeoutMs?: number
  }
}

/** The dependencies that all operations share. */
export interface Mounting extends RateCounting {
  readonly guards: Guards
  readonly policies: Readonly<Record<AnyOperation['rateLimit'], readonly RatePolicy[]>>
  /** The policies of signed-in callers, for the classes that are not counted by address. */
  readonly credentialPolicies?: Partial<Readonly<Record<AnyOperation['rateLimit'], readonly RatePolicy[]>>>
  /** For development and tests: checks replies against their schema, and Faults against the declared errors. */
  readonly strict: boolean
}

/** Authenticates the request of an admission, once. */
type Caller = () => Promise<Principal | undefined>

type LooseHandler = (ctx: Context, input: ParsedRequest) => Promise<unknown>

/**
 * Serves one operation, in the fixed order: request id → flag → rate limit → authenticate → scope and role → parse → idempotency → handler →
 * audit → serialise. All steps before `parse` precede the first byte of the body.
 */
export function mount<O extends AnyOperation>(
  app: FastifyInstance,
  mounting: Mounting,
  op: O,
  handler: Handler<O>,
  preparation = preparationOf(handler),
): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The parser below passes the handler exactly the input that its operation declares.
  const loose = handler as unknown as LooseHandler
  const paged = isPaged(op)
  const bound: LooseHandler = paged ? async (ctx, input) => withBoundCursor(await loose(ctx, input), input) : loose
  const checked = mounting.strict ? strictHandler(op, bound) : bound
  let serialise: ((value: unknown) => string) | undefined // Compiled on first use, so that the number of operations does not slow the start.
  const define = (scope: FastifyInstance) =>
    scope.route({
      method: op.method,
      url: op.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // Monitors send HEAD. A stream has no end, and so no head of its own.
      exposeHeadRoute: op.method === 'GET' && op.media === undefined,
      config: { operation: op.id, streamsBody: op.streamedBody === true },
      bodyLimit: op.bodyLimit ?? bodyLimitDefault,
      onRequest: (request, reply) => admit(mounting, op, request, reply),
      handler: async (request, reply) => {
        const ctx = request.millrace
        if (ctx === null) throw new Error(`${op.id} was reached without a context.`)
        const body = Buffer.isBuffer(request.body) ? request.body : undefined
        const { url, params, headers } = request
        const { query, digest } = paged ? unboundQuery(request.query) : { query: request.query, digest: undefined }
        const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers
        const input = parseRequest(op, { url, params, query, contentType, contentEncoding, headers, body })
        assertBound(digest, input)
        if (op.consent !== undefined && !(await mounting.guards.hasConsent(ctx.accountId)))
          throw new Fault('consent_required', { detail: consentMissing })
        const response = await withDepth(depthOf(headers), () =>
          runOperation({
            op,
            guards: mounting.guards,
            ctx,
            input,
            preparation,
            handler: checked,
            serialise: (serialise ??= compileSerialiser(op.reply)),
            path: pathOf(url),
            fingerprint: () =>
              fingerprintOf(params, url, op.cloudEvents === undefined ? body : withEventHeaders({ contentType, headers, body })),
            logError: (error) => request.log.error({ err: error, operation: op.id }, 'effect after commit failed'),
          }),
        )
        return sendResponse(reply, request.headers['accept-encoding'], response)
      },
    })
  if (op.streamedBody === true) withStreamedBodies(app, define)
  else define(app)
}

/** Serves a group; a handler that is missing is a compile error. */
export function mountGroup<G extends OperationGroup>(app: FastifyInstance, mounting: Mounting, group: G, handlers: HandlersFor<G>): void {
  const byId = new Map<string, unknown>()
  for (const [name, op] of Object.entries(group)) if (!isAlias(op)) byId.set(op.id, Reflect.get(handlers, name))
  for (const op of Object.values(group)) {
    const handler = byId.get(isAlias(op) ? op.aliasOf : op.id)
    if (typeof handler !== 'function') throw new Error(`${op.id} has no handler.`)
    const bound = (ctx: unknown, input: unknown) => Reflect.apply(handler, handlers, [ctx, input])
    mount(app, mounting, op, bound, preparationOf(handler))
  }
}

/** Admits a request to an operation: rate limit, credential, scope and role, gate. */
export async function admit(mounting: Mounting, op: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { guards, policies } = mounting
  let authenticated: Promise<Principal | undefined> | undefined
  const caller: Caller = () => (authenticated ??= callerOf(guards, op, request))
  const isServed = await isOn(guards, op, caller)
  const counted = isServed ? await callerCountedAlone(mounting, op, { request, reply, caller }) : undefined
  if (counted === undefined) await countAddress(mounting, isServed ? policies[op.rateLimit] : policies.default, request, reply)
  // A disabled operation gets the same response as an unknown path.
  if (!isServed) throw new Fault('route_not_found')
  if (op.method !== 'GET') assertDepth(request.headers)
  if (op.auth === 'public') {
    assertGateOpen(guards, op)
    const known = op.optionalCredential ? await caller() : undefined
    if (known !== undefined) assertUnlimited(op, known)
    request.millrace = new Context(request, known)
    return
  }
  const principal = counted ?? (await caller())
  if (principal === undefined) throw new Fault('unauthenticated', { detail: noCredential })
  assertGateOpen(guards, op)
  assertPermitted(op, principal, guards.now)
  await assertWorkflow(guards, op, principal, request.params)
  request.millrace = new Context(request, principal, () => isPermitted(guards, op, request))
}

/** Whether the flag of an operation is on for the caller. A caller who is not authenticated gets the flags of the installation. */
async function isOn(guards: Guards, op: AnyOperation, caller: Caller): Promise<boolean> {
  if (op.flag === undefined) return true
  if (guards.flagEnabledFor === undefined || op.auth === 'public') return guards.flagEnabled(op.flag)
  const principal = await caller().catch((error: unknown) => {
    if (error instanceof Fault) return undefined
    throw error
  })
  return principal === undefined ? guards.flagEnabled(op.flag) : await guards.flagEnabledFor(op.flag, principal.accountId)
}

const noCredential = 'The request has no `Authorization` header. Send `Authorization: Bearer` with an access token or API key.'

const consentMissing =
  'The account has not consented to transfers outside the region. An owner gives the consent by POST /api/v1/account/consents/cross-border.'

/** Authenticates the request again, which may have lasted for minutes. */
async function isPermitted(guards: Guards, op: AnyOperation, request: FastifyRequest): Promise<boolean> {
  try {
    const principal = await callerOf(guards, op, request)
    if (principal === undefined) return false
    assertPermitted(op, principal, guards.now)
    await assertWorkflow(guards, op, principal, request.params)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

async function countAddress(mounting: Mounting, policies: readonly RatePolicy[], request: FastifyRequest, reply: FastifyReply) {
  const exceeded = await consumeRate(mounting, policies, request, reply)
  if (exceeded !== undefined) throw exceeded
}

/** The caller, if requests are counted by credential and the request has a valid one. A request with an invalid one counts for its address. */
async function callerCountedAlone(
  mounting: Mounting,
  op: AnyOperation,
  { request, reply, caller }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly caller: Caller },
): Promise<Principal | undefined> {
  const policies = mounting.credentialPolicies?.[op.rateLimit]
  if (policies === undefined || op.auth === 'public' || request.headers.authorization === undefined) return undefined
  const principal = await caller().catch(async (error: unknown) => {
    await countAddress(mounting, mounting.policies[op.rateLimit], request, reply)
    throw error
  })
  if (principal === undefined) return undefined
  const exceeded = await consumeRate(mounting, policies, request, reply, actorOf(principal))
  if (exceeded !== undefined) throw exceeded
  return principal
}

/** A caller without a credential learns nothing about the gates of the installation, except those of public operations. */
function assertGateOpen(guards: Mounting['guards'], { gate, path }: AnyOperation): void {
  if (gate === undefined || guards.gateOpen(gate)) return
  const detail = `${path} is unavailable until the owner of the installation opens the gate ${gate}: add ${gate} to MILLRACE_GATES (for example MILLRACE_GATES=${gate}) and restart the server.`
  throw new Fault('owner_gated', { detail })
}

async function callerOf(guards: Guards, op: AnyOperation, request: FastifyRequest): Promise<Principal | undefined> {
  const { authorization, 'user-agent': userAgent } = request.headers
  const principal = await guards.authenticate({ authorization, ip: request.ip, userAgent }, op)
  if (principal?.audience === undefined || principal.audience === op.path) return principal
  throw new Fault('unauthenticated', { detail: `This token is valid at ${principal.audience} alone.` })
}

function strictHandler(op: AnyOperation, handler: LooseHandler): LooseHandler {
  const codes = new Set<string>(errorsOf(op))
  return async (ctx, input) => {
    const output = await handler(ctx, input).catch((error: unknown) => {
      if (error instanceof Fault && !codes.has(error.code))
        throw new Error(`${op.id} raised ${error.code}, which it does not declare.`, { cause: error })
      throw error
    })
    return output instanceof DeferredResponse
      ? respondLater(async () => assertDeclaredReply(op, await output.produce()))
      : assertDeclaredReply(op, output)
  }
}

/** Checks the output of a handler against the declaration of its operation. */
function assertDeclaredReply<T>(op: AnyOperation, output: T): T {
  const value = output instanceof ResponseWithHeaders ? output.value : output
  // The content of a stream is not known yet, and a page has no schema.
  if (value instanceof Readable || value instanceof Page) return output
  const result = op.reply.safeParse(value)
  if (!result.success) throw new Error(`${op.id} returned a reply that its schema does not allow: ${result.error.message}`)
  return output
}

/** The path of a URL without its query, which may contain secrets and so is kept out of logs and responses. */
export function pathOf(url: string): string {
  const question = url.indexOf('?')
  return question === -1 ? url : url.slice(0, question)
}
