import type { UblDocument } from '#modules/einvoice/ubl/element.ts'
import { rulesOfCategories } from './category-rules.ts'
import { rulesOfCodes } from './code-rules.ts'
import { rulesOfDocument } from './document-rules.ts'
import { rulesOfParties } from './party-rules.ts'
import { type Finding, judge, type Rule } from './rule.ts'

/** The business rules of EN 16931 for UBL 2.1, as functions. */
export const en16931: readonly Rule[] = [...rulesOfDocument, ...rulesOfParties, ...rulesOfCategories, ...rulesOfCodes]

/** Judges a document by the business rules, in a few milliseconds. */
export function judgeInvoice(document: UblDocument): readonly Finding[] {
  return judge(document, en16931)
}
