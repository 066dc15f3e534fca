import { Fault } from '@millrace/contract'
import { pause } from '@millrace/engine'
import type { Database, Tx } from '#platform/db/database.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import { admitted, admittedStream } from './admitted.ts'
import { failureOf, type ModelFailure } from './failure.ts'
import type { Completion, CompletionPart, CompletionRequest, EgressPort, ModelEndpoint, ModelRole, ModelUsage } from './model.ts'
import { createBudget, type DailyLimits } from './budget.ts'
import { completeAt, partialUsage, streamAt } from './provider.ts'
import { addUsage } from './usage-store.ts'

export interface ModelsDeps {
  readonly database: Pick<Database, 'account'>
  readonly endpoints: readonly ModelEndpoint[]
  /** Of each account. */
  readonly limits: DailyLimits
  readonly web: WebFetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Meters the tokens of a call in the transaction that records it. */
  readonly meter?: (tx: Tx, accountId: string, call: { readonly sourceId: string | undefined; readonly tokens: number }) => Promise<void>
  /** Undefined: everything that a request contains is sent. */
  readonly egress?: EgressPort
}

export type Models = ReturnType<typeof createModels>

const backoffMs = 500
const waitMsMax = 10_000

/**
 * Asks the configured models. A role's models are tried in order; each is asked again after an overload or a failure of the network.
 *
 * Faults: `model_not_configured`, `model_unavailable`, `quota_exceeded`, `consent_required`.
 */
export function createModels(deps: ModelsDeps) {
  const { database, endpoints, web } = deps
  const today = () => new Date(deps.now()).toISOString().slice(0, 10)
  const budget = createBudget(database, deps.limits, today)

  const record = (accountId: string, model: string, usage: ModelUsage, sourceId?: string) =>
    database.account(accountId, async (tx) => {
      await addUsage(tx, accountId, { day: today(), model, usage })
      await deps.meter?.(tx, accountId, { sourceId, tokens: usage.inputTokens + usage.outputTokens })
    })

  /** Performs the work at the models of a role until one succeeds. */
  async function attempt<T>(
    role: ModelRole,
    signal: AbortSignal,
    work: (endpoint: ModelEndpoint) => Promise<T>,
  ): Promise<{ readonly value: T; readonly endpoint: ModelEndpoint }> {
    const failures: string[] = []
    for (const endpoint of required(endpoints, role)) {
      for (let tried = 0; tried <= endpoint.retries; tried++) {
        try {
          return { value: await work(endpoint), endpoint }
        } catch (error) {
          if (signal.aborted || error instanceof Fault) throw error
          const failure = failureOf(error)
          if (failure.temporary && tried < endpoint.retries) await pause(waitOf(failure, tried), signal)
          else {
            failures.push(`"${endpoint.name}": ${failure.message}`)
            break
          }
        }
      }
    }
    throw new Fault('model_unavailable', { detail: `No model did it. ${failures.join('; ')}.`, retryAfterSeconds: 30 })
  }

  return {
    /** The configured models of a role in the order in which they are tried; none if the role is not configured. */
    of: (role: ModelRole) => modelsOf(endpoints, role),

    /** Fault `model_not_configured` for a role without a model. */
    assertRole: (role: ModelRole): void => void required(endpoints, role),

    /** All configured models. */
    endpoints,

    async complete(request: CompletionRequest): Promise<Completion> {
      required(endpoints, request.role)
      return budget.within(request.accountId, request.messages, async () => {
        const { value, endpoint } = await attempt(request.role, request.signal, async (at) =>
          admitted(deps.egress, at, request, (sent) => completeAt(at, sent, web)),
        )
        await record(request.accountId, endpoint.name, value.usage, request.sourceId)
        return value
      })
    },

    /**
     * Streams a completion. A failure before the first text is retried like that of `complete`; a later one rejects. A stream that ends early
     * counts with an estimate of what was used.
     */
    async *stream(request: CompletionRequest): AsyncGenerator<CompletionPart> {
      const { accountId, role, messages, signal } = request
      required(endpoints, role)
      const release = await budget.enter(accountId, messages)
      let begun: { readonly endpoint: ModelEndpoint; readonly parts: AsyncGenerator<CompletionPart> } | undefined
      let text = ''
      try {
        const { value, endpoint } = await attempt(role, signal, async (at) => {
          const parts = await admittedStream(deps.egress, at, request, (sent) => streamAt(at, sent, web))
          return { first: await parts.next(), parts }
        })
        begun = { endpoint, parts: value.parts }
        for (let { first: next } = value; next.done !== true; next = await later(value.parts)) {
          if (next.value.kind === 'text') text += next.value.text
          else {
            begun = undefined
            await record(accountId, endpoint.name, next.value.completion.usage, request.sourceId)
          }
          yield next.value
        }
      } finally {
        release()
        if (begun !== undefined) {
          await begun.parts.return(undefined)
          await record(accountId, begun.endpoint.name, partialUsage(begun.endpoint, request, text), request.sourceId)
        }
      }
    },

    /** Does other work, such as a transcription, with the models of a role. It counts as a call without tokens. */
    async with<T>(
      { accountId, role, signal }: Pick<CompletionRequest, 'accountId' | 'signal'> & { readonly role: ModelRole },
      work: (endpoint: ModelEndpoint, web: WebFetch) => Promise<T>,
    ): Promise<T> {
      required(endpoints, role)
      return budget.within(accountId, [], async () => {
        const { value, endpoint } = await attempt(role, signal, async (at) => {
          await deps.egress?.admit({ accountId, host: new URL(at.url).hostname, texts: [] })
          return work(at, web)
        })
        await record(accountId, endpoint.name, { inputTokens: 0, outputTokens: 0, costMicros: 0 })
        return value
      })
    },
  }
}

async function later(parts: AsyncGenerator<CompletionPart>) {
  try {
    return await parts.next()
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('model_unavailable', { detail: `The model stopped in the middle: ${failureOf(error).message}.`, cause: error })
  }
}

/** A text role without a model uses those of the other one. */
const substitutes: Partial<Readonly<Record<ModelRole, ModelRole>>> = { fast: 'strong', strong: 'fast' }

function modelsOf(endpoints: readonly ModelEndpoint[], role: ModelRole): readonly ModelEndpoint[] {
  const substitute = substitutes[role]
  const own = endpoints.filter(({ roles }) => roles.includes(role))
  const others = substitute === undefined ? [] : endpoints.filter(({ roles }) => roles.includes(substitute) && !roles.includes(role))
  return [...own, ...others]
}

function required(endpoints: readonly ModelEndpoint[], role: ModelRole): readonly ModelEndpoint[] {
  const found = modelsOf(endpoints, role)
  if (found.length > 0) return found
  const simple = role === 'speech' ? 'MILLRACE_MODEL_URL and MILLRACE_MODEL_SPEECH' : 'MILLRACE_MODEL_URL and MILLRACE_MODEL_NAME'
  const detail = `The installation has no model with the role "${role}". Its operator sets ${simple}, or gives a model in MILLRACE_MODELS_FILE this role.`
  throw new Fault('model_not_configured', { detail })
}

function waitOf({ retryAfterMs }: ModelFailure, tried: number): number {
  return Math.min(retryAfterMs ?? backoffMs * 2 ** tried, waitMsMax)
}
