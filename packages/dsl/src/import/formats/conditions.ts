import { at, listOf, textOf } from '#src/import/value.ts'

/** The operators of Activepieces and Make by their lower-case letters. */
const operators: Readonly<Record<string, string>> = {
  textequal: '($l | tostring) == ($r | tostring)',
  textexactlymatches: '($l | tostring) == ($r | tostring)',
  textdoesnotexactlymatch: '($l | tostring) != ($r | tostring)',
  textnotequal: '($l | tostring) != ($r | tostring)',
  textcontain: '($l | tostring) | contains($r | tostring)',
  textcontains: '($l | tostring) | contains($r | tostring)',
  textdoesnotcontain: '($l | tostring) | contains($r | tostring) | not',
  textnotcontain: '($l | tostring) | contains($r | tostring) | not',
  textstartswith: '($l | tostring) | startswith($r | tostring)',
  textstartwith: '($l | tostring) | startswith($r | tostring)',
  textendswith: '($l | tostring) | endswith($r | tostring)',
  textendwith: '($l | tostring) | endswith($r | tostring)',
  numberequal: '($l | tonumber) == ($r | tonumber)',
  numberisequalto: '($l | tonumber) == ($r | tonumber)',
  numbernotequal: '($l | tonumber) != ($r | tonumber)',
  numbergreater: '($l | tonumber) > ($r | tonumber)',
  numberisgreaterthan: '($l | tonumber) > ($r | tonumber)',
  numbergreaterorequal: '($l | tonumber) >= ($r | tonumber)',
  numberless: '($l | tonumber) < ($r | tonumber)',
  numberislessthan: '($l | tonumber) < ($r | tonumber)',
  numberlessorequal: '($l | tonumber) <= ($r | tonumber)',
  booleanistrue: '$l == true',
  booleanisfalse: '$l == false',
  booleanequal: '$l == $r',
  exists: '$l != null and $l != ""',
  exist: '$l != null and $l != ""',
  doesnotexist: '$l == null or $l == ""',
  notexist: '$l == null or $l == ""',
}

/** jq of alternatives, each of which is a list of comparisons that must all be true. A comparison without counterpart is false. */
export function conditionsJq(
  groups: unknown,
  members: { readonly left: string; readonly operator: string; readonly right: string },
  value: (given: unknown) => string,
): { readonly jq: string; readonly unknown: readonly string[] } {
  const unknown: string[] = []
  const alternatives = listOf(groups).map((group) => {
    const all = listOf(group).map((one) => {
      const name = textOf(at(one, members.operator))
      const letters = name
        .toLowerCase()
        .replaceAll(/[^a-z]/g, '')
        .replace(/ci$/, '')
      const jq = Object.hasOwn(operators, letters) ? operators[letters] : undefined
      if (jq === undefined) unknown.push(name || '(none)')
      const isCaseless = name.endsWith(':ci') || at(one, 'caseSensitive') === false
      const side = (given: unknown) =>
        isCaseless ? `(${value(given)} | if type == "string" then ascii_downcase else . end)` : `(${value(given)})`
      if (jq === undefined) return 'false'
      return `(try (${side(at(one, members.left))} as $l | ${side(at(one, members.right) ?? null)} as $r | ${jq}) catch false)`
    })
    return all.length === 0 ? 'true' : `(${all.join(' and ')})`
  })
  return { jq: alternatives.length === 0 ? 'true' : alternatives.join(' or '), unknown }
}
