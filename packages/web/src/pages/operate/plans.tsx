import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { limitsOf } from '#src/pages/billing/plan-limits.ts'
import { CreditForm, PaymentForm } from '#src/pages/operate/payment-forms.tsx'
import { type Plan, PlanForm } from '#src/pages/operate/plan-form.tsx'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { money } from '#src/values/format.ts'

/** Plans of the installation, and what operators do with payments. */
export function Page() {
  const d = m.desk
  const queries = useQueryClient()
  const { open, sheet } = useSheet()
  const query = useQuery({ queryKey: ['plans'], queryFn: () => api.billing.plans() })
  const edit = (plan?: Plan) =>
    open(plan === undefined ? d.newPlan : d.editPlan(plan.name), (close) => (
      <PlanForm plan={plan} done={() => queries.invalidateQueries({ queryKey: ['plans'] }).then(close)} />
    ))
  const plansOf = (plans: readonly Plan[]) => plans.map(({ tier, name }) => [tier, name] as const)
  const plans = query.data?.data ?? []
  return (
    <Shell
      title={d.title}
      lede={d.lede}
      wide
      actions={
        <>
          <Button onClick={() => open(d.credit, (close) => <CreditForm done={close} />)}>{d.credit}</Button>
          <Button onClick={() => open(d.record, (close) => <PaymentForm plans={plansOf(plans)} done={close} />)}>{d.record}</Button>
          <Button look="primary" icon="plus" onClick={() => edit()}>
            {d.newPlan}
          </Button>
        </>
      }
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={d.emptyTitle} text={d.emptyText} />
          ) : (
            <Rows
              rows={data}
              spec={{
                title: d.title,
                id: ({ tier }) => tier,
                columns: [
                  {
                    head: d.plan,
                    phone: 'main',
                    cell: (plan) => (
                      <span className="row">
                        <button type="button" className="link b" onClick={() => edit(plan)}>
                          {plan.name}
                        </button>
                        <bdi className="mono i3">{plan.tier}</bdi>
                      </span>
                    ),
                  },
                  {
                    head: d.prices,
                    phone: 'below',
                    cell: ({ prices }) => <span className="num">{prices.length === 0 ? d.free : pricesIn(prices)}</span>,
                  },
                  { head: d.limits, cell: ({ limits }) => <span className="i2 plan-limits">{limitsOf(limits).join(' · ')}</span> },
                  {
                    head: d.trial,
                    end: true,
                    cell: ({ trialDays }) => <span className="num i2">{trialDays === 0 ? '–' : d.days(trialDays)}</span>,
                  },
                  {
                    head: d.who,
                    phone: 'side',
                    cell: ({ isPublic }) => <Badge tone={isPublic ? 'ok' : 'line'}>{isPublic ? d.offered : d.hidden}</Badge>,
                  },
                ],
              }}
            />
          )
        }
      </Loaded>
      {sheet}
    </Shell>
  )
}

/** The prices in the first currency, and how many there are in others. */
function pricesIn(prices: Plan['prices']): string {
  const shown = prices.filter(({ currency }) => currency === prices[0]?.currency)
  const words = shown.map(({ amount, currency, interval }) => `${money(amount, currency)} / ${m.billing.intervals[interval]}`)
  return [...words, ...(prices.length > shown.length ? [`+${prices.length - shown.length}`] : [])].join(' · ')
}
