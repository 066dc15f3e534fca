import { Fault, type ModelRole } from '@millrace/contract'
import { pause } from '@millrace/engine'
import type { Database, Tx } from '#platform/db/database.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import type { AccountEndpoints } from './account/account-endpoints.ts'
import { answeredCall, failedCall, ReaderLeftError } from './calls/call-outcome.ts'
import type { CallRecorder } from './calls/call-recorder.ts'
import { wholeWeb } from './bounded-web.ts'
import { type BudgetedRequest, createBudget, type DailyLimits } from './budget.ts'
import type { createLimitNotices } from './limits/limit-notices.ts'
import { dateOf, periodsAt } from './limits/spending-limits.ts'
import { createVectors } from './embedding/vectors.ts'
import { endpointsOf, requiredEndpoints } from './endpoints-of.ts'
import { failureOf, type ModelFailure } from './failure.ts'
import { maskedWeb } from './masked-web.ts'
import type { Completion, CompletionPart, CompletionRequest, EgressPort, ModelEndpoint, ModelUsage } from './model.ts'
import { completeAt, partialUsage, streamAt } from './provider.ts'
import { sendAdmitted, streamAdmitted } from './send-admitted.ts'
import { addUsage } from './usage-store.ts'

type Web = Pick<WebFetch, 'fetch'>

export interface ModelsDeps {
  readonly database: Pick<Database, 'account'>
  /** Of the installation. */
  readonly endpoints: readonly ModelEndpoint[]
  /** Of each account, by the operator. */
  readonly limits: DailyLimits
  /** Notifies of limits that accounts have set themselves. */
  readonly notices?: ReturnType<typeof createLimitNotices>
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
  /** Records each call, in the transaction of its usage. */
  readonly recordCall?: CallRecorder
}

export type Models = ReturnType<typeof createModels>

const backoffMs = 500
const waitMsMax = 10_000
const noEndpoints: AccountEndpoints = { endpoints: [], installation: 'missing', limits: undefined }

type Asking = Pick<CompletionRequest, 'signal' | 'beforeInstallation'>

/** One request to one model. */
interface Call {
  readonly beganAt: number
  /** What left the installation; undefined until something does. */
  sent: CompletionRequest | undefined
}

/** A stream of which something has arrived. */
interface Begun {
  readonly endpoint: ModelEndpoint
  readonly call: Call
  readonly parts: AsyncGenerator<CompletionPart>
}

/**
 * Asks the models of an account and of the installation. A role's models are tried in order; each is asked again after an overload or a failure
 * of the network.
 *
 * Faults: `model_not_configured`, `model_unavailable`, `quota_exceeded`, `consent_required`.
 */
