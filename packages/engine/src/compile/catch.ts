import type { Catch, RetryPolicy as RetryDefinition } from '@millrace/dsl'
import type { CatchClause, RetryPolicy } from '#core/node.ts'
import { type CompileContext, optional } from './context.ts'
import { compileDuration } from './duration.ts'
import { compileCondition } from './expression.ts'

/** Compiles what a catch clause matches and how it retries; its tasks are the caller's. */
export function compileCatch(definition: Catch, context: CompileContext): CatchClause {
  const { expressions } = context
  const retry = typeof definition.retry === 'string' ? context.definition.use?.retries?.[definition.retry] : definition.retry
  const filter = definition.errors?.with ?? {}
  return {
    // The schema calls the member `details`, the text `detail`; both are taken.
    filter: { ...filter, ...optional('detail', filter.detail ?? filter.details) },
    as: definition.as ?? 'error',
    ...optional('when', definition.when === undefined ? undefined : compileCondition(definition.when, expressions)),
    ...optional('exceptWhen', definition.exceptWhen === undefined ? undefined : compileCondition(definition.exceptWhen, expressions)),
    ...optional('retry', retry === undefined ? undefined : compileRetry(retry, context)),
  }
}

function compileRetry(policy: RetryDefinition, { expressions }: CompileContext): RetryPolicy {
  const { backoff, limit, jitter } = policy
  const duration = (value: Parameters<typeof compileDuration>[0] | undefined) =>
    value === undefined ? undefined : compileDuration(value, expressions)
  return {
    delayMs: compileDuration(policy.delay ?? { milliseconds: 0 }, expressions),
    backoff: backoff?.exponential !== undefined ? 'exponential' : backoff?.linear !== undefined ? 'linear' : 'constant',
    ...optional('when', policy.when === undefined ? undefined : compileCondition(policy.when, expressions)),
    ...optional('exceptWhen', policy.exceptWhen === undefined ? undefined : compileCondition(policy.exceptWhen, expressions)),
    ...optional('retriesMax', limit?.attempt?.count),
    ...optional('attemptMs', duration(limit?.attempt?.duration)),
    ...optional('totalMs', duration(limit?.duration)),
    ...optional(
      'jitter',
      jitter === undefined
        ? undefined
        : { fromMs: compileDuration(jitter.from, expressions), toMs: compileDuration(jitter.to, expressions) },
    ),
  }
}
