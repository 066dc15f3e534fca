import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { type LimitRow as Row, type ModelLimits, rowsOf } from '#src/pages/models/limit-rows.ts'
import { LimitsForm } from '#src/pages/models/limits-form.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

const percentMax = 100

/** What models may cost and use, how much of it is used, and the form that changes it. */
export function SpendingLimits() {
  const l = m.modelLimits
  const { open, sheet } = useSheet()
  const queries = useQueryClient()
  const mayChange = useMay('models:write')
  const limits = useQuery({ queryKey: ['model-limits'], queryFn: () => api.modelLimits.get() })
  if (limits.data === undefined) return null
  const { month, day, warnPercent, unpriced } = limits.data
  const rows = rowsOf(limits.data)
  const saved = (now: ModelLimits, close: () => void) => {
    queries.setQueryData(['model-limits'], now)
    toast(m.common.saved)
    close()
  }
  const change = () => open(l.title, (close) => <LimitsForm now={limits.data} done={(now) => saved(now, close)} />)
  const isCostLimited = month.cost !== null || day.cost !== null
  return (
    <section className="panel acard spending" aria-label={l.title}>
      <header className="row wrap">
        <h2 className="t14 bb">{l.title}</h2>
        <span className="sp" />
        {mayChange && <Button onClick={change}>{rows.length === 0 ? l.set : l.change}</Button>}
      </header>
      {rows.length === 0 ? (
        <p className="t13 i2">{l.none}</p>
      ) : (
        <>
          {rows.map((row) => (
            <LimitRow key={row.label} row={row} warnPercent={warnPercent} />
          ))}
          <p className="t12 i3">{l.warns(warnPercent)}</p>
        </>
      )}
      {isCostLimited && unpriced.length > 0 && (
        <p className="t13 c-wait">
          {l.unpriced} <bdi className="mono">{unpriced.join(', ')}</bdi>. {l.unpricedHelp}{' '}
          <Link to="/settings/models">{m.ownModels.nav}</Link>
        </p>
      )}
      {sheet}
    </section>
  )
}

function LimitRow({ row, warnPercent }: { readonly row: Row; readonly warnPercent: number }) {
  const l = m.modelLimits
  const { label, used, limit, forecast, resetsAt, text } = row
  const percent = (used * percentMax) / limit
  const isOver = percent >= percentMax
  return (
    <div>
      <p className="row between wrap t13">
        <span>{label}</span>
        <span className="num i2">
          {isOver && <b className="c-bad">{`${l.reached} `}</b>}
          <bdi>{l.of(text(used), text(limit))}</bdi>
        </span>
      </p>
      <progress
        className={isOver ? 'meter over' : percent >= warnPercent ? 'meter near' : 'meter'}
        max={percentMax}
        value={Math.min(percentMax, percent)}
        aria-label={label}
      />
      <p className="row between wrap t12 i3">
        <span>
          {l.resets} <Time at={resetsAt} kind="ago" />
        </span>
        {forecast !== undefined && !isOver && (
          <span className={forecast > limit ? 'num c-wait' : 'num'}>
            {l.forecast} <bdi>{text(forecast)}</bdi>
          </span>
        )}
      </p>
    </div>
  )
}
