import { frame } from '#src/messages/en/frame.ts'
import { links } from '#src/messages/en/links.ts'
import { passkeys } from '#src/messages/en/passkeys.ts'
import { problems } from '#src/messages/en/problems.ts'
import { session } from '#src/messages/en/session.ts'

/** The texts that every page needs, and all that a page without a session needs: they are loaded first. */
export const first = {
  ...frame,
  ...links,
  ...passkeys,
  ...problems,
  ...session,
}
