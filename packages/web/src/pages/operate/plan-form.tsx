import type { groups, Reply } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { majorUnits, minorUnits } from '#src/pages/operate/amounts.ts'
import { toast } from '#src/ui/toast.tsx'

export type Plan = Reply<(typeof groups)['billing']['plans']>['data'][number]

const meters = ['executions', 'tasks', 'users', 'storage_bytes', 'ai_tokens'] as const

/** Name, prices and limits of a plan. A soft limit stays as it is. */
export function PlanForm({ plan, done }: { readonly plan: Plan | undefined; readonly done: () => Promise<unknown> }) {
  const d = m.desk
  const limits = Object.fromEntries(meters.map((meter) => [meter, String(plan?.limits[meter]?.hard ?? '')]))
  return (
    <DataForm
      initial={{
        tier: plan?.tier ?? '',
        name: plan?.name ?? '',
        rank: String(plan?.rank ?? 10),
        prices: (plan?.prices ?? [])
          .map(({ amount, currency, interval }) => `${majorUnits(amount, currency)} ${currency} ${interval}`)
          .join('\n'),
        trialDays: String(plan?.trialDays ?? 0),
        isPublic: plan?.isPublic ?? true,
        ...limits,
      }}
      fields={[
        { name: 'name', label: d.name, required: true },
        ...(plan === undefined ? [{ name: 'tier', label: d.tier, hint: d.tierHint, required: true } as const] : []),
        { name: 'prices', label: d.prices, hint: d.pricesHint, kind: 'code', rows: 3 },
        { name: 'trialDays', label: d.trial, kind: 'number', required: true },
        { name: 'rank', label: d.rank, hint: d.rankHint, kind: 'number', required: true },
        ...meters.map((meter) => ({ name: meter, label: d.meters[meter], hint: d.limitHint, kind: 'number' as const })),
        { name: 'isPublic', label: d.public, kind: 'switch' },
      ]}
      send={async (values) => {
        const given: Readonly<Record<string, string | boolean | undefined>> = values
        await api.billing.updatePlan({
          params: { tier: values.tier.trim() },
          body: {
            name: values.name,
            rank: Number(values.rank),
            trialDays: Number(values.trialDays),
            isPublic: values.isPublic,
            prices: pricesOf(values.prices),
            limits: Object.fromEntries(
              meters
                .map((meter) => [meter, limitOf(`${given[meter] ?? ''}`, plan?.limits[meter]?.soft ?? null)] as const)
                .filter(([, limit]) => limit.hard !== null || limit.soft !== null),
            ),
          },
        })
        toast(d.saved)
        await done()
      }}
      label={d.save}
    />
  )
}

const limitOf = (hard: string, soft: number | null) => ({ hard: hard === '' ? null : Number(hard), soft })

function pricesOf(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [amount = '', currency = '', interval] = line.split(/\s+/)
      if (!/^[A-Z]{3}$/.test(currency) || (interval !== 'month' && interval !== 'year')) throw new Error(m.desk.priceWrong(line))
      return { amount: minorUnits(amount, currency), currency, interval: interval === 'year' ? ('year' as const) : ('month' as const) }
    })
}
