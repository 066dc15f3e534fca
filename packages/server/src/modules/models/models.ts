import { Fault, type ModelRole } from '@millrace/contract'
import { pause } from '@millrace/engine'
import type { Database, Tx } from '#platform/db/database.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import type { AccountEndpoints } from './account/account-endpoints.ts'
import { admitted, admittedStream } from './admitted.ts'
import type { CallRecorder } from './calls/call-recorder.ts'
import { wholeWeb } from './bounded-web.ts'
import { type BudgetedRequest, createBudget, type DailyLimits } from './budget.ts'
import { createVectors } from './embedding/vectors.ts'
import { endpointsOf, requiredEndpoints } from './endpoints-of.ts'
import { failureOf, type ModelFailure } from './failure.ts'
import { maskedWeb } from './masked-web.ts'
import type { Completion, CompletionPart, CompletionRequest, EgressPort, ModelEndpoint, ModelUsage } from './model.ts'
import { completeAt, partialUsage, streamAt } from './provider.ts'
import { addUsage } from './usage-store.ts'

type Web = Pick<WebFetch, 'fetch'>

export interface ModelsDeps {
  readonly database: Pick<Database, 'account'>
  /** Of the installation. */
  readonly endpoints: readonly ModelEndpoint[]
  /** Of each account. */
  readonly limits: DailyLimits
  /** For addresses that the operator configured. */
  readonly web: Web
  /** The models that accounts connected; undefined: they have none. */
  readonly own?: {
    readonly read: (accountId: string) => Promise<AccountEndpoints>
    /** Reaches addresses that workflows may reach. */
    readonly web: Web
  }
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Meters the tokens of a call of a model of the installation in the transaction that records it. */
  readonly meter?: (tx: Tx, accountId: string, call: { readonly sourceId: string | undefined; readonly tokens: number }) => Promise<void>
  /** Undefined: everything that a request contains is sent. */
  readonly egress?: EgressPort
  /** Records each call that returned a text, in the transaction of its usage. */
  readonly recordCall?: CallRecorder
}

export type Models = ReturnType<typeof createModels>

const backoffMs = 500
const waitMsMax = 10_000
const noEndpoints: AccountEndpoints = { endpoints: [], installation: 'missing' }

type Asking = Pick<CompletionRequest, 'signal' | 'beforeInstallation'>

/**
 * Asks the models of an account and of the installation. A role's models are tried in order; each is asked again after an overload or a failure
 * of the network.
 *
 * Faults: `model_not_configured`, `model_unavailable`, `quota_exceeded`, `consent_required`.
 */
