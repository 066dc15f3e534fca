import { Fault, type IdPrefix } from '@millrace/contract'
import { fromTypeId } from './ids.ts'

/** The id in a parameter of a request; its form was held against the declaration before. Fault `not_found` for what is none all the same. */
export function idOf(prefix: IdPrefix, text: string): string {
  const id = fromTypeId(prefix, text)
  if (id === undefined) throw new Fault('not_found')
  return id
}
