import type { Attack } from './attack.ts'
import { documentAttacks } from './attacks-documents.ts'
import { eventAttacks } from './attacks-events.ts'
import { expressionAttacks } from './attacks-expressions.ts'
import { schemaAttacks } from './attacks-schemas.ts'
import { scriptAttacks } from './attacks-scripts.ts'
import { timelineAttacks } from './attacks-timelines.ts'
import { valueAttacks } from './attacks-values.ts'
import { volumeAttacks } from './attacks-volume.ts'

/** All known ways in which one account could harm another. */
export const attacks: readonly Attack[] = [
  ...expressionAttacks,
  ...valueAttacks,
  ...timelineAttacks,
  ...schemaAttacks,
  ...documentAttacks,
  ...eventAttacks,
  ...scriptAttacks,
  ...volumeAttacks,
]