export function createModels(deps: ModelsDeps) {
  const { database, endpoints: installation } = deps
  const vectorsAt = createVectors()
  const today = () => new Date(deps.now()).toISOString().slice(0, 10)
  const budget = createBudget(database, deps.limits, today)
  const ownOf = async (accountId: string) => (await deps.own?.read(accountId)) ?? noEndpoints
  const required = async (accountId: string, role: ModelRole) => requiredEndpoints(installation, await ownOf(accountId), role)

  const addTo = async (tx: Tx, accountId: string, { name, owner }: ModelEndpoint, usage: ModelUsage, sourceId?: string) => {
    const own = owner === 'account'
    await addUsage(tx, accountId, { day: today(), model: name, own, usage })
    if (!own) await deps.meter?.(tx, accountId, { sourceId, tokens: usage.inputTokens + usage.outputTokens })
  }

  const record = (accountId: string, endpoint: ModelEndpoint, usage: ModelUsage, sourceId?: string) =>
    database.account(accountId, (tx) => addTo(tx, accountId, endpoint, usage, sourceId))

  const recordText = (endpoint: ModelEndpoint, request: CompletionRequest, completion: Completion, beganAt: number) =>
    database.account(request.accountId, async (tx) => {
      await addTo(tx, request.accountId, endpoint, completion.usage, request.sourceId)
      await deps.recordCall?.(tx, request, completion, Math.max(0, deps.now() - beganAt))
    })

  function webOf({ owner, key }: ModelEndpoint): Web {
    if (owner !== 'account' || deps.own === undefined) return deps.web
    return key === undefined ? deps.own.web : maskedWeb(deps.own.web, key.reveal())
  }

  /** Performs the work at the models until one succeeds. */
  async function attempt<T>(
    endpoints: readonly ModelEndpoint[],
    { assertCost }: BudgetedRequest,
    { signal, beforeInstallation }: Asking,
    work: (endpoint: ModelEndpoint, web: Web) => Promise<T>,
  ): Promise<{ readonly value: T; readonly endpoint: ModelEndpoint }> {
    const failures: string[] = []
    for (const endpoint of endpoints) {
      if (endpoint.owner !== 'account') {
        assertCost()
        await beforeInstallation?.()
      }
      for (let tried = 0; tried <= endpoint.retries; tried++) {
        try {
          return { value: await work(endpoint, webOf(endpoint)), endpoint }
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
    /** The models of a role in the order in which they are tried; none if the role is not configured. */
    of: async (accountId: string, role: ModelRole) => endpointsOf(installation, await ownOf(accountId), role),

    /** Fault `model_not_configured` for a role without a model. */
    assertRole: async (accountId: string, role: ModelRole): Promise<void> => void (await required(accountId, role)),

    /** The models that an account connected. */
    ownOf: async (accountId: string): Promise<readonly ModelEndpoint[]> => (await ownOf(accountId)).endpoints,

    async complete(request: CompletionRequest): Promise<Completion> {
      const { accountId, role, messages } = request
      const endpoints = await required(accountId, role)
      return budget.within(accountId, messages, async (entered) => {
        const { value, endpoint } = await attempt(endpoints, entered, request, async (at, web) => {
          const beganAt = deps.now()
          return { beganAt, completion: await admitted(deps.egress, at, request, (sent) => completeAt(at, sent, web)) }
        })
        await recordText(endpoint, request, value.completion, value.beganAt)
        return value.completion
      })
    },

    /**
     * Streams a completion. A failure before the first text is retried like that of `complete`; a later one rejects. A stream that ends early
     * counts with an estimate of what was used.
     */
    async *stream(request: CompletionRequest): AsyncGenerator<CompletionPart> {
      const { accountId, role, messages } = request
      const endpoints = await required(accountId, role)
      const entered = await budget.enter(accountId, messages)
      let begun: { readonly endpoint: ModelEndpoint; readonly parts: AsyncGenerator<CompletionPart> } | undefined
      let text = ''
      try {
        const { value, endpoint } = await attempt(endpoints, entered, request, async (at, web) => {
          const beganAt = deps.now()
          const parts = await admittedStream(deps.egress, at, request, (sent) => streamAt(at, sent, web))
          return { beganAt, first: await parts.next(), parts }
        })
        begun = { endpoint, parts: value.parts }
        for (let { first: next } = value; next.done !== true; next = await later(value.parts)) {
          if (next.value.kind === 'text') text += next.value.text
          else {
            begun = undefined
            await recordText(endpoint, request, next.value.completion, value.beganAt)
          }
          yield next.value
        }
      } finally {
        entered.release()
        if (begun !== undefined) {
          await begun.parts.return(undefined)
          await record(accountId, begun.endpoint, partialUsage(begun.endpoint, request, text), request.sourceId)
        }
      }
    },

    /** The vectors of texts by the models of the role `embedding`: one for each, of the length 1, all of one model. */
    async embed({
      accountId,
      texts,
      ...asking
    }: Asking & { readonly accountId: string; readonly texts: readonly string[] }): Promise<readonly Float32Array[]> {
      const endpoints = await required(accountId, 'embedding')
      const counted = texts.map((text) => ({ role: 'user' as const, text }))
      return budget.within(accountId, counted, async (entered) => {
        const { value } = await attempt(endpoints, entered, asking, async (at, web) => {
          const sent = await deps.egress?.admit({ accountId, host: new URL(at.url).hostname, region: at.region, texts })
          const recorded = { accountId, signal: asking.signal, record: (usage: ModelUsage) => record(accountId, at, usage) }
          return vectorsAt(at, sent?.texts ?? texts, web, recorded)
        })
        return value
      })
    },

    /** Does other work, such as a transcription, with the models of a role. It counts as a call without tokens. */
    async with<T>(
      request: Asking & { readonly accountId: string; readonly role: ModelRole },
      work: (endpoint: ModelEndpoint, web: Web) => Promise<T>,
    ): Promise<T> {
      const { accountId, role } = request
      const endpoints = await required(accountId, role)
      return budget.within(accountId, [], async (entered) => {
        const { value, endpoint } = await attempt(endpoints, entered, request, async (at, web) => {
          await deps.egress?.admit({ accountId, host: new URL(at.url).hostname, region: at.region, texts: [] })
          return work(at, wholeWeb(web))
        })
        await record(accountId, endpoint, { inputTokens: 0, outputTokens: 0, costMicros: 0 })
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

function waitOf({ retryAfterMs }: ModelFailure, tried: number): number {
  return Math.min(retryAfterMs ?? backoffMs * 2 ** tried, waitMsMax)
}
