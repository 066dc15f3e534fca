import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { begunCheckout } from '#src/pages/billing/checkout.ts'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { money } from '#src/values/format.ts'

const pollMs = 2000

/** The state of the checkout that this tab has begun; it asks until the provider has decided. */
export function CheckoutStrip() {
  const b = m.billing
  const queries = useQueryClient()
  const [id, setId] = useState(begunCheckout.id)
  const query = useQuery({
    queryKey: ['checkout', id],
    enabled: id !== null,
    queryFn: () => api.billing.checkout({ params: { intentId: id ?? '' } }),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? pollMs : false),
  })
  const state = query.data?.state
  useEffect(() => {
    if (state === undefined || state === 'open') return
    for (const key of ['subscription', 'usage', 'invoices']) void queries.invalidateQueries({ queryKey: [key] })
  }, [state, queries])
  if (id === null || query.data === undefined) return null
  const { amount, currency, url, failure } = query.data
  const forget = () => {
    begunCheckout.forget()
    setId(null)
  }
  return (
    <section className={state === 'succeeded' ? 'verdict ok' : state === 'open' ? 'verdict' : 'verdict bad'} role="status">
      <Icon name={state === 'succeeded' ? 'check' : state === 'open' ? 'clock' : 'warn'} />
      <div className="grow">
        <p className="b">{b.checkouts[query.data.state]}</p>
        <p className="t13 i2">
          {money(amount, currency)} {failure ?? ''}
        </p>
      </div>
      {state === 'open' && url !== null && (
        <a className="btn primary" href={url}>
          {b.toProvider}
        </a>
      )}
      <Button look="quiet" onClick={forget}>
        {m.common.close}
      </Button>
    </section>
  )
}
