import type { Role, Scope } from '@millrace/contract'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '#platform/auth/principal.ts'
import { idempotencyKeyOf } from '#platform/http/idempotency/idempotency.ts'
import { ifMatchOf, preferOf } from './request-headers.ts'
import type { AuditDetails, RequestContext } from './request-context.ts'
import type { Tx } from '#platform/db/database.ts'

/** The context of one request; headers are read when they are asked for. A class, since it lives through the steps of the request. */
export class Context implements RequestContext {
  readonly requestId: string
  readonly ip: string
  readonly principal: Principal | undefined
  readonly #request: FastifyRequest
  #tx: Tx | undefined
  #effects: (() => void | Promise<void>)[] | undefined
  #audit: AuditDetails = {}

  constructor(request: FastifyRequest, principal: Principal | undefined) {
    this.#request = request
    this.requestId = request.id
    this.ip = request.ip
    this.principal = principal
  }

  get userAgent(): string | undefined {
    return this.#request.headers['user-agent']
  }
  get credential(): 'session' | 'api_key' | 'none' {
    return this.principal?.credential ?? 'none'
  }
  get accountId(): string {
    return this.#known().accountId
  }
  get userId(): string {
    return this.#known().userId
  }
  get role(): Role {
    return this.#known().role
  }
  get scopes(): ReadonlySet<Scope> {
    return this.#known().scopes
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
  get tx(): Tx {
    if (this.#tx === undefined) throw new Error('This operation opens no transaction: its service opens its own.')
    return this.#tx
  }

  async whileConnected<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { socket } = this.#request.raw
    const aborter = new AbortController()
    const abort = () => aborter.abort()
    if (socket.destroyed) abort()
    // The connection is used again by other requests, so nothing of this one stays with it.
    socket.once('close', abort)
    try {
      return await work(aborter.signal)
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

  /** Puts the context into the transaction of the request. */
  enter(tx: Tx): void {
    this.#tx = tx
  }

  get auditDetails(): AuditDetails {
    return this.#audit
  }

  /** Takes what is to be done after the commit. */
  takeEffects(): readonly (() => void | Promise<void>)[] {
    const effects = this.#effects ?? []
    this.#effects = undefined
    this.#tx = undefined
    return effects
  }

  #known(): Principal {
    if (this.principal === undefined) throw new Error('A public operation has no caller.')
    return this.principal
  }
}
