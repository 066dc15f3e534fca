import { suggest } from '@millrace/dsl'

/** An API may have more names than are worth comparing. */
const namesMax = 2_000

/** A sentence for a message: "Did you mean …?" with the name that a mistyped one most likely meant; empty when none is close. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const name = suggest(written, Iterator.from(names).take(namesMax))
  return name === undefined ? '' : ` Did you mean ${JSON.stringify(name)}?`
}
