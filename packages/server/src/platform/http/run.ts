import { type AnyOperation, Fault, isAlias, opensTransaction } from '@millrace/contract'
import { type Answer, answerOf, isLasting, keptOf, keptProblem, replayOf } from './response/response.ts'
import type { Context } from './request/context.ts'
import type { Guards } from './guards.ts'
import type { IdempotencyStore, KeyUse } from './idempotency/idempotency.ts'
import { problemOf } from './response/problem.ts'
import { rateSubject } from './rate-limit/rate-limit.ts'
import type { ParsedRequest } from './request/parse-request.ts'
import { Later } from './response/respond.ts'
import type { Tx } from '#platform/db/database.ts'

/** All that one request needs to be done. */
export interface Work {
  readonly op: AnyOperation
  readonly guards: Guards
  readonly ctx: Context
  readonly input: ParsedRequest
  /** Done before any transaction begins. */
  readonly prepare: (ctx: Context, input: ParsedRequest) => Promise<void>
  readonly handler: (ctx: Context, input: ParsedRequest) => Promise<unknown>
  readonly serialise: (value: unknown) => string
  readonly path: string
  /** Made only for requests that bring a key which the kernel has to keep. */
  readonly fingerprint: () => Uint8Array
  readonly logError: (error: unknown) => void
}

/** Does the work, with its idempotency and audit, and then what was to be done after the commit. */
export async function runOperation(work: Work): Promise<Answer> {
  const { op, ctx, guards } = work
  const key = op.idempotency === 'natural' ? undefined : ctx.idempotencyKey
  const use = key !== undefined && op.idempotency === 'keyed' ? keyUse(work, key) : undefined
  await work.prepare(ctx, work.input)
  const answer = opensTransaction(op)
    ? await runInTransaction(work, use)
    : use === undefined
      ? await perform(work, undefined)
      : await runClaimed(work, use, guards.idempotency)
  // The request is committed by now; an effect that fails is logged and never changes the answer.
  const effects = await Promise.allSettled(ctx.takeEffects().map(async (effect) => effect()))
  for (const effect of effects) if (effect.status === 'rejected') work.logError(effect.reason)
  return answer
}

async function perform({ op, guards, ctx, input, handler, serialise }: Work, tx: Tx | undefined): Promise<Answer> {
  const output = await handler(ctx, input)
  const record = async () => {
    if (op.audit !== 'none') await guards.audit.record(tx, ctx, op.audit, ctx.auditDetails)
  }
  if (output instanceof Later) {
    if (tx !== undefined) throw new Error(`${op.id} would wait with its transaction open.`)
    await record()
    return answerOf(await output.make(), serialise)
  }
  const answer = answerOf(output, serialise)
  await record()
  return answer
}

async function runInTransaction(work: Work, use: KeyUse | undefined): Promise<Answer> {
  const { guards, ctx } = work
  if (use === undefined)
    return guards.transaction(ctx.accountId, (tx) => {
      ctx.enter(tx)
      return perform(work, tx)
    })
  let claimed = false
  try {
    return await guards.transaction(ctx.accountId, async (tx) => {
      ctx.enter(tx)
      const kept = await guards.idempotency.claim(tx, use)
      if (kept !== undefined) return replayOf(kept, work.ctx.requestId)
      claimed = true
      const answer = await perform(work, tx)
      await guards.idempotency.keep(tx, use, keptOf(answer, work.op))
      return answer
    })
  } catch (error) {
    if (claimed) await keepFault(work, use, error)
    throw error
  }
}

async function runClaimed(work: Work, use: KeyUse, store: IdempotencyStore): Promise<Answer> {
  const kept = await store.claim(undefined, use)
  if (kept !== undefined) return replayOf(kept, work.ctx.requestId)
  try {
    const answer = await perform(work, undefined)
    await store.keep(undefined, use, keptOf(answer, work.op))
    return answer
  } catch (error) {
    if (!(await keepFault(work, use, error))) await store.release(use)
    throw error
  }
}

/** The first answer is kept, a refusal as well as a success. */
async function keepFault({ guards, ctx, path }: Work, use: KeyUse, error: unknown): Promise<boolean> {
  if (!(error instanceof Fault) || !isLasting(error)) return false
  await guards.idempotency.keep(undefined, use, keptProblem(error, problemOf(error, ctx.requestId, path)))
  return true
}

function keyUse({ op, ctx, fingerprint }: Work, key: string): KeyUse {
  const { principal } = ctx
  return {
    owner: principal === undefined ? `ip:${rateSubject(ctx.ip)}` : `user:${principal.userId}`,
    accountId: principal?.accountId,
    key,
    operation: isAlias(op) ? op.aliasOf : op.id,
    fingerprint: fingerprint(),
    waitSeconds: ctx.prefer.waitSeconds ?? 0,
  }
}
