import { build } from '#src/messages/ar/build.ts'
import { building } from '#src/messages/ar/building.ts'
import { first } from '#src/messages/ar/first.ts'
import { reach } from '#src/messages/ar/reach.ts'
import { runView } from '#src/messages/ar/run-view.ts'
import { settings } from '#src/messages/ar/settings.ts'
import { trust } from '#src/messages/ar/trust.ts'
import { operations } from '#src/messages/ar/operations.ts'
import { work } from '#src/messages/ar/work.ts'
import type { Messages } from '#src/messages/messages.ts'

/** All texts of the interface in Arabic. */
export const ar: Messages = {
  ...first,
  ...build,
  ...building,
  ...reach,
  ...runView,
  ...settings,
  ...trust,
  ...operations,
  ...work,
}
