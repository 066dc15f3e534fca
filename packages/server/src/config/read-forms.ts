import { parseMailbox } from '#platform/mail/mailbox.ts'
import { integer } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'

/** Settings of the public forms. */
export interface FormSettings {
  /** Where requests go; `undefined` to keep them in the list only. */
  readonly salesAddress: string | undefined
  /** Zero bits of the proof of work; 0 asks for none. */
  readonly proofBits: number
}

/** About 16,000 digests: some 50 ms in a browser. */
const proofBitsDefault = 14

export function readForms(reader: Reader): FormSettings {
  return {
    salesAddress: reader.optional('MILLRACE_SALES_MAIL', address),
    proofBits: reader.read('MILLRACE_FORM_PROOF_BITS', integer(0, 24), proofBitsDefault),
  }
}

function address(text: string): string {
  const mailbox = parseMailbox(text)
  if (mailbox !== undefined) return mailbox.address
  throw new Mistake(`${JSON.stringify(text)} is not a mail address. Write for example sales@example.com.`)
}
