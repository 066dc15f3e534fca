import type { groups, Reply } from '@millrace/contract'
import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'
import { Bars } from '#src/values/bars.tsx'
import { number } from '#src/values/format.ts'

type Assessment = Reply<(typeof groups)['dx']['assess']>

/** The score with its dimensions, and what to do next. */
export function Result({ assessment: { score, levelLabel, dimensions, nextSteps, createdAt } }: { readonly assessment: Assessment }) {
  const r = m.readiness
  return (
    <div className="cards2">
      <section className="panel acard">
        <p className="row">
          <b className="score num">{number(score)}</b>
          <span className="i3">/ 100</span>
          <Badge tone="race">{levelLabel}</Badge>
          <span className="sp" />
          <span className="t12 i3">
            <Time at={createdAt} kind="ago" />
          </span>
        </p>
        <Bars rows={dimensions.flatMap(({ title, score: one }) => (one === null ? [] : [[title, one] as const]))} />
      </section>
      <section className="panel acard">
        <h2 className="t14 bb">{r.nextSteps}</h2>
        <ol className="steps">
          {nextSteps.map(({ question, title, gain, templates }) => (
            <li key={question}>
              <p className="row">
                <span className="grow">{title}</span>
                <Badge tone="ok">{r.gain(gain)}</Badge>
              </p>
              {templates.map((template) => (
                <p key={template.id} className="t13">
                  <Link to={`/templates/${template.id}`}>{template.title}</Link>
                </p>
              ))}
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

interface TrendProps {
  readonly points: readonly { readonly at: string; readonly score: number }[]
  readonly change: number
}

/** The scores of the latest assessments. */
export function Trend({ points, change }: TrendProps) {
  const r = m.readiness
  return (
    <section className="panel acard">
      <h2 className="t14 bb">{r.trend(change)}</h2>
      <ul className="mini-l">
        {points.toReversed().map(({ at, score }) => (
          <li key={at}>
            <span className="trunc">
              <Time at={at} />
            </span>
            <b className="num">{number(score)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}
