import type { JsonValue } from '@millrace/contract'
import { hasErasureMark } from '@millrace/contract/transparency'

/** What stands in the stored input of a run in place of a value. */
export interface Masks {
  /** Whether `***` does: in the input of a run that another run started, for its secrets. */
  readonly ofSecrets: boolean
  /** Whether marks of an erasure do. */
  readonly ofErasures: boolean
}

const secret = /(?<!\*)\*{3}(?!\*)/

/** The members of an input, by name, that still have masks of the stored input; the empty name for one that is no object. */
export function maskedMembers(input: JsonValue, stored: JsonValue, { ofSecrets, ofErasures }: Masks): readonly string[] {
  const isMasked = (text: string) => (ofSecrets && secret.test(text)) || (ofErasures && hasErasureMark(text))
  const masked = new Set(textsIn(stored).filter(isMasked))
  if (masked.size === 0) return []
  const isStillMasked = (value: JsonValue) => textsIn(value).some((text) => masked.has(text))
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return isStillMasked(input) ? [''] : []
  return Object.entries(input).flatMap(([name, member]) => (isStillMasked(member) ? [name] : []))
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((member: JsonValue) => textsIn(member)) : []
}
