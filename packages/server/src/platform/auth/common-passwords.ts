import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordLengthMin } from './password-length.ts'

let known: ReadonlySet<string> | undefined

/** True when a password, whatever its case, is one of the 18,000 most used ones that are long enough to be accepted otherwise. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(dictionary['passwords-common'].filter((entry) => entry.length >= passwordLengthMin))
  return known.has(password.toLowerCase())
}
