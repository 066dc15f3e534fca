import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { minorUnits } from '#src/pages/operate/amounts.ts'
import { toast } from '#src/ui/toast.tsx'

interface PaymentFormProps {
  readonly plans: readonly (readonly [string, string])[]
  readonly done: () => void
}

/** Gives an account a plan that was paid outside of Millrace. */
export function PaymentForm({ plans, done }: PaymentFormProps) {
  const d = m.desk
  return (
    <DataForm
      before={<p className="i2">{d.recordText}</p>}
      initial={{ accountId: '', tier: plans[0]?.[0] ?? '', months: '12', amount: '', currency: 'EUR', country: '', reference: '' }}
      fields={[
        { name: 'accountId', label: d.account, hint: d.accountHint, required: true },
        { name: 'tier', label: d.plan, kind: 'select', options: plans },
        { name: 'months', label: d.months, kind: 'number', required: true },
        { name: 'amount', label: d.amount, placeholder: '348.00' },
        { name: 'currency', label: d.currency, required: true },
        { name: 'country', label: d.country, hint: m.billing.countryHint, placeholder: 'DE' },
        { name: 'reference', label: d.reference, hint: d.referenceHint },
      ]}
      send={async ({ accountId, tier, months, amount, currency, country, reference }) => {
        const { plan } = await api.billing.manualActivate({
          body: {
            accountId: accountId.trim(),
            tier,
            months: Number(months),
            ...(amount.trim() === '' ? {} : { price: { amount: minorUnits(amount, currency.trim()), currency: currency.trim() } }),
            ...(country.trim() === '' ? {} : { country: country.trim().toUpperCase() }),
            ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
          },
        })
        toast(d.recorded(plan.name))
        done()
      }}
      label={d.record}
    />
  )
}

/** Corrects an invoice. */
export function CreditForm({ done }: { readonly done: () => void }) {
  const d = m.desk
  return (
    <DataForm
      before={<p className="i2">{d.creditText}</p>}
      initial={{ invoiceId: '', net: '', currency: 'EUR', reason: '' }}
      fields={[
        { name: 'invoiceId', label: d.invoice, hint: d.invoiceHint, required: true },
        { name: 'net', label: d.part, hint: d.partHint },
        { name: 'currency', label: d.currency, required: true },
        { name: 'reason', label: d.reason, required: true },
      ]}
      send={async ({ invoiceId, net, currency, reason }) => {
        const note = await api.billing.creditNote({
          body: {
            invoiceId: invoiceId.trim(),
            reason: reason.trim(),
            ...(net.trim() === '' ? {} : { net: minorUnits(net, currency.trim()) }),
          },
        })
        toast(d.credited(note.number))
        done()
      }}
      label={d.credit}
    />
  )
}
