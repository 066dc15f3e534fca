import type { ProfileId } from './model.ts'
import { profiles } from './profiles.ts'
import { judgeInvoice } from './rules/en16931.ts'
import type { Finding } from './rules/rule.ts'
import type { UblDocument } from './ubl/element.ts'

/** What the rules of a profile find in a document. */
export function findingsOf(document: UblDocument, profile: ProfileId): readonly Finding[] {
  const { exceptions } = profiles[profile]
  return judgeInvoice(document).filter(({ rule }) => !exceptions.has(rule))
}
