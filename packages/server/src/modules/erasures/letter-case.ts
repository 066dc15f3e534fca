/** The last code point that has another case (Adlam). */
const lastCased = 0x1_e943
let groups: ReadonlyMap<string, readonly string[]> | undefined

/** A character with those that differ from it by case alone: `σ`, `ς` and `Σ`. The four letters i of Turkish are one, as texts without the language have them. */
export function casesOf(character: string): readonly string[] {
  groups ??= casedGroups()
  return groups.get(foldOf(character)) ?? [character]
}

function casedGroups(): ReadonlyMap<string, readonly string[]> {
  const cased: string[] = []
  for (let code = 0; code <= lastCased; code++) {
    const character = String.fromCodePoint(code)
    if (/\p{Changes_When_Casemapped}/u.test(character)) cased.push(character)
  }
  return Map.groupBy(cased, foldOf)
}

function foldOf(character: string): string {
  return character === 'İ' ? 'i' : mapped(mapped(character, 'toUpperCase'), 'toLowerCase')
}

/** The other case of a character, if it is one character: `ß` stays, since its capital form is `SS`. */
function mapped(character: string, mapping: 'toUpperCase' | 'toLowerCase'): string {
  const [first = character, ...more] = character[mapping]()
  return more.length === 0 ? first : character
}
