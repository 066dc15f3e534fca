import { useSession } from '#src/session/session.ts'

/** Whether the role of this person allows changes; a viewer only looks. */
export function useMayChange(): boolean {
  return useSession(({ me }) => me?.role !== 'viewer')
}
