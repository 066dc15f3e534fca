import { continueAt } from '#src/pages/session/fragment.ts'
import { knownSession } from '#src/session/known-session.ts'
import { openSession } from '#src/session/session.ts'

/** Pages for people who are not signed in. */
const entrances: ReadonlySet<string> = new Set(['/sign-in', '/register'])

/** Where a signed-in person continues who opens the sign-in or the registration, as by Back; undefined for everyone else and for other pages. */
export async function pastEntrance(address: Pick<Location, 'pathname' | 'search' | 'hash'>): Promise<string | undefined> {
  if (!entrances.has(address.pathname) || !knownSession.exists()) return undefined
  const { state } = await openSession()
  return state === 'in' ? continueAt(address) : undefined
}
