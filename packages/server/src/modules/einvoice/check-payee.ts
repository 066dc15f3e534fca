import { isValidIBAN } from 'ibantools'
import type { InvoiceSource } from './model.ts'
import type { Problem } from './profiles.ts'

/** The code of a SEPA transfer, which goes to an IBAN (UNTDID 4461). */
const sepaTransfer = '58'

/** An account number that looks like an IBAN, or has to be one, must have its length and check digits (ISO 13616): a payment to it would fail. */
export function checkPayee({ payment }: InvoiceSource): readonly Problem[] {
  const account = payment?.account?.replaceAll(/\s/g, '').toUpperCase()
  if (account === undefined || isValidIBAN(account)) return []
  const pointer = '/payment/account'
  if (/^[A-Z]{2}\d{2}/.test(account)) {
    return [{ pointer, detail: 'Is no valid IBAN: its length or check digits are wrong. Compare it with what the bank gave.' }]
  }
  if (payment?.means !== sepaTransfer) return []
  return [{ pointer, detail: 'Must be an IBAN, such as DE89 3704 0044 0532 0130 00: a SEPA transfer (58) goes to one.' }]
}
