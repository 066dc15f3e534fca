import type { Role, Scope } from '@millrace/contract'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '#platform/auth/principal.ts'
import { idempotencyKeyOf } from '#platform/http/idempotency/idempotency.ts'
import { closedOr } from './connection-closed.ts'
import { cookieOf, ifMatchOf, isFromOwnOrigin, preferOf, wantsPage } from './request-headers.ts'
import { announcedBytes, bodyOf } from './streamed-body.ts'
import type { AuditDetails, RawMessage, RequestContext } from './request-context.ts'
import type { Tx } from '#platform/db/database.ts'
import type { AskedRange } from '#platform/http/response/byte-range.ts'

/** The context of one request. Headers are parsed when they are read. */
export class Context implements RequestContext {
  readonly requestId: string
  readonly ip: string
  readonly principal: Principal | undefined
  readonly #request: FastifyRequest
  #tx: Tx | undefined
  #effects: (() => void | Promise<void>)[] | undefined
  #audit: AuditDetails = {}

  readonly credentialStands: () => Promise<boolean>

  constructor(request: FastifyRequest, principal: Principal | undefined, credentialStands = () => Promise.resolve(true)) {
    this.#request = request
    this.credentialStands = credentialStands
    this.requestId = request.id
    this.ip = request.ip
    this.principal = principal
  }

  get userAgent(): string | undefined {
    return this.#request.headers['user-agent']
  }
  get credential(): RequestContext['credential'] {
    return this.principal?.credential ?? 'none'
  }
  get accountId(): string {
    return this.#requirePrincipal().accountId
  }
  get userId(): string {
    return this.#requirePrincipal().userId
  }
  get role(): Role {
    return this.#requirePrincipal().role
  }
  get scopes(): ReadonlySet<Scope> {
    return this.#requirePrincipal().scopes
  }
  get workflowIds(): ReadonlySet<string> | undefined {
    return this.principal?.workflowIds
  }
  get isOperator(): boolean {
    return this.principal?.isOperator ?? false
  }
  get jti(): string | undefined {
    return this.principal?.jti
  }
  get prefer(): { readonly waitSeconds?: number } {
    return preferOf(this.#request.headers.prefer)
  }
  get ifMatch(): readonly number[] | undefined {
    return ifMatchOf(this.#request.headers['if-match'])
  }
  get idempotencyKey(): string | undefined {
    return idempotencyKeyOf(this.#request.headers['idempotency-key'])
  }
  get lastEventId(): string | undefined {
    const header = this.#request.headers['last-event-id']
    return typeof header === 'string' && header !== '' ? header : undefined
  }
  get askedRange(): AskedRange {
    const { range, 'if-range': ifRange } = this.#request.headers
    return { range, ifRange: typeof ifRange === 'string' ? ifRange : undefined }
  }
  get acceptLanguage(): string | undefined {
    return this.#request.headers['accept-language']
  }
  get acceptsEventStream(): boolean {
    return this.#request.headers.accept?.includes('text/event-stream') === true
  }
  cookie(name: string): string | undefined {
    return cookieOf(this.#request.headers.cookie, name)
  }
  get isFromOwnOrigin(): boolean {
    return isFromOwnOrigin(this.#request.headers)
  }
  get raw(): RawMessage {
    const { body, headers } = this.#request
    return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers }
  }
  get streamedBody(): RequestContext['streamedBody'] {
    return { content: bodyOf(this.#request), bytes: announcedBytes(this.#request.raw) }
  }
  get wantsPage(): boolean {
    return wantsPage(this.#request.headers.accept)
  }
  get tx(): Tx {
    if (this.#tx === undefined) throw new Error('This operation opens no transaction: its service opens its own.')
    return this.#tx
  }

  async whileConnected<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { socket } = this.#request.raw
    const aborter = new AbortController()
    const abort = () => aborter.abort()
    if (socket.destroyed) abort()
    // Later requests use the same connection, so the listener is removed below.
    socket.once('close', abort)
    try {
      return await work(aborter.signal)
    } catch (error) {
      throw closedOr(error, aborter.signal)
    } finally {
      socket.off('close', abort)
    }
  }

  afterCommit(effect: () => void | Promise<void>): void {
    ;(this.#effects ??= []).push(effect)
  }

  audit(details: AuditDetails): void {
    this.#audit = details
  }

  /** Sets the transaction of the request. */
  setTransaction(tx: Tx): void {
    this.#tx = tx
  }

  get auditDetails(): AuditDetails {
    return this.#audit
  }

  /** Removes and returns the effects that run after the commit. */
  takeEffects(): readonly (() => void | Promise<void>)[] {
    const effects = this.#effects ?? []
    this.#effects = undefined
    this.#tx = undefined
    return effects
  }

  #requirePrincipal(): Principal {
    if (this.principal === undefined) throw new Error('A public operation has no caller.')
    return this.principal
  }
}
