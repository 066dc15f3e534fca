import type { DocumentNames } from './model.ts'

/** Document names of the account that begin with a text. */
export type TakenNames = (place: DocumentNames) => Promise<ReadonlySet<string>>

interface Names {
  readonly name: string
  readonly documentName: string
}

/**
 * The names, with a number from 2 on if a workflow of the namespace has the document name: the lowest that is free.
 * @param skipped so many free names are left to others
 */
export async function freeNames(
  { name, documentName, namespace }: Names & { readonly namespace: string },
  takenNames: TakenNames,
  skipped = 0,
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
