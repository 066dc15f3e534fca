import { useSession } from '#src/session/session.ts'

/** Whether the role of this person allows changes; viewers and auditors only look. */
export function useMayChange(): boolean {
  return useSession(({ me }) => me?.scopes.includes('workflows:write') === true)
}
