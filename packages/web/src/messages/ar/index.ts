import { build } from '#src/messages/ar/build.ts'
import { building } from '#src/messages/ar/building.ts'
import { frame } from '#src/messages/ar/frame.ts'
import { links } from '#src/messages/ar/links.ts'
import { oauth } from '#src/messages/ar/oauth.ts'
import { passkeys } from '#src/messages/ar/passkeys.ts'
import { problems } from '#src/messages/ar/problems.ts'
import { reach } from '#src/messages/ar/reach.ts'
import { runView } from '#src/messages/ar/run-view.ts'
import { session } from '#src/messages/ar/session.ts'
import { settings } from '#src/messages/ar/settings.ts'
import { trust } from '#src/messages/ar/trust.ts'
import { operations } from '#src/messages/ar/operations.ts'
import { work } from '#src/messages/ar/work.ts'
import type { Messages } from '#src/messages/messages.ts'

/** All texts of the interface in Arabic. */
export const ar: Messages = {
  ...build,
  ...building,
  ...frame,
  ...links,
  ...oauth,
  ...passkeys,
  ...problems,
  ...reach,
  ...runView,
  ...session,
  ...settings,
  ...trust,
  ...operations,
  ...work,
}
