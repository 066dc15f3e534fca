import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { LimitsChange } from '#src/pages/billing/limits-change.tsx'
import { PlanChoice } from '#src/pages/billing/plan-choice.tsx'
import { limitsOf } from '#src/pages/billing/plan-limits.ts'
import { hasPlan, type Plan, type Plans, type Subscription } from '#src/pages/billing/subscription.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/toast.tsx'
import { money } from '#src/values/format.ts'

interface PlanChooserProps {
  readonly subscription: Subscription
  readonly done: () => Promise<unknown>
}

/** The plans side by side; a chosen one says what changes, and asks how it is paid and when it begins. */
export function PlanChooser({ subscription, done }: PlanChooserProps) {
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => api.billing.plans() })
  return <Loaded query={plans}>{(offered) => <Offered offered={offered} subscription={subscription} done={done} />}</Loaded>
}

function Offered({ offered, subscription, done }: PlanChooserProps & { readonly offered: Plans }) {
  const b = m.billing
  const [plan, setPlan] = useState<Plan>()
  const { data, default: byDefault, providers } = offered
  const present = hasPlan(subscription) ? subscription.plan : byDefault
  const returns = mayReturn(subscription) && present.tier !== byDefault.tier
  if (plan !== undefined && returns && plan.tier === byDefault.tier) return <Return from={present} to={plan} done={done} />
  if (plan !== undefined) return <PlanChoice plan={plan} present={present} subscription={subscription} providers={providers} done={done} />
  const isPayable = providers.length > 0
  const shown = data.some(({ tier }) => tier === byDefault.tier) ? data : [byDefault, ...data]
  const mayChoose = (one: Plan) =>
    one.tier !== present.tier && ((returns && one.tier === byDefault.tier) || (one.isPublic && (isPayable || one.prices.length === 0)))
  return (
    <>
      {!isPayable && <p className="t13 i2">{b.noProvider}</p>}
      <ul className="plan-list">
        {shown
          .filter((one) => mayChoose(one) || one.tier === present.tier || isPayable)
          .map((one) => (
            <li key={one.tier} className="panel acard">
              <div className="row wrap">
                <h3 className="t16">{one.name}</h3>
                {one.tier === present.tier && <Badge tone="race">{b.present}</Badge>}
                <span className="sp" />
                <span className="num t13">
                  {one.prices.map(({ amount, currency, interval }) => `${money(amount, currency)} / ${b.intervals[interval]}`)[0] ??
                    (one.tier === byDefault.tier ? b.byDefault : one.isPublic ? b.free : b.byOperator)}
                </span>
              </div>
              <p className="t13 i2">{limitsOf(one.limits).join(' · ')}</p>
              {mayChoose(one) && (
                <div className="row">
                  <Button size="sm" onClick={() => setPlan(one)}>
                    {b.choose(one.name)}
                  </Button>
                </div>
              )}
            </li>
          ))}
      </ul>
    </>
  )
}

/** Whether nothing was paid for the plan of an account, so that it may end at once. */
function mayReturn({ id, state, collection, trialEnd, currentPeriodEnd }: Subscription): boolean {
  if (id === null) return false
  if (state === 'trialing' || (state === 'cancelling' && trialEnd !== null && trialEnd === currentPeriodEnd)) return true
  return collection === 'none' && state === 'active'
}

/** Ends a plan that nothing was paid for, which gives the account the plan of the installation. */
function Return({ from, to, done }: { readonly from: Plan; readonly to: Plan; readonly done: () => Promise<unknown> }) {
  const b = m.billing
  return (
    <DataForm
      initial={{}}
      fields={[]}
      before={
        <>
          <h3 className="t16">{to.name}</h3>
          <p className="t13 i2">{b.returnHint(from.name)}</p>
          <LimitsChange from={from.limits} to={to.limits} when={b.fromNow} />
        </>
      }
      send={async () => {
        await api.billing.cancel({ body: { when: 'now' } })
        toast(b.changed(to.name))
        await done()
      }}
      label={b.confirm}
    />
  )
}
