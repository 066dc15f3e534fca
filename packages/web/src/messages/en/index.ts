import { build } from '#src/messages/en/build.ts'
import { building } from '#src/messages/en/building.ts'
import { first } from '#src/messages/en/first.ts'
import { reach } from '#src/messages/en/reach.ts'
import { runView } from '#src/messages/en/run-view.ts'
import { settings } from '#src/messages/en/settings.ts'
import { trust } from '#src/messages/en/trust.ts'
import { operations } from '#src/messages/en/operations.ts'
import { work } from '#src/messages/en/work.ts'

/** All texts of the interface in English; every other language has the type of this object, so that a missing text does not compile. */
export const en = {
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
