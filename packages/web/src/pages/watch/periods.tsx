import { m } from '#src/messages/messages.ts'

/** The last day, week, month or quarter. */
export function Periods({ days, onChoose }: { readonly days: string; readonly onChoose: (days: string) => void }) {
  const i = m.insights
  return (
    <div className="seg" role="group" aria-label={i.period}>
      {(['1', '7', '30', '90'] as const).map((count) => (
        <button
          key={count}
          type="button"
          className={count === days ? 'on' : ''}
          aria-pressed={count === days}
          onClick={() => onChoose(count)}
        >
          {i.periods[count]}
        </button>
      ))}
    </div>
  )
}
