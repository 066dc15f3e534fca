import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Field, type FieldSpec } from '#src/forms/field.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { emptyLine, InvoiceLines, type LineDraft } from '#src/pages/einvoice/invoice-lines.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

type Einvoice = Reply<(typeof groups)['einvoice']['generate']>

const profiles = ['en16931', 'zatca-standard', 'zatca-simplified'] as const
const kinds = ['invoice', 'credit_note'] as const
const parts = ['Name', 'Street', 'Postcode', 'City', 'Country', 'VatId'] as const
const sides = ['seller', 'buyer'] as const

type Side = (typeof sides)[number]
type PartyValues = Readonly<Record<`${Side}${(typeof parts)[number]}`, string>>

const noParties: PartyValues = {
  sellerName: '',
  sellerVatId: '',
  sellerStreet: '',
  sellerPostcode: '',
  sellerCity: '',
  sellerCountry: 'DE',
  buyerName: '',
  buyerVatId: '',
  buyerStreet: '',
  buyerPostcode: '',
  buyerCity: '',
  buyerCountry: 'DE',
}

const first: { readonly profile: (typeof profiles)[number]; readonly kind: (typeof kinds)[number] } = {
  profile: 'en16931',
  kind: 'invoice',
}
const empty = { ...first, number: '', precedes: '', currency: 'EUR', dueDate: '', account: '', ...noParties }

/** The members of an invoice that most need; the operation takes more. */
export function InvoiceForm({ done }: { readonly done: (invoice: Einvoice) => void }) {
  const e = m.einvoice
  const [lines, setLines] = useState<readonly LineDraft[]>([emptyLine])
  const { values, errors, problem, busy, set, submit } = useForm(empty, async (given) =>
    done(await api.einvoice.generate({ body: bodyOf(given, lines) })),
  )
  const byName: Readonly<Record<string, unknown>> = values
  const fields = (specs: readonly FieldSpec[]) => (
    <div className="field-grid">
      {specs.map((spec) => (
        <Field
          key={spec.name}
          spec={spec}
          value={byName[spec.name]}
          error={errors[spec.name]}
          onChange={(value) => set(spec.name, value)}
        />
      ))}
    </div>
  )
  return (
    <form className="form invoice-form" onSubmit={submit}>
      <section className="panel acard" aria-label={m.billing.kinds[values.kind]}>
        {fields(documentFields(values.kind))}
      </section>
      <div className="cards2">
        {sides.map((side) => (
          <section key={side} className="panel acard" aria-label={e.sides[side]}>
            <h2 className="t16 bb">{e.sides[side]}</h2>
            {fields(parts.map((part) => partyField(side, part)))}
          </section>
        ))}
      </div>
      <section className="panel acard" aria-label={e.lines}>
        <h2 className="t16 bb">{e.lines}</h2>
        <InvoiceLines lines={lines} onChange={setLines} />
      </section>
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={busy}>
          {e.generate}
        </Button>
      </div>
    </form>
  )
}

function documentFields(kind: (typeof kinds)[number]): readonly FieldSpec[] {
  const e = m.einvoice
  return [
    { name: 'number', label: e.number, required: true, hint: e.numberHint },
    { name: 'kind', label: e.kind, kind: 'select', options: kinds.map((one) => [one, m.billing.kinds[one]] as const) },
    ...(kind === 'credit_note' ? [{ name: 'precedes', label: e.corrects, required: true }] : []),
    { name: 'profile', label: e.profile, kind: 'select', options: profiles.map((one) => [one, e.profiles[one]] as const) },
    { name: 'currency', label: e.currency, required: true },
    { name: 'dueDate', label: e.dueDate, placeholder: '2026-12-31' },
    { name: 'account', label: e.account, hint: e.accountHint },
  ]
}

function bodyOf({ number, kind, profile, currency, dueDate, account, precedes, ...values }: typeof empty, lines: readonly LineDraft[]) {
  return {
    number,
    kind,
    profile,
    currency: currency.trim().toUpperCase(),
    ...(dueDate.trim() === '' ? {} : { dueDate: dueDate.trim() }),
    ...(kind === 'credit_note' ? { precedingInvoice: { number: precedes } } : {}),
    ...(account.trim() === '' ? {} : { payment: { account: account.trim() } }),
    seller: partyOf('seller', values),
    ...(values.buyerName.trim() === '' ? {} : { buyer: partyOf('buyer', values) }),
    lines: lines.map(lineOf),
  }
}

function partyField(side: Side, part: (typeof parts)[number]): FieldSpec {
  const required = side === 'seller' && (part === 'Name' || part === 'Country')
  return { name: `${side}${part}`, label: m.einvoice.parts[part], required }
}

function partyOf(side: Side, values: PartyValues) {
  const of = (part: (typeof parts)[number]) => values[`${side}${part}`].trim()
  return {
    name: of('Name'),
    ...(of('VatId') === '' ? {} : { vatId: of('VatId') }),
    address: {
      ...(of('Street') === '' ? {} : { street: of('Street') }),
      ...(of('Postcode') === '' ? {} : { postcode: of('Postcode') }),
      ...(of('City') === '' ? {} : { city: of('City') }),
      country: of('Country').toUpperCase(),
    },
  }
}

function lineOf({ name, quantity, unitPrice, rate }: LineDraft) {
  const isTaxed = Number(rate) > 0
  return { name, quantity, unitPrice, vat: isTaxed ? { category: 'S' as const, rate } : { category: 'Z' as const, rate: '0' } }
}
