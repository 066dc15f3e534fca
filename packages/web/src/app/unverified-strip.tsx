import { boot } from '#src/boot.ts'
import { useSession } from '#src/session/session.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

/** Most people have confirmed theirs. */
const Unverified = onDemand(async () => (await import('#src/app/unverified.tsx')).Unverified)

/** A quiet line while the address of a person is not confirmed. */
export function UnverifiedStrip() {
  const me = useSession((session) => session.me)
  if (me === undefined || me.emailVerified || !boot.flags.includes('isEmailVerifyEnabled')) return null
  return <Unverified email={me.email} />
}
