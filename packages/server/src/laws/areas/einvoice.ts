import { einvoice } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const party = (name: string, vatId: string) => ({ name, vatId, address: { city: 'Berlin', country: 'DE' } })
const body = {
  number: '2026-1',
  currency: 'EUR',
  seller: party('Mill AG', 'DE123456789'),
  buyer: party('Haddad GmbH', 'DE987654321'),
  lines: [{ name: 'Workshop', quantity: '2', unitPrice: '450.00', vat: { rate: '19' } }],
}

export const einvoiceArea: LawArea = {
  async createResources(url, { token }) {
    return { einv: textAt((await call(url, einvoice.generate, { token, body })).body, 'id') }
  },
  async exercise({ perform, token }) {
    const id = textAt(await perform(einvoice.generate, { token, body }), 'id')
    await perform(einvoice.list, { token })
    await perform(einvoice.get, { token, params: { id } })
    await perform(einvoice.pdf, { token, params: { id } })
    await perform(einvoice.sign, { token, body: { id } })
    await perform(einvoice.generateUnprefixed, { token, body })
    await perform(einvoice.signUnprefixed, { token, body: { id } })
  },
}
