import { useSession } from '#src/session/session.ts'

/** Whether this person may create, test and change connections. */
export function useMayChange(): boolean {
  return useSession(({ me }) => me?.scopes.includes('connections:write') ?? false)
}
