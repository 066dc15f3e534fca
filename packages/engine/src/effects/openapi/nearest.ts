/** The name that a mistyped one was probably meant to be; undefined when none is near. */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  const target = plain(written)
  let best: string | undefined
  let distance = Math.max(1, Math.floor(target.length / 3)) + 1
  let left = namesMax
  for (const name of names) {
    if (left-- === 0) break
    const found = editDistance(target, plain(name), distance)
    if (found < distance) [best, distance] = [name, found]
  }
  return best
}

/** A sentence for a message: empty when nothing is near. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const name = nearest(written, names)
  return name === undefined ? '' : ` Did you mean ${JSON.stringify(name)}?`
}

const namesMax = 2_000
const lengthMax = 60

/** Case and separators are what people get wrong first. */
function plain(name: string): string {
  return name
    .slice(0, lengthMax)
    .toLowerCase()
    .replaceAll(/[\s_.-]/g, '')
}

/** Levenshtein's distance, not followed beyond `limit`. */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, char] of [...one].entries()) {
    let previous = at + 1
    const next = [previous]
    for (const [index, candidate] of [...other].entries()) {
      const replaced = (row[index] ?? limit) + (char === candidate ? 0 : 1)
      previous = Math.min(replaced, (row[index + 1] ?? limit) + 1, previous + 1)
      next.push(previous)
    }
    if (Math.min(...next) >= limit) return limit
    row = next
  }
  return row.at(-1) ?? limit
}
