import { useSession } from '#src/session/session.ts'

/** The time zone of the person who is signed in: as their profile says, or else that of this device. */
export function ownZone(): string {
  return useSession.getState().me?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
