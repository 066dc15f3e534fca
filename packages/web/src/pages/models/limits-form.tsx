import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import type { ModelLimits } from '#src/pages/models/limit-rows.ts'

interface LimitsFormProps {
  readonly now: ModelLimits
  readonly done: (now: ModelLimits) => void
}

const warnPercentDefault = 80

/** Limits what models may cost and use. An empty field is no limit. */
export function LimitsForm({ now, done }: LimitsFormProps) {
  const l = m.modelLimits
  const { month, day, warnPercent, currency, unpriced } = now
  const inCurrency = (label: string) => (currency === null ? label : `${label} (${currency})`)
  const currencyHint = currency === null ? { hint: <CurrencyHint /> } : {}
  return (
    <DataForm
      initial={{
        monthCost: textOf(month.cost),
        monthTokens: textOf(month.tokens),
        warnPercent: String(warnPercent),
        dayCost: textOf(day.cost),
        dayTokens: textOf(day.tokens),
      }}
      before={
        <>
          <p className="t13 i2">{l.lede}</p>
          {unpriced.length > 0 && (
            <p className="t13 c-wait">
              {l.unpriced} <bdi className="mono">{unpriced.join(', ')}</bdi>. {l.unpricedHelp}
            </p>
          )}
        </>
      }
      fields={[
        { name: 'monthCost', label: inCurrency(l.monthCost), kind: 'number', autoFocus: true, ...currencyHint },
        { name: 'monthTokens', label: l.monthTokens, kind: 'number', hint: l.tokensHint },
        { name: 'warnPercent', label: l.warnPercent, kind: 'number', required: true },
        { name: 'dayCost', label: inCurrency(l.dayCost), kind: 'number', advanced: true },
        { name: 'dayTokens', label: l.dayTokens, kind: 'number', advanced: true },
      ]}
      send={async (values) =>
        done(
          await api.modelLimits.update({
            body: {
              month: { cost: amountOf(values.monthCost), tokens: amountOf(values.monthTokens) },
              day: { cost: amountOf(values.dayCost), tokens: amountOf(values.dayTokens) },
              warnPercent: amountOf(values.warnPercent) ?? warnPercentDefault,
            },
          }),
        )
      }
      label={m.common.save}
    />
  )
}

function CurrencyHint() {
  return (
    <>
      {`${m.ownModels.currency}:`} <Link to="/settings/models">{m.ownModels.nav}</Link>
    </>
  )
}

const textOf = (amount: number | null) => (amount === null ? '' : String(amount))
const amountOf = (text: string) => (text.trim() === '' ? null : Number(text))
