import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'

/** The role of this person, in words. */
export function useRoleName(): string {
  return useSession(({ me }) => (me === undefined ? '' : m.team.roles[me.role]))
}
