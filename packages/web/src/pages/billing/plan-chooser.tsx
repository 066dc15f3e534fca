import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { beginCheckout } from '#src/pages/billing/checkout.ts'
import type { Subscription } from '#src/pages/billing/subscription.ts'
import { limitsOf } from '#src/pages/billing/plan-limits.ts'
import { prorationOf } from '#src/pages/billing/proration.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/toast.tsx'
import { money } from '#src/values/format.ts'

type Plan = Reply<(typeof groups)['billing']['plans']>['data'][number]

interface PlanChooserProps {
  readonly subscription: Subscription
  readonly done: () => void
}

/** The plans side by side; a chosen one asks how it is paid and when it begins. */
export function PlanChooser({ subscription, done }: PlanChooserProps) {
  const b = m.billing
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => api.billing.plans() })
  const [plan, setPlan] = useState<Plan>()
  if (plan !== undefined) return <Choice plan={plan} subscription={subscription} done={done} />
  return (
    <Loaded query={plans}>
      {({ data }) => (
        <ul className="plan-list">
          {data.map((one) => (
            <li key={one.tier} className="panel acard">
              <div className="row wrap">
                <h3 className="t16">{one.name}</h3>
                {one.tier === subscription.plan.tier && <Badge tone="race">{b.present}</Badge>}
                <span className="sp" />
                <span className="num t13">
                  {one.prices.map(({ amount, currency, interval }) => `${money(amount, currency)} / ${b.intervals[interval]}`)[0] ??
                    (one.isPublic ? b.free : b.byOperator)}
                </span>
              </div>
              <p className="t13 i2">{limitsOf(one.limits).join(' · ')}</p>
              {one.isPublic && one.tier !== subscription.plan.tier && (
                <div className="row">
                  <Button size="sm" onClick={() => setPlan(one)}>
                    {b.choose(one.name)}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

type Way = 'subscribe' | 'upgrade' | 'now' | 'period_end' | 'pspone' | 'psptwo'

function Choice({ plan, subscription, done }: PlanChooserProps & { readonly plan: Plan }) {
  const b = m.billing
  const ways = waysOf(plan, subscription)
  const prices = plan.prices.map(
    ({ currency, interval, amount }) => [`${currency} ${interval}`, `${money(amount, currency)} / ${b.intervals[interval]}`] as const,
  )
  return (
    <DataForm
      initial={{ price: prices[0]?.[0] ?? '', way: ways[0] ?? 'subscribe', country: subscription.country ?? '' }}
      before={<h3 className="t16">{plan.name}</h3>}
      fields={({ way, price }) => [
        ...(prices.length === 0 ? [] : [{ name: 'price', label: b.price, kind: 'select', options: prices } as const]),
        {
          name: 'way',
          label: b.how,
          kind: 'select',
          options: ways.map((one) => [one, b.ways[one]] as const),
          hint: hintOf(way, plan, price, subscription),
        },
        ...(way === 'pspone' || way === 'psptwo' || way === 'subscribe'
          ? [{ name: 'country', label: b.country, placeholder: 'DE', hint: b.countryHint } as const]
          : []),
      ]}
      send={async ({ price, way, country }) => {
        const [currency = 'EUR', interval = 'month'] = price.split(' ')
        const chosen = { tier: plan.tier, interval: interval === 'year' ? ('year' as const) : ('month' as const) }
        const buyer = { currency, ...(country.trim() === '' ? {} : { country: country.trim().toUpperCase() }) }
        if (way === 'pspone' || way === 'psptwo') return beginCheckout(way, { ...chosen, ...buyer })
        if (way === 'subscribe') await api.billing.subscribe({ body: { ...chosen, ...buyer } })
        else if (way === 'upgrade') await api.billing.upgrade({ body: chosen })
        else await api.billing.changeTier({ body: { ...chosen, when: way } })
        toast(b.changed(plan.name))
        done()
      }}
      label={b.confirm}
    />
  )
}

/** What is possible: without a subscription a trial, a free plan or a checkout; with one a change. */
function waysOf(plan: Plan, { id, plan: present, hasPaymentMethod, state }: Subscription): readonly Way[] {
  const isRunning = id !== null && ['active', 'trialing', 'past_due', 'cancelling'].includes(state)
  const pays: readonly Way[] = plan.prices.length === 0 ? [] : ['pspone', 'psptwo']
  if (!isRunning) return plan.prices.length === 0 || plan.trialDays > 0 || hasPaymentMethod ? ['subscribe', ...pays] : pays
  if (!hasPaymentMethod && state !== 'trialing') return [...pays, 'period_end']
  return plan.rank > present.rank ? ['upgrade', 'period_end', ...pays] : ['period_end', 'now']
}

/** What a way costs now, as far as it is known before. */
function hintOf(way: string, plan: Plan, price: string, subscription: Subscription): string {
  const b = m.billing
  if (way === 'subscribe') return plan.prices.length === 0 ? b.freeHint : b.trialHint(plan.trialDays)
  if (way === 'period_end') return b.laterHint
  if (way === 'pspone' || way === 'psptwo') return b.checkoutHint
  const next = plan.prices.find(({ currency, interval }) => `${currency} ${interval}` === price)
  const due = next === undefined ? undefined : prorationOf(next, subscription, Date.now())
  return due === undefined || next === undefined ? b.nowHint : b.about(money(Math.abs(due), next.currency), due >= 0)
}
