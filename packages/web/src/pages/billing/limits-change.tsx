import { m } from '#src/messages/messages.ts'
import { limitWord, type Limits, mostOf } from '#src/pages/billing/plan-limits.ts'

interface LimitsChangeProps {
  readonly from: Limits
  readonly to: Limits
  /** When the limits change, as the beginning of a sentence. */
  readonly when: string
}

/** The limits that a change of the plan gives and takes. */
export function LimitsChange({ from, to, when }: LimitsChangeProps) {
  const b = m.billing
  const words: Readonly<Record<string, string>> = m.plan.meters
  const meters = Object.keys(words).filter((meter) => mostOf(from, meter) !== mostOf(to, meter))
  if (meters.length === 0) return <p className="t13 i2">{b.sameLimits}</p>
  return (
    <table className="sums">
      <caption className="t13 start-a">{when}</caption>
      <tbody>
        {meters.map((meter) => (
          <tr key={meter}>
            <th scope="row">{words[meter]}</th>
            <td className="end-a">{b.becomes(limitWord(from, meter), limitWord(to, meter))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
