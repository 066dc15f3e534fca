/**
 * When an execution is suspected of crashing its process, tried, and made a dead letter (docs/adr/0019). `crash_count` counts the crashes of
 * its processes since its last journal entry, `failed_trials` those crashes that only the execution explains.
 */

/** Crashes from which an execution is a suspect: it runs beside no other suspect, and waits longer after each crash. */
export const SUSPECT_CRASHES = 2
/** Failed trials in a row after which it becomes a dead letter. */
export const FAILED_TRIALS_MAX = 3
/** Crashes after which it becomes a dead letter in any case. */
export const CRASHES_MAX = 12
/** Time without a crash in the installation before a trial; it doubles with every failed trial. */
export const TRIAL_MS = 15_000
/** No suspect waits longer than this for its turn. */
const WAIT_SECONDS_MAX = 3_600

/** Whether the execution `e` is a suspect: its processes crashed repeatedly, without a journal entry in between. */
export const suspectSql = `(e.crash_count >= ${SUSPECT_CRASHES}
  and e.recovered_seq >= coalesce((select max(seq) from journal j where j.execution_id = e.id), -1))`

/** The time at which a trial may start, because no process has crashed for long enough. @param trialSeconds a parameter of the statement. */
export function quietAtSql(trialSeconds: string): string {
  return `(coalesce((select max(crashed_at) from process_crashes), '-infinity') + make_interval(secs => ${trialSeconds} * 2 ^ least(failed_trials, 9)))`
}

/**
 * The time at which a suspect runs without a trial: if processes crash all the time, suspects still run in turn, and their crashes are no failed trials.
 * A suspect with a cancel request does not wait.
 */
export function untriedAtSql(trialSeconds: string): string {
  return `(case when crash_count <= ${SUSPECT_CRASHES} or cancel_requested_at is not null then '-infinity'::timestamptz
    else crashed_at + make_interval(secs => least(${WAIT_SECONDS_MAX}, ${trialSeconds} * 2 ^ (least(crash_count, 20) - ${SUSPECT_CRASHES + 1}))) end)`
}
