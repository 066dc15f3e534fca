import type { Path } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Finding, ListEntry, Site } from '#src/validate/facts.ts'
import { quoted, wrongType } from '#src/validate/wording.ts'

/** The entries of a list of objects with one key each; an entry that is not such an object is reported. */
export function namedEntries({ facts, value, path }: Site, what: string): readonly ListEntry[] | undefined {
  if (!Array.isArray(value)) {
    const hint = isObject(value)
      ? 'Put "- " in front of each name.'
      : 'Write a list in which each entry is "- name:" followed by its content.'
    facts.findings.push(wrongType(path, value, 'a list of named entries', hint))
    return undefined
  }
  const entries: ListEntry[] = []
  const names = new Set<string>()
  for (const [index, item] of value.entries()) {
    const itemPath = { parent: path, key: index }
    const keys = isObject(item) ? Object.keys(item) : []
    const name = keys[0]
    if (!isObject(item) || name === undefined || keys.length > 1) {
      facts.findings.push(entryFinding(what, keys, itemPath))
      continue
    }
    const entry = { name, path: { parent: itemPath, key: name }, task: item[name] ?? null }
    if (names.has(name)) {
      const message = `The name ${quoted(name)} is already taken in this list.`
      const hint = 'Give each entry of a list a name of its own.'
      facts.findings.push({ code: 'duplicate_name', path: entry.path, at: 'key', message, hint })
    }
    names.add(name)
    entries.push(entry)
  }
  return entries
}

function entryFinding(what: string, keys: readonly string[], path: Path): Finding {
  if (keys.length > 1) {
    const message = `An entry of this list is ${what} under one name, and this has ${keys.length}: ${keys.slice(0, 5).map(quoted).join(', ')}.`
    const hint = 'Begin a new "- " for each name, and indent the content below the name.'
    return { code: 'invalid_entry', path, at: 'value', message, hint }
  }
  const message = `An entry of this list is an object with ${what} under its name.`
  return { code: 'invalid_entry', path, at: 'value', message, hint: `Write "- name:" with ${what} below it.` }
}
