import type { Catch, RetryPolicy as RetryDefinition } from '@millrace/dsl'
import type { CatchClause, RetryPolicy } from '#core/node.ts'
import { compiled, type CompileContext, optional } from './context.ts'
import { compileCondition, compileDuration, type ExpressionContext } from './expression.ts'

/** Compiles what a catch clause matches and how it retries; its tasks are the caller's. */
export function compileCatch(definition: Catch, context: CompileContext): CatchClause {
  const { expressions } = context
  const retry = typeof definition.retry === 'string' ? context.definition.use?.retries?.[definition.retry] : definition.retry
  const filter = definition.errors?.with ?? {}
  return {
    // The schema calls the member `details`, the text `detail`; both are taken.
    filter: { ...filter, ...optional('detail', filter.detail ?? filter.details) },
    as: definition.as ?? 'error',
    ...compiled('when', definition.when, compileCondition, expressions),
    ...compiled('exceptWhen', definition.exceptWhen, compileCondition, expressions),
    ...compiled('retry', retry, compileRetry, context),
  }
}

function compileRetry(policy: RetryDefinition, { expressions }: CompileContext): RetryPolicy {
  const { backoff, limit, jitter } = policy
  return {
    delayMs: compileDuration(policy.delay ?? { milliseconds: 0 }, expressions),
    backoff: backoff?.exponential !== undefined ? 'exponential' : backoff?.linear !== undefined ? 'linear' : 'constant',
    ...compiled('when', policy.when, compileCondition, expressions),
    ...compiled('exceptWhen', policy.exceptWhen, compileCondition, expressions),
    ...optional('retriesMax', limit?.attempt?.count),
    ...compiled('attemptMs', limit?.attempt?.duration, compileDuration, expressions),
    ...compiled('totalMs', limit?.duration, compileDuration, expressions),
    ...compiled('jitter', jitter, compileJitter, expressions),
  }
}

function compileJitter(
  { from, to }: NonNullable<RetryDefinition['jitter']>,
  context: ExpressionContext,
): NonNullable<RetryPolicy['jitter']> {
  return { fromMs: compileDuration(from, context), toMs: compileDuration(to, context) }
}
