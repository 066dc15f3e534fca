import { knownSession } from '#src/session/known-session.ts'
import { accessToken, calls, tokens } from '#src/session/session.ts'

export async function signOut(to = '/sign-in'): Promise<void> {
  // The server ends the session of a token that is valid, and a page that stood open has none.
  await accessToken().catch(() => undefined)
  if (!tokens.areOthers()) {
    await calls.logout().catch(() => undefined)
    knownSession.end()
  }
  tokens.forget()
  // Everything in memory belongs to the session that ended.
  location.assign(to)
}
