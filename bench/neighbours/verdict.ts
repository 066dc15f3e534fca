import type { Attack } from './attack.ts'
import type { Assailed } from './attacker.ts'
import type { Measured } from './observer.ts'
import type { Ending } from './server.ts'
import type { Settled } from './settle.ts'
import { type VictimAct, victimActs } from './victim.ts'

export interface TerminationOutcome {
  /** From SIGTERM to the end of the process, and whether it had to be killed. */
  readonly ending: Ending
  /** Time until the restarted server served requests with the data of the attack. */
  readonly restartMs: number
  readonly quiet: Measured
  /** The result after the restart, without further attacks. */
  readonly afterwards: Measured
}

export interface AttackOutcome {
  readonly attack: Attack
  /** The reason why the attack could not be prepared. */
  readonly unprepared: string | undefined
  readonly quiet: Measured
  readonly under: Measured
  readonly assailed: Assailed
  readonly settled: Settled
  /** Dead letters of attacker and victim since the start of the server. */
  readonly deadLetters: number
  /** The server's process ended. */
  readonly died: boolean
}

/** The bounds for the effects of an attack on other accounts. */
export interface Bounds {
  readonly healthP99Ms: number
  readonly healthMaxMs: number
  /** The share of an operation's requests that must be within `slowdownMax` times its quiet median. */
  readonly share: 'p50' | 'p90'
  readonly slowdownMax: number
  /** The minimum for quiet medians, because one more millisecond is not a slowdown. */
  readonly quietMsMin: number
}

/** The guarantees of docs/reliability.md. Delays of the machine itself do not count; see `verdictOf`. */
export const promised: Bounds = { healthP99Ms: 50, healthMaxMs: 250, share: 'p90', slowdownMax: 5, quietMsMin: 5 }

/** The victim's operation with the largest slowdown, without the delays of the control. */
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

/** All violated bounds as text. Delays of the control are those of the machine and are subtracted. */
export function verdictOf(outcome: AttackOutcome, bounds: Bounds): readonly string[] {
  const { settled, deadLetters, died, unprepared } = outcome
  const broken = [
    unprepared !== undefined && `not prepared: ${unprepared}`,
    died && 'the server died',
    ...feltBy(outcome, bounds),
    deadLetters > 0 && `${deadLetters} dead letters`,
    settled.left !== 0 && `${settled.left ?? 'an unknown number of'} executions did not end`,
  ]
  return broken.filter((reason) => reason !== false)
}

/** The same for a server that was stopped during an attack and restarted. */
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
