import type { ProfileId } from './model.ts'
import { profiles } from './profiles.ts'
import { at, type XmlElement } from './ubl/element.ts'

/** The profile that a document was made by. */
export function profileOf(root: XmlElement): ProfileId {
  if (at(root, 'cbc:ProfileID')[0]?.text !== profiles['zatca-standard'].profileId) return 'en16931'
  const type = at(root, 'cbc:InvoiceTypeCode')[0]?.attributes['name'] ?? ''
  return type.startsWith('02') ? 'zatca-simplified' : 'zatca-standard'
}
