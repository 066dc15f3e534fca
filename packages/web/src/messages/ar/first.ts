import { frame } from '#src/messages/ar/frame.ts'
import { links } from '#src/messages/ar/links.ts'
import { passkeys } from '#src/messages/ar/passkeys.ts'
import { problems } from '#src/messages/ar/problems.ts'
import { session } from '#src/messages/ar/session.ts'
import type { FirstMessages } from '#src/messages/messages.ts'

/** The texts in Arabic that are loaded first. */
export const first: FirstMessages = {
  ...frame,
  ...links,
  ...passkeys,
  ...problems,
  ...session,
}
