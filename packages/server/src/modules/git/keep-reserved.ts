import { GitError } from '#platform/git/run-git.ts'

/** For how long a reservation lasts unless it is renewed: so long a repository stays locked after its process has died. */
export const leaseMsDefault = 30_000

export interface KeptReservation extends Disposable {
  /** Aborts when the reservation is lost: another pull or push may have begun. */
  readonly lost: AbortSignal
}

/**
 * Renews a reservation until it is disposed. One that could not be renewed in time, as while the database is away, is lost.
 * @param renew resolves to false if the reservation is another one's
 */
export function keepReserved(renew: () => Promise<boolean>, leaseMs: number): KeptReservation {
  const lost = new AbortController()
  const lose = () => lost.abort(new GitError('The pull or push was interrupted: its process did not run for a while. Try again.'))
  let ending = setTimeout(lose, leaseMs)
  let renewing = false
  const renewal = setInterval(() => {
    if (renewing) return
    renewing = true
    void renew()
      .then(
        (isOurs) => {
          clearTimeout(ending)
          if (isOurs) ending = setTimeout(lose, leaseMs)
          else lose()
        },
        // The next one may succeed.
        () => undefined,
      )
      .finally(() => {
        renewing = false
      })
  }, leaseMs / 3)
  return {
    lost: lost.signal,
    [Symbol.dispose]() {
      clearInterval(renewal)
      clearTimeout(ending)
    },
  }
}
