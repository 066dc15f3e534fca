import { useSession } from '#src/session/session.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

/** Sessions seldom end while a page is open. */
const SignInAgain = onDemand(async () => (await import('#src/app/sign-in-again.tsx')).SignInAgain)

/** Asks to sign in again, over the page, which stays as it is. */
export function SignInSheet() {
  const expired = useSession(({ state }) => state === 'expired')
  return expired ? <SignInAgain /> : null
}
