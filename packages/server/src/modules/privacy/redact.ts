import { createHmac } from 'node:crypto'
import type { PersonalDataKind, redactOperators } from '@millrace/contract'
import { createSecretBox, deriveKey, type SecretBox } from '#platform/auth/secret-box.ts'
import type { Finding } from './detect/finding.ts'

export type RedactOperator = (typeof redactOperators)[number]

export interface Redaction {
  readonly operatorOf: (kind: PersonalDataKind) => RedactOperator
  /** In place of `<KIND>`. */
  readonly replacement?: string | undefined
  readonly keepLast?: number
  readonly keys?: RedactionKeys
}

export interface RedactionKeys {
  /** The same pseudonym for the same text. */
  readonly pseudonym: (text: string) => string
  readonly box: SecretBox
}

const tokenContext = 'privacy-token'
const token = /\{\{mlp1:([A-Za-z0-9_-]{38,})\}\}/g

/** Replaces each finding as its operator says. */
export function redactText(text: string, findings: readonly Finding[], redaction: Redaction): string {
  let result = ''
  let last = 0
  for (const finding of findings) {
    result += text.slice(last, finding.start) + replaced(text.slice(finding.start, finding.end), finding, redaction)
    last = finding.end
  }
  return result + text.slice(last)
}

function replaced(found: string, { kind }: Finding, { operatorOf, replacement, keepLast = 0, keys }: Redaction): string {
  const operator = operatorOf(kind)
  switch (operator) {
    case 'keep':
      return found
    case 'mask': {
      const characters = [...found]
      const masked = characters.length - Math.min(keepLast, Math.floor(characters.length / 2))
      return characters.map((character, index) => (index < masked ? '*' : character)).join('')
    }
    case 'hash':
      return `<${kind.toUpperCase()}:${keys?.pseudonym(found) ?? ''}>`
    case 'encrypt':
      return `{{mlp1:${keys?.box.seal(Buffer.from(found), tokenContext).toString('base64url') ?? ''}}}`
    case 'replace':
      return replacement ?? `<${kind.toUpperCase()}>`
  }
}

/** Opens the tokens of `encrypt`. @returns undefined when one was made under another key. */
export function restoreText(text: string, box: SecretBox): { readonly text: string; readonly restored: number } | undefined {
  let restored = 0
  let isForeign = false
  const opened = text.replaceAll(token, (whole, sealed: string) => {
    const plain = box.open(Buffer.from(sealed, 'base64url'), tokenContext)
    if (plain === undefined) isForeign = true
    else restored += 1
    return plain?.toString('utf8') ?? whole
  })
  return isForeign ? undefined : { text: opened, restored }
}

const pseudonymLength = 16

/** Keys of an account, derived from the key of the installation; with `key` (32 bytes) that one encrypts. */
export function redactionKeys(
  secretKey: Uint8Array,
  accountId: string,
  key: Buffer | undefined,
  randomBytes: (size: number) => Buffer,
): RedactionKeys {
  const hashKey = deriveKey(secretKey, `privacy-pseudonyms/${accountId}`)
  return {
    pseudonym: (text) => createHmac('sha256', hashKey).update(text).digest('hex').slice(0, pseudonymLength),
    box:
      key === undefined
        ? createSecretBox(secretKey, `privacy-tokens/${accountId}`, randomBytes)
        : createSecretBox(key, 'privacy-tokens', randomBytes),
  }
}