export function createModels(deps: ModelsDeps) {
  const { database, endpoints: installation } = deps
  const vectorsAt = createVectors()
  const since = (beganAt: number) => Math.max(0, deps.now() - beganAt)
  const today = () => dateOf(periodsAt(deps.now()).day.start)
  const budget = createBudget({ database, now: deps.now, notices: deps.notices }, deps.limits)
  const ownOf = async (accountId: string) => (await deps.own?.read(accountId)) ?? noEndpoints
  const required = async (accountId: string, role: ModelRole) => {
    const own = await ownOf(accountId)
    return { endpoints: requiredEndpoints(installation, own, role), limits: own.limits }
  }

  const addTo = async (tx: Tx, accountId: string, { name, owner }: ModelEndpoint, usage: ModelUsage, sourceId?: string) => {
    const own = owner === 'account'
    await addUsage(tx, accountId, { day: today(), model: name, own, usage })
    if (!own) await deps.meter?.(tx, accountId, { sourceId, tokens: usage.inputTokens + usage.outputTokens })
  }

  const record = (accountId: string, endpoint: ModelEndpoint, usage: ModelUsage, sourceId?: string) =>
    database.account(accountId, (tx) => addTo(tx, accountId, endpoint, usage, sourceId))

  const recordText = (endpoint: ModelEndpoint, request: CompletionRequest, completion: Completion, { beganAt }: Call) =>
    database.account(request.accountId, async (tx) => {
      await addTo(tx, request.accountId, endpoint, completion.usage, request.sourceId)
      await deps.recordCall?.(tx, request, answeredCall(request, completion), since(beganAt))
    })

  /** Records a call whose answer broke off, with an estimate of what it used. */
  const recordPart = ({ endpoint, call }: Begun, request: CompletionRequest, text: string, error: unknown) => {
    const usage = partialUsage(endpoint, request, text)
    return database.account(request.accountId, async (tx) => {
      await addTo(tx, request.accountId, endpoint, usage, request.sourceId)
      const outcome = failedCall(endpoint, { ...call, usage }, error, request.signal)
      await deps.recordCall?.(tx, request, outcome, since(call.beganAt))
    })
  }

  /** Performs a part of a call, and records the call as failed if that fails. */
  async function recordFailureOf<T>(request: CompletionRequest, endpoint: ModelEndpoint, part: (call: Call) => Promise<T>): Promise<T> {
    const call: Call = { beganAt: deps.now(), sent: undefined }
    try {
      return await part(call)
    } catch (error) {
      if (deps.recordCall !== undefined) {
        const outcome = failedCall(endpoint, call, error, request.signal)
        await database.account(request.accountId, async (tx) => deps.recordCall?.(tx, request, outcome, since(call.beganAt)))
      }
      throw error
    }
  }

  const enter = (request: CompletionRequest, { endpoints: [preferred], limits }: Awaited<ReturnType<typeof required>>) =>
    recordFailureOf(request, preferred, () =>
      budget.enter(request.accountId, { messages: request.messages, limits, prices: preferred.prices }),
    )

  function webOf({ owner, key }: ModelEndpoint): Web {
    if (owner !== 'account' || deps.own === undefined) return deps.web
    return key === undefined ? deps.own.web : maskedWeb(deps.own.web, key.reveal())
  }

  const assertAdmitted = async (endpoint: ModelEndpoint, { assertCost }: BudgetedRequest, { beforeInstallation }: Asking) => {
    if (endpoint.owner === 'account') return
    await assertCost(endpoint)
    await beforeInstallation?.()
  }

  const admission = (request: CompletionRequest, entered: BudgetedRequest) => (endpoint: ModelEndpoint) =>
    recordFailureOf(request, endpoint, () => assertAdmitted(endpoint, entered, request))

  /** Performs the work at the models until one succeeds. */
  async function attempt<T>(
    endpoints: readonly ModelEndpoint[],
    signal: AbortSignal,
    assertAdmittedTo: (endpoint: ModelEndpoint) => Promise<void>,
    work: (endpoint: ModelEndpoint, web: Web) => Promise<T>,
  ): Promise<{ readonly value: T; readonly endpoint: ModelEndpoint }> {
    const failures: string[] = []
    for (const endpoint of endpoints) {
      await assertAdmittedTo(endpoint)
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
    throw new Fault('model_unavailable', { detail: `No model answered the request: ${failures.join('; ')}.`, retryAfterSeconds: 30 })
  }

  return {
    /** The models of a role in the order in which they are tried; none if the role is not configured. */
    of: async (accountId: string, role: ModelRole) => endpointsOf(installation, await ownOf(accountId), role),

    /** Fault `model_not_configured` for a role without a model. */
    assertRole: async (accountId: string, role: ModelRole): Promise<void> => void (await required(accountId, role)),

    /** The models that an account connected. */
    ownOf: async (accountId: string): Promise<readonly ModelEndpoint[]> => (await ownOf(accountId)).endpoints,

    async complete(request: CompletionRequest): Promise<Completion> {
      const { accountId, role, signal } = request
      const allowed = await required(accountId, role)
      const { endpoints } = allowed
      const entered = await enter(request, allowed)
      try {
        const { value, endpoint } = await attempt(endpoints, signal, admission(request, entered), (at, web) =>
          recordFailureOf(request, at, async (call) => {
            const completion = await sendAdmitted(deps.egress, at, request, (sent) => completeAt(at, sentBy(call, sent), web))
            return { call, completion }
          }),
        )
        await recordText(endpoint, request, value.completion, value.call)
        await entered.noteUse(value.completion.usage)
        return value.completion
      } finally {
        entered.release()
      }
    },

    /**
     * Streams a completion. A failure before the first text is retried like that of `complete`; a later one rejects. A stream that ends early
     * counts with an estimate of what was used.
     */
    async *stream(request: CompletionRequest): AsyncGenerator<CompletionPart> {
      const { accountId, role, signal } = request
      const allowed = await required(accountId, role)
      const { endpoints } = allowed
      const entered = await enter(request, allowed)
      let begun: Begun | undefined
      let failure: unknown = new ReaderLeftError()
      let text = ''
      try {
        const { value, endpoint } = await attempt(endpoints, signal, admission(request, entered), (at, web) =>
          recordFailureOf(request, at, async (call) => {
            const parts = await streamAdmitted(deps.egress, at, request, (sent) => streamAt(at, sentBy(call, sent), web))
            return { call, first: await parts.next(), parts }
          }),
        )
        begun = { endpoint, ...value }
        for (let { first: next } = value; next.done !== true; next = await later(value.parts)) {
          if (next.value.kind === 'text') text += next.value.text
          else {
            begun = undefined
            await recordText(endpoint, request, next.value.completion, value.call)
            await entered.noteUse(next.value.completion.usage)
          }
          yield next.value
        }
      } catch (error) {
        failure = error
        throw error
      } finally {
        try {
          await begun?.parts.return(undefined)
          if (begun !== undefined) await recordPart(begun, request, text, failure)
        } finally {
          entered.release()
        }
      }
    },

    /** The vectors of texts by the models of the role `embedding`: one for each, of the length 1, all of one model. */
    async embed({
      accountId,
      texts,
      ...asking
    }: Asking & { readonly accountId: string; readonly texts: readonly string[] }): Promise<readonly Float32Array[]> {
      const { endpoints, limits } = await required(accountId, 'embedding')
      const messages = texts.map((text) => ({ role: 'user' as const, text }))
      return budget.within(accountId, { messages, limits, prices: endpoints[0].prices }, async (entered) => {
        const assertAdmittedTo = (at: ModelEndpoint) => assertAdmitted(at, entered, asking)
        const { value } = await attempt(endpoints, asking.signal, assertAdmittedTo, async (at, web) => {
          const sent = await deps.egress?.admit({ accountId, host: new URL(at.url).hostname, region: at.region, texts })
          const keep = async (usage: ModelUsage) => {
            await record(accountId, at, usage)
            await entered.noteUse(usage)
          }
          const recorded = { accountId, signal: asking.signal, record: keep }
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
      const { endpoints, limits } = await required(accountId, role)
      return budget.within(accountId, { messages: undefined, limits, prices: undefined }, async (entered) => {
        const assertAdmittedTo = (at: ModelEndpoint) => assertAdmitted(at, entered, request)
        const { value, endpoint } = await attempt(endpoints, request.signal, assertAdmittedTo, async (at, web) => {
          await deps.egress?.admit({ accountId, host: new URL(at.url).hostname, region: at.region, texts: [] })
          return work(at, wholeWeb(web))
        })
        await record(accountId, endpoint, { inputTokens: 0, outputTokens: 0, costMicros: 0 })
        return value
      })
    },
  }
}

function sentBy(call: Call, request: CompletionRequest): CompletionRequest {
  call.sent = request
  return request
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
