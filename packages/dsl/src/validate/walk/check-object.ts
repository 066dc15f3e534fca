import { suggest } from '#src/diagnostics/suggest.ts'
import { synonymsOf } from '#src/shape/synonyms.ts'
import type { Path } from '#src/parse/pointer.ts'
import type { ObjectShape } from '#src/shape/shape.ts'
import type { JsonObject } from '#src/json.ts'
import type { Finding } from '#src/validate/facts.ts'
import { alternatives, meant, quoted } from '#src/validate/wording.ts'

/** The unknown keys of one object for which a suggestion is sought: an object may have very many. */
const comparedMax = 100

/** Reports keys of an object that are unknown, missing, in conflict or too few. */
export function checkObject(findings: Finding[], shape: ObjectShape, value: JsonObject, path: Path | undefined): void {
  const keys = Object.keys(value)
  const unknown = shape.rest === undefined ? keys.filter((key) => !shape.properties.has(key)) : []
  for (const [index, key] of unknown.entries()) findings.push(unknownProperty(shape, value, key, path, index < comparedMax))
  const meantKeys = new Set(unknown.slice(0, comparedMax).flatMap((key) => [...synonymsOf(key), suggest(key, shape.properties.keys())]))
  for (const key of shape.required) {
    // A required property that is only misspelled is one mistake, not two.
    if (!Object.hasOwn(value, key) && !meantKeys.has(key)) findings.push(missingProperty(shape, [key], path))
  }
  for (const group of shape.atLeastOne === undefined ? shape.exactlyOne : [...shape.exactlyOne, shape.atLeastOne]) {
    const isThere = group.some((key) => Object.hasOwn(value, key) || meantKeys.has(key))
    if (!isThere) findings.push(missingProperty(shape, group, path))
  }
  for (const group of shape.exactlyOne) findings.push(...conflicts(value, group, path))
  if (keys.length < (shape.entriesMin ?? 0)) {
    const known = [...shape.properties.keys()]
    const hint = known.length > 0 ? `Add one of ${known.join(', ')}.` : 'Add at least one key: value pair.'
    findings.push({ code: 'too_few_entries', path, at: 'value', message: `${capitalised(shape.what)} may not be empty.`, hint })
  }
  const violation = shape.rule?.(value)
  if (violation === undefined) return
  const at = violation.key === undefined ? 'value' : 'key'
  const target = violation.key === undefined ? path : { parent: path, key: violation.key }
  findings.push({ code: violation.code, path: target, at, message: violation.message, hint: violation.hint })
}

function unknownProperty(shape: ObjectShape, value: JsonObject, key: string, path: Path | undefined, compared: boolean): Finding {
  const possible = [...shape.properties.keys()]
  const free = compared ? possible.filter((candidate) => !Object.hasOwn(value, candidate)) : []
  const synonym = synonymsOf(key).find((candidate) => free.includes(candidate))
  const hint = synonym === undefined ? meant(key, free, misplacedHint(shape, key, possible)) : `Did you mean ${quoted(synonym)}?`
  const message = `${quoted(key)} is not a property of ${shape.what}.`
  return { code: 'unknown_property', path: { parent: path, key }, at: 'key', message, hint }
}

/** What a property of a task in other languages is here. */
const misplaced: Readonly<Record<string, string>> = {
  retry: 'Retries belong to a try: write try: with this task in its list, and beside it catch: { retry: … }.',
  retries: 'Retries belong to a try: write try: with this task in its list, and beside it catch: { retry: … }.',
  catch: 'Only a try has catch: write try: with this task in its list, and catch: beside it.',
  onError: 'Errors are caught by a try: write try: with this task in its list, and catch: beside it.',
  when: 'Write if: to run a task only on a condition.',
  condition: 'Write if: to run a task only on a condition.',
  next: 'Write then: with the name of the next task.',
  goto: 'Write then: with the name of the next task.',
}

function misplacedHint(shape: ObjectShape, key: string, possible: readonly string[]): string {
  const isTask = shape.properties.has('then') && shape.properties.has('export')
  if (isTask && Object.hasOwn(misplaced, key)) return misplaced[key] ?? ''
  return `Remove it; possible are ${possible.join(', ')}.`
}

const plural = /^the (?:arguments|attributes|components|credentials|endpoints|errors)\b/

function missingProperty(shape: ObjectShape, keys: readonly string[], path: Path | undefined): Finding {
  const [first = ''] = keys
  const message = `${capitalised(shape.what)} ${plural.test(shape.what) ? 'need' : 'needs'} ${alternatives(keys.map(quoted))}.`
  const hint = keys.length === 1 ? `Add ${first}: to it.` : `Add one of ${keys.join(', ')}.`
  return { code: 'missing_property', path, at: 'key', message, hint }
}

function conflicts(value: JsonObject, group: readonly string[], path: Path | undefined): Finding[] {
  const [first = '', ...others] = group.filter((key) => Object.hasOwn(value, key))
  return others.map((key) => {
    const message = `${quoted(key)} cannot stand beside ${quoted(first)}: only one of ${group.join(', ')} is possible.`
    return { code: 'conflicting_properties', path: { parent: path, key }, at: 'key', message, hint: 'Remove one of the two.' }
  })
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
