import { escapePointer } from '#platform/json-pointer.ts'
import { type Finding, scanText } from './scan-text.ts'

const credentialKey =
  /^(?:x-)?(?:pass(?:word|wd|phrase)?|secret|(?:client|api)[-_]?secret|(?:access|refresh|auth|api|bearer)?[-_]?token|(?:api|private|access|secret)[-_]?key|authorization|cookie)$/i

/** What the texts of a JSON value contain, keys included: members with the name of a credential and a plain text count as well. */
export function scanJson(value: unknown, pointer = ''): readonly Finding[] {
  if (typeof value === 'string') return scanText(value, pointer)
  if (Array.isArray(value)) return value.flatMap((entry, index) => scanJson(entry, `${pointer}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const at = `${pointer}/${escapePointer(key)}`
    const plain = credentialKey.test(key) && typeof member === 'string' && member.trim() !== '' && !member.trim().startsWith('${')
    const own: readonly Finding[] = plain ? [{ kind: 'secret', what: 'a credential as plain text', pointer: at, line: 1 }] : []
    return [...own, ...scanText(key, at), ...(plain ? [] : scanJson(member, at))]
  })
}

/** The finding as a sentence. */
export function sentenceOf({ what, line }: Finding): string {
  return line > 1 ? `Line ${line} looks like it contains ${what}.` : `Looks like it contains ${what}.`
}
