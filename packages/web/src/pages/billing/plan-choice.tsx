import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { beginCheckout } from '#src/pages/billing/checkout.ts'
import { LimitsChange } from '#src/pages/billing/limits-change.tsx'
import { prorationOf } from '#src/pages/billing/proration.ts'
import { hasPlan, type Plan, type Plans, type Subscription } from '#src/pages/billing/subscription.ts'
import { toast } from '#src/ui/toast.tsx'
import { day, money } from '#src/values/format.ts'

type Way = 'subscribe' | 'upgrade' | 'now' | 'period_end' | 'pspone' | 'psptwo'

interface PlanChoiceProps {
  readonly plan: Plan
  /** The plan that the account has now. */
  readonly present: Plan
  readonly subscription: Subscription
  readonly providers: Plans['providers']
  readonly done: () => Promise<unknown>
}

/** How a plan is paid, when it begins, and which limits it changes. */
export function PlanChoice({ plan, present, subscription, providers, done }: PlanChoiceProps) {
  const b = m.billing
  const ways = waysOf(plan, subscription, providers)
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
        ...(asksCountry(way, plan)
          ? [{ name: 'country', label: b.country, placeholder: 'DE', hint: b.countryHint, required: true } as const]
          : []),
      ]}
      below={({ way }) => <LimitsChange from={present.limits} to={plan.limits} when={whenOf(way, subscription)} />}
      send={async ({ price, way, country: typed }) => {
        const country = typed.trim().toUpperCase()
        if (asksCountry(way, plan) && !/^[A-Z]{2}$/.test(country)) throw new FieldProblems({ country: b.countryHint })
        const [currency = 'EUR', interval = 'month'] = price.split(' ')
        const chosen = { tier: plan.tier, interval: interval === 'year' ? ('year' as const) : ('month' as const) }
        const buyer = { currency, ...(country === '' ? {} : { country }) }
        if (way === 'pspone' || way === 'psptwo') return beginCheckout(way, { ...chosen, ...buyer })
        if (way === 'subscribe') await api.billing.subscribe({ body: { ...chosen, ...buyer } })
        else if (way === 'upgrade') await api.billing.upgrade({ body: chosen })
        else await api.billing.changeTier({ body: { ...chosen, when: way } })
        toast(b.changed(plan.name))
        await done()
      }}
      label={b.confirm}
    />
  )
}

/** The country decides the tax of what is paid. */
function asksCountry(way: Way, { prices }: Plan): boolean {
  return way === 'pspone' || way === 'psptwo' || (way === 'subscribe' && prices.length > 0)
}

/** What is possible: without a subscription a trial, a free plan or a checkout; with one a change. */
function waysOf(plan: Plan, subscription: Subscription, providers: Plans['providers']): readonly Way[] {
  const { id, plan: present, hasPaymentMethod, state } = subscription
  const isRunning = id !== null && hasPlan(subscription)
  const pays: readonly Way[] = plan.prices.length === 0 ? [] : providers
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

/** When the limits of a plan apply. */
function whenOf(way: Way, { currentPeriodEnd }: Subscription): string {
  const b = m.billing
  if (way === 'pspone' || way === 'psptwo') return b.fromPayment
  return way === 'period_end' && currentPeriodEnd !== null ? b.fromDay(day(currentPeriodEnd)) : b.fromNow
}
