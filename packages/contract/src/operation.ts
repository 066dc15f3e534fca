import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type RateLimitClass = 'default' | 'auth' | 'refresh' | 'execution'
export type RequestHeader = 'If-Match' | 'If-Range' | 'Last-Event-ID' | 'Prefer' | 'Range'
export type ReplyHeader = 'Accept-Ranges' | 'ETag' | 'Location' | 'Preference-Applied'

/** Doors that only the owner of the installation opens, by `MILLRACE_GATES`. */
export const gates = ['checkout', 'payment-webhooks', 'manual-activation', 'einvoice'] as const
export type Gate = (typeof gates)[number]

type Absent = z.ZodUndefined

/** One HTTP operation. Only the four schemas are generic; all else stays wide, so that 190 of these check in seconds. */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** `group.name`: operationId, name in the client, label in metrics and audit. */
  readonly id: `${string}.${string}`
  readonly method: Method
  /** Path with its parameters in braces, `/api/v1` included. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  readonly stability: 'stable' | 'beta' | 'experimental'
  /** There is no default: a public operation says so. */
  readonly auth:
    | 'public'
    | {
        readonly scope: Scope
        /** Only a session whose user proved their identity within this time, such as `PT10M`, may do this. Hours and minutes. */
        readonly stepUp?: `PT${string}`
      }
  /** Only with `auth: 'public'`: a caller who sends a credential is known to the handler; one that is not valid is refused. */
  readonly optionalCredential?: true
  /**
   * Whether an API key that is limited to chosen workflows may call it; refused unless given. The path parameter names the workflow or the execution,
   * which the kernel checks. `filtered`: the handler leaves out what belongs to other workflows.
   */
  readonly workflowKeys?: 'filtered' | { readonly workflow: string } | { readonly execution: string }
  /** The weakest role that is allowed; `operator` for operators of the installation. */
  readonly role?: Role | 'operator'
  /** Auditors may call it, although it is no read that a viewer has (see `permitsRole`). */
  readonly auditors?: true
  readonly rateLimit: RateLimitClass
  /** The operation exists only while this flag is true. */
  readonly flag?: string
  /** Refused with `owner_gated` until the owner of the installation opens this gate. */
  readonly gate?: Gate
  /** Refused with `consent_required` until the account has given this consent: to transfers outside the region of the installation. */
  readonly consent?: 'cross-border'
  /** Name of the event that a success leaves in the audit log. */
  readonly audit: `${string}.${string}` | 'none'
  /** `natural`: repeating changes nothing. `keyed`: the kernel keeps the response by `Idempotency-Key`. `execution`: the engine does. */
  readonly idempotency: 'natural' | 'keyed' | 'execution'
  /**
   * `request`: one transaction bound to the account holds idempotency, effect and audit (default with a scope).
   * `own`: the service opens what it needs (default for public operations).
   * `none`: the operation does not use the database.
   */
  readonly transaction?: 'request' | 'own' | 'none'
  /** Largest body in bytes; 1 MiB unless given. */
  readonly bodyLimit?: number
  /** The body may be a document itself (YAML text, or a JSON object with the member `mark`): it is then read as `{ [field]: its text }`. */
  readonly document?: { readonly field: string; readonly mark: string }
  /** The body may be CloudEvents in any mode of their HTTP binding (structured, batched, binary): it is then read as `{ [field]: events }`. */
  readonly cloudEvents?: { readonly field: string }
  /** The body may have any type and is not parsed: the handler reads its bytes, which a signature covers, from the context. */
  readonly rawBody?: true
  /** The body is a file of any type: the handler reads it as a stream, at most `bodyLimit` bytes, from the context. */
  readonly streamedBody?: true
  /** The body may also be a form (`application/x-www-form-urlencoded`), which browsers post for another site. It is read as an object of texts. */
  readonly form?: true
  /** `ignored`: the protocol of another party defines the parameters and requires that unknown ones are ignored. Refused unless given. */
  readonly unknownInput?: 'ignored'
  /** A success is a stream of server-sent events, which `reply` describes as one text, or a file; the last value is for files with media types of their own. JSON unless given. */
  readonly media?: 'text/event-stream' | 'application/zip' | 'application/pdf' | '*/*'
  /** A further media type of a success: what a browser that navigates, or a query, gets in place of JSON. */
  readonly otherMedia?: 'text/html' | 'application/samlmetadata+xml'
  /** With `Range`, a part of the file is a success too (206). */
  readonly requestHeaders?: readonly RequestHeader[]
  readonly replyHeaders?: readonly ReplyHeader[]
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply: R
  /** Codes beyond those that follow from the other members (see `errorsOf`). */
  readonly errors: readonly ErrorCode[]
}

/** Declares an operation, and returns it unchanged. */
export function operation<R extends z.ZodType, P extends z.ZodType = Absent, Q extends z.ZodType = Absent, B extends z.ZodType = Absent>(
  declaration: Operation<P, Q, B, R>,
): Operation<P, Q, B, R> {
  return declaration
}

/** Any operation, for code that treats them all alike. The variance of the schemas admits no narrower type here. */
// oxlint-disable-next-line typescript/no-explicit-any -- The one place: an Operation of given schemas fits no Operation of ZodType.
export type AnyOperation = Operation<any, any, any, any>

/** A second declaration of an operation under another path, with the same handler. */
export type Alias<O extends AnyOperation> = O & { readonly aliasOf: string }

interface AliasNames<O extends AnyOperation> {
  readonly id: O['id']
  readonly path: O['path']
  /** A gate that the target does not have. */
  readonly gate?: Gate
}

/** Declares `path` as another way to `target`. */
export function alias<O extends AnyOperation>(target: O, names: AliasNames<O>): Alias<O> {
  return { ...target, ...names, aliasOf: target.id }
}

export function isAlias(op: AnyOperation): op is Alias<AnyOperation> {
  return 'aliasOf' in op
}

/** Operations of one resource, by the names that handlers and the client use. */
export type OperationGroup = Readonly<Record<string, AnyOperation>>

/** The names of a group that need a handler of their own. */
export type HandledNames<G extends OperationGroup> = { [K in keyof G]: G[K] extends { readonly aliasOf: string } ? never : K }[keyof G]

type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : undefined
type SchemaInput<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler receives: parsed and defaulted; `undefined` where the operation declares no such part. */
export interface Received<O extends AnyOperation> {
  readonly params: SchemaOutput<NonNullable<O['params']>>
  readonly query: SchemaOutput<NonNullable<O['query']>>
  readonly body: SchemaOutput<NonNullable<O['body']>>
}

/** What an operation returns. */
export type Reply<O extends AnyOperation> = z.output<O['reply']>

/** What a caller sends: before defaults; parts without required members may be left out. */
export type Sent<O extends AnyOperation> = Part<'params', SchemaInput<NonNullable<O['params']>>> &
  Part<'query', SchemaInput<NonNullable<O['query']>>> &
  Part<'body', SchemaInput<NonNullable<O['body']>>>

type Part<K extends string, T> = [T] extends [undefined]
  ? { readonly [k in K]?: undefined }
  : // An object without required members may be left out as a whole.
    Partial<T> extends T
    ? { readonly [k in K]?: T }
    : { readonly [k in K]: T }
