/**
 * When an execution whose process has died is suspected of it, tried, and given up (docs/adr/0019). `deliveries` counts the deaths of its processes since
 * it last got on, `accusations` those in which nothing but the execution explains the death.
 */

/** From so many deaths on it is a suspect: it runs beside no other suspect, and later after each death. */
export const SUSPECT_CRASHES = 2
/** Trials in a row that its process did not survive, after which it is given up. */
export const FAILED_TRIALS_MAX = 3
/** Deaths after which it is given up in any case. */
export const CRASHES_MAX = 12
/** How long no process may have died before a suspect is put on trial; it doubles with every accusation. */
export const TRIAL_MS = 15_000
/** No suspect waits longer than this for its turn to run. */
const WAIT_SECONDS_MAX = 3_600

/** An execution whose processes keep dying, without getting on in between. */
export const suspectSql = `(e.deliveries >= ${SUSPECT_CRASHES}
  and e.recovered_seq >= coalesce((select max(seq) from journal j where j.execution_id = e.id), -1))`

/** When the processes have been well for so long that a death would accuse it. @param trialSeconds a parameter of the statement. */
export function quietAtSql(trialSeconds: string): string {
  return `(coalesce((select max(died_at) from process_deaths), '-infinity') + make_interval(secs => ${trialSeconds} * 2 ^ least(accusations, 9)))`
}

/**
 * When it runs although they were not: where processes die all the time it gets on as others do, and nothing is held against it. To be
 * cancelled it need not wait.
 */
export function latestTrialAtSql(trialSeconds: string): string {
  return `(case when deliveries <= ${SUSPECT_CRASHES} or cancel_requested_at is not null then '-infinity'::timestamptz
    else died_at + make_interval(secs => least(${WAIT_SECONDS_MAX}, ${trialSeconds} * 2 ^ (least(deliveries, 20) - ${SUSPECT_CRASHES + 1}))) end)`
}
