import type { Attack } from './attack.ts'
import type { Assailed } from './attacker.ts'
import type { Measured } from './observer.ts'
import type { Ending } from './server.ts'
import type { Settled } from './settle.ts'
import { type VictimAct, victimActs } from './victim.ts'

export interface TerminationOutcome {
  /** From SIGTERM to the end of the process, and whether it had to be killed. */
  readonly ending: Ending
  /** Until the server served again over what the attack had left. */
  readonly restartMs: number
  readonly quiet: Measured
  /** After the start, without any further attack. */
  readonly afterwards: Measured
}

export interface AttackOutcome {
  readonly attack: Attack
  /** Why it could not be prepared, and so was none. */
  readonly unprepared: string | undefined
  readonly quiet: Measured
  readonly under: Measured
  readonly assailed: Assailed
  readonly settled: Settled
  /** Of attacker and victim, since the server has been there. */
  readonly deadLetters: number
  /** The server's process ended. */
  readonly died: boolean
}

/** What neighbours may feel of an attack. */
export interface Bounds {
  readonly healthP99Ms: number
  readonly healthMaxMs: number
  /** The share of an act's requests that has to be within `slowdownMax` times its quiet median. */
  readonly share: 'p50' | 'p90'
  readonly slowdownMax: number
  /** Quiet medians below count as this, or a millisecond more would be a slowdown. */
  readonly quietMsMin: number
}

/** What is promised, as the bench holds it. Times of a machine that stands still itself are no fault of the server; see `verdictOf`. */
export const promised: Bounds = { healthP99Ms: 50, healthMaxMs: 250, share: 'p90', slowdownMax: 5, quietMsMin: 5 }

/** The act of the victim that was slowed down most, without what the control waited longer as well. */
export interface Slowdown {
  readonly act: VictimAct
  readonly quietMs: number
  readonly underMs: number
  readonly times: number
}

export function worstSlowdown({ quiet, under }: Pick<AttackOutcome, 'quiet' | 'under'>, { share, quietMsMin }: Bounds): Slowdown {
  const all = victimActs.flatMap((act) => {
    const [before, now] = [quiet.victim[act], under.victim[act]]
    if (before === undefined || now === undefined) return []
    const machineMs = Math.max(0, under.control[share] - quiet.control[share])
    return [{ act, quietMs: before.p50, underMs: now[share], times: (now[share] - machineMs) / Math.max(before.p50, quietMsMin) }]
  })
  return all.toSorted((one, other) => other.times - one.times)[0] ?? { act: 'run', quietMs: 0, underMs: Number.NaN, times: Number.NaN }
}

/** Every promise that was broken, in words; none when all hold. What the control had to wait as well is the machine's doing, and is taken off. */
export function verdictOf(outcome: AttackOutcome, bounds: Bounds): readonly string[] {
  const { settled, deadLetters, died, unprepared } = outcome
  const broken = [
    unprepared !== undefined && `not prepared: ${unprepared}`,
    died && 'the server died',
    ...feltBy(outcome, bounds),
    deadLetters > 0 && `${deadLetters} dead letters`,
    settled.left !== 0 && `${settled.left ?? 'nobody knows how many'} executions did not end`,
  ]
  return broken.filter((reason) => reason !== false)
}

/** The same of a server that was asked to end during an attack, and started again. */
export function verdictOfTermination({ ending, quiet, afterwards }: TerminationOutcome, bounds: Bounds): readonly string[] {
  return [...(ending.killed ? [`did not end within ${ms(ending.ms)}`] : []), ...feltBy({ quiet, under: afterwards }, bounds)]
}

function feltBy(measured: Pick<AttackOutcome, 'quiet' | 'under'>, bounds: Bounds): readonly string[] {
  const { health, control, victim } = measured.under
  const slowdown = worstSlowdown(measured, bounds)
  const failures = victimActs.flatMap((act) => (victim[act]?.failures ?? []).map((failure) => `${act}: ${failure}`))
  const broken = [
    health.failed > 0 && `${health.failed} of ${health.count} requests for /health failed: ${health.failures.join('; ')}`,
    health.p99 - control.p99 > bounds.healthP99Ms && `/health p99 ${ms(health.p99)}`,
    health.max - control.max > bounds.healthMaxMs && `/health max ${ms(health.max)}`,
    failures.length > 0 && `failed: ${failures.join('; ')}`,
    !(slowdown.times <= bounds.slowdownMax) &&
      `${slowdown.act} ${bounds.share} ${ms(slowdown.underMs)}, ${slowdown.times.toFixed(1)} times the quiet median of ${ms(slowdown.quietMs)}`,
  ]
  return broken.filter((reason) => reason !== false)
}

function ms(time: number): string {
  return `${time.toFixed(time < 10 ? 1 : 0)} ms`
}
