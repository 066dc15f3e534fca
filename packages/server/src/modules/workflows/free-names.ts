import type { DocumentNames } from './model.ts'

/** Document names of the account that begin with a text. */
export type TakenNames = (place: DocumentNames) => Promise<ReadonlySet<string>>

/** How a free name is chosen. */
export interface Naming {
  readonly takenNames: TakenNames
  /** So many free names are left to other requests. */
  readonly skipped: number
}

const skippedMax = 64

/**
 * How many free names a request skips that has lost a name to others so many times. Each loss makes the choice wider, so that requests at once
 * get names after few attempts; one that loses none gets the lowest.
 */
export function skippedAfter(losses: number, chance: () => number): number {
  return losses === 0 ? 0 : Math.floor(chance() * Math.min(4 ** losses, skippedMax))
}

interface Names {
  readonly name: string
  readonly documentName: string
}

/** The names, with a number from 2 on if a workflow of the namespace has the document name: the lowest that is free and left to this request. */
export async function freeNames(
  { name, documentName, namespace }: Names & { readonly namespace: string },
  { takenNames, skipped }: Naming,
): Promise<Names> {
  const taken = await takenNames({ namespace, prefix: documentName.slice(0, prefixLength) })
  let left = skipped
  for (let number = 1; ; number++) {
    const wanted = numbered(documentName, number)
    if (!taken.has(wanted) && left-- === 0)
      return { name: number === 1 ? name : `${wellFormed(name.slice(0, nameLength))} ${number}`, documentName: wanted }
  }
}

/** Of a document name, which has up to 63 characters, so that a number fits. */
const prefixLength = 57
/** Of a name, which has up to 200 characters. */
const nameLength = 193

function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name.slice(0, prefixLength).replace(/-$/, '')}-${number}`
}

/** Without half of a character at the end. */
function wellFormed(cut: string): string {
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
