import { m } from '#src/messages/messages.ts'
import { number } from '#src/values/format.ts'

/** Names with their counts, each with a bar as long as its share of the largest. */
export function Bars({ rows, bad = false }: { readonly rows: readonly (readonly [string, number])[]; readonly bad?: boolean }) {
  if (rows.length === 0) return <p className="t13 i3">{m.common.none}</p>
  const most = Math.max(1, ...rows.map(([, count]) => count))
  return (
    <ul className="count-bars">
      {rows.map(([name, count]) => (
        <li key={name}>
          <span className="trunc" title={name}>
            {name}
          </span>
          <meter className={bad ? 'meter bad' : 'meter'} max={most} value={count} aria-label={name} />
          <b className="num">{number(count)}</b>
        </li>
      ))}
    </ul>
  )
}
