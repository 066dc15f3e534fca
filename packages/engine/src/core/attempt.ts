import { settled } from './evaluate.ts'
import { type ErrorData, errorToJson, sameErrorType, standardError, WorkflowError } from './error.ts'
import { fnv1a } from './fnv1a.ts'
import type { Json } from './json.ts'
import type { CatchClause, RetryPolicy, TryBody } from './node.ts'
import type { Walk } from './request.ts'
import { recordChoice, type Scope } from './scope.ts'
import { type BodyResult, inside, type Walker } from './walker.ts'

/** The longest delay between attempts, however far a backoff has grown. */
const RETRY_DELAY_MS_MAX = 24 * 60 * 60 * 1000

/**
 * Runs `try`. An error that the clause catches is retried while its policy allows; then `catch.do` runs if there is one. An error whose
 * retries are used up and that no `do` handles is raised again; one caught without retry and without `do` is swallowed.
 */
export function* runTry(walker: Walker, body: TryBody, scope: Scope, position: string): Walk<BodyResult> {
  const startedAtMs = scope.place.strand.execution.nowMs
  for (let attempt = 0; ; attempt++) {
    const path = attempt === 0 ? position : `${position}!${attempt}`
    const run = { ...scope.place.run, attempt: attempt + 1 }
    try {
      return yield* runAttempt(walker, body, { ...scope, place: { ...scope.place, run } }, path)
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error
      const clause = body.catch
      const caught = inCatch(clause, { ...scope, place: { ...scope.place, run } }, error.data)
      const catches = filterMatches(clause, error.data) && (yield* conditionsHold(clause, caught))
      recordChoice(scope.place.strand, 'c', catches ? 1 : 0)
      if (!catches) throw error
      const delayMs =
        clause.retry === undefined ? undefined : yield* retryDelayMs(clause.retry, caught, error, { attempt, startedAtMs, path })
      if (delayMs === undefined) return yield* handle(walker, clause, caught, error, path)
      recordChoice(scope.place.strand, 'c', 2)
      const dueAtMs = scope.place.strand.execution.nowMs + delayMs
      yield { kind: 'timer', position: `${path}/catch/retry`, strand: scope.place.strand, dueAtMs }
    }
  }
}

function* runAttempt(walker: Walker, body: TryBody, scope: Scope, path: string): Walk<BodyResult> {
  const attemptMs = body.catch.retry?.attemptMs
  const limitMs = attemptMs === undefined ? undefined : yield* settled(attemptMs(scope.input, scope))
  if (limitMs === undefined) return { output: (yield* walker.sequence(body.tasks, scope.input, inside(scope, `${path}/try`))).output }
  const output = yield* walker.deadline(
    function* (place) {
      return (yield* walker.sequence(body.tasks, scope.input, { ...inside(scope, `${path}/try`), strand: place.strand })).output
    },
    scope.place,
    `${path}/try`,
    scope.place.strand.execution.nowMs + limitMs,
  )
  if (output === undefined) throw standardError('timeout', `the attempt did not end within ${limitMs} ms`, scope.task?.reference)
  return { output }
}

function* handle(walker: Walker, clause: CatchClause, caught: Scope, error: WorkflowError, path: string): Walk<BodyResult> {
  if (clause.tasks === undefined && clause.retry !== undefined) throw error
  const then = clause.then === undefined ? {} : { then: clause.then }
  if (clause.tasks === undefined) return { output: caught.input, ...then }
  const result = yield* walker.sequence(clause.tasks, caught.input, inside(caught, `${path}/catch/do`))
  return { output: result.output, ...then }
}

/** The scope in which `when`, `exceptWhen`, the retry policy and `catch.do` see the error. */
function inCatch(clause: CatchClause, scope: Scope, error: ErrorData): Scope {
  const locals = { name: clause.as, value: errorToJson(error), outer: scope.place.locals }
  return { ...scope, place: { ...scope.place, locals } }
}

function filterMatches({ filter }: CatchClause, error: ErrorData): boolean {
  if (filter.type !== undefined && !sameErrorType(filter.type, error.type)) return false
  if (filter.status !== undefined && filter.status !== error.status) return false
  if (filter.instance !== undefined && filter.instance !== error.instance) return false
  if (filter.title !== undefined && filter.title !== error.title) return false
  return filter.detail === undefined || filter.detail === error.detail
}

function* conditionsHold(conditions: Pick<RetryPolicy, 'when' | 'exceptWhen'>, caught: Scope): Walk<boolean> {
  const { input } = caught
  if (conditions.when !== undefined && !(yield* settled(conditions.when(input, caught)))) return false
  return conditions.exceptWhen === undefined || !(yield* settled(conditions.exceptWhen(input, caught)))
}

interface Attempt {
  /** From 0. */
  readonly attempt: number
  /** When the first one began. */
  readonly startedAtMs: number
  readonly path: string
}

/** The delay before the next attempt, at least as long as the other side asks for; undefined when the policy allows no further attempt. */
function* retryDelayMs(
  policy: RetryPolicy,
  caught: Scope,
  error: WorkflowError,
  { attempt, startedAtMs, path }: Attempt,
): Walk<number | undefined> {
  if (policy.retriesMax !== undefined && attempt >= policy.retriesMax) return undefined
  if (!(yield* conditionsHold(policy, caught))) return undefined
  const input: Json = caught.input
  const execution = caught.place.strand.execution
  let delayMs = (yield* settled(policy.delayMs(input, caught))) * growth(policy.backoff, attempt)
  if (policy.jitter !== undefined) {
    const fromMs = yield* settled(policy.jitter.fromMs(input, caught))
    const toMs = yield* settled(policy.jitter.toMs(input, caught))
    delayMs += fromMs + (toMs - fromMs) * fraction(execution.id + path)
  }
  delayMs = Math.min(Math.max(delayMs, error.retryAfterMs ?? 0), RETRY_DELAY_MS_MAX)
  const totalMs = policy.totalMs === undefined ? undefined : yield* settled(policy.totalMs(input, caught))
  if (totalMs !== undefined && execution.nowMs + delayMs > startedAtMs + totalMs) return undefined
  return Math.round(delayMs)
}

function growth(backoff: RetryPolicy['backoff'], attempt: number): number {
  if (backoff === 'constant') return 1
  // The exponent is bounded, because infinity times zero is not a number.
  return backoff === 'linear' ? attempt + 1 : 2 ** Math.min(attempt, 64)
}

/** A number in [0, 1) that is spread like a random one but the same in every walk. */
function fraction(seed: string): number {
  return fnv1a(seed) / 0x1_0000_0000
}
