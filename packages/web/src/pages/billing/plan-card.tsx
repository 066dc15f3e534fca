import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { hasPlan, type Subscription } from '#src/pages/billing/subscription.ts'
import { PlanChooser } from '#src/pages/billing/plan-chooser.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/toast.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { day, money } from '#src/values/format.ts'

/** The present plan with its price, its state and what can be done with it. */
export function PlanCard() {
  const query = useQuery({ queryKey: ['subscription'], queryFn: () => api.billing.subscription() })
  return <Loaded query={query}>{(subscription) => <Card subscription={subscription} />}</Loaded>
}

function Card({ subscription }: { readonly subscription: Subscription }) {
  const b = m.billing
  const { plan, price, interval, state, pendingChange, credits, trialEnd } = subscription
  const facts = factsOf(subscription)
  const isOver = !hasPlan(subscription)
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => api.billing.plans(), enabled: isOver })
  if (isOver)
    return (
      <section className="panel acard">
        <h2 className="t20">{plans.data?.default.name ?? subscription.effectiveTier}</h2>
        <p className="t13 i2">{b.over(plan.name, b.states[state])}</p>
        <Actions subscription={subscription} />
      </section>
    )
  return (
    <section className="panel acard">
      <header className="row wrap">
        <h2 className="t20">{plan.name}</h2>
        <Badge tone={state === 'active' || state === 'trialing' ? 'race' : 'wait'}>{b.states[state]}</Badge>
        <span className="sp" />
        {price !== null && interval !== null && (
          <b className="num">{`${money(price.amount, price.currency)} / ${b.intervals[interval]}`}</b>
        )}
      </header>
      {trialEnd !== null && state === 'trialing' && <p className="t13">{b.trialUntil(day(trialEnd))}</p>}
      {pendingChange !== null && <p className="t13">{b.pending(pendingChange.tier)}</p>}
      {credits.map(({ amount, currency }) => (
        <p key={currency} className="t13">
          {b.credit(money(amount, currency))}
        </p>
      ))}
      {facts.length > 0 && <p className="t13 i2">{facts.join(' · ')}</p>}
      <Actions subscription={subscription} />
    </section>
  )
}

function factsOf({ currentPeriodEnd, state, collection, hasPaymentMethod }: Subscription): readonly string[] {
  const b = m.billing
  return [
    ...(currentPeriodEnd === null ? [] : [state === 'cancelling' ? b.endsOn(day(currentPeriodEnd)) : b.until(day(currentPeriodEnd))]),
    ...(collection === 'manual' ? [b.manual] : []),
    ...(collection === 'automatic' ? [hasPaymentMethod ? b.methodOnFile : b.noMethod] : []),
  ]
}

function Actions({ subscription }: { readonly subscription: Subscription }) {
  const b = m.billing
  const queries = useQueryClient()
  const isAdmin = useIsAdmin()
  const { open, confirm, sheet } = useSheet()
  if (!isAdmin) return null
  const changed = async () => {
    await Promise.all([queries.invalidateQueries({ queryKey: ['subscription'] }), queries.invalidateQueries({ queryKey: ['usage'] })])
  }
  const resume = () =>
    api.billing
      .resume()
      .then(changed)
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  const ends = ['active', 'trialing', 'past_due'].includes(subscription.state) && subscription.id !== null
  return (
    <div className="row wrap">
      <Button
        look="primary"
        onClick={() => open(b.change, (close) => <PlanChooser subscription={subscription} done={() => changed().then(close)} />)}
      >
        {b.change}
      </Button>
      {subscription.state === 'cancelling' && <Button onClick={() => void resume()}>{b.resume}</Button>}
      {ends && (
        <Button
          look="quiet"
          onClick={() => confirm(b.cancel, b.cancelText, () => api.billing.cancel({ body: { when: 'period_end' } }).then(changed))}
        >
          {b.cancel}
        </Button>
      )}
      {sheet}
    </div>
  )
}
