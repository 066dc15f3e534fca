import { fileNameProblem } from '@millrace/contract'
import type { ReceiveDeps, Webhook } from '#modules/triggers/webhooks/receive-deps.ts'
import { extensionOf } from './file-field.ts'
import type { FormField } from './form-fields.ts'

const folderLetters = 16
const filenameMax = 120

/**
 * Names the files of one submission: as their senders do, unless the privacy policy would change that name in the input. The submission has a folder, so that
 * nothing is replaced. Its letters cannot be guessed, and look like no personal data.
 */
export function nameFiles(
  { copyOfInput, randomBytes }: Pick<ReceiveDeps, 'copyOfInput' | 'randomBytes'>,
  { accountId, workflowId }: Pick<Webhook, 'accountId' | 'workflowId'>,
): (field: FormField, filename: string) => Promise<string> {
  const letters = Array.from(randomBytes(folderLetters), (byte) => String.fromCharCode(97 + (byte % 26)))
  const folder = `forms/${letters.join('')}`
  const given = new Set<string>()
  return async (field, filename) => {
    const own = tidy(filename)
    const name = `${folder}/${own}`
    const isUsable = own !== '' && fileNameProblem(name) === undefined && (await copyOfInput(accountId, workflowId, name)) === name
    const last = isUsable ? own : plainName(field, filename)
    const unique = given.has(last) ? `${given.size + 1}-${last}` : last
    given.add(unique)
    return `${folder}/${unique}`
  }
}

/** The last part of a path, without what names of files cannot have. */
function tidy(filename: string): string {
  const last = filename.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^[\s.]+/, '')
    .trim()
  if (plain.length <= filenameMax) return plain
  const extension = extensionOf(plain)
  const end = extension === '' ? '' : `.${extension}`
  return `${[...plain].slice(0, filenameMax - end.length).join('')}${end}`
}

/** A name that has nothing of its sender but the extension. */
function plainName({ member: property }: Pick<FormField, 'member'>, filename: string): string {
  const extension = extensionOf(filename)
  const member = property.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, filenameMax)
  return `${member === '' ? 'file' : member}${extension === '' ? '' : `.${extension}`}`
}
