import { useSession } from '#src/session/session.ts'

/** Whether this person administers the account. */
export function useIsAdmin(): boolean {
  return useSession(({ me }) => me?.scopes.includes('account:write') === true)
}
