import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { words } from '#src/pages/trust/audit-sentence.tsx'
import { Tiles } from '#src/patterns/tiles.tsx'
import { stateWord } from '#src/ui/badge.tsx'
import { Bars } from '#src/values/bars.tsx'
import { day, number, percent } from '#src/values/format.ts'

type Figures = Reply<(typeof groups)['archivist']['analytics']>

/** How much of a period is in the audit log, and what did not go as planned. */
export function Coverage({ data }: { readonly data: Figures }) {
  const e = m.evidence
  const { coverage, verification } = data
  const outcomes: Readonly<Record<string, string>> = m.privacy.outcomes
  const counted: Readonly<Record<string, string>> = words.counted
  const share = (part: number, whole: number) => percent(whole === 0 ? 1 : part / whole)
  const tiles = [
    [e.logged, share(coverage.logged, coverage.events), e.ofEvents(number(coverage.logged), number(coverage.events))],
    [
      e.digests,
      share(coverage.executionsWithDigests, coverage.executions),
      e.ofRuns(number(coverage.executionsWithDigests), number(coverage.executions)),
    ],
    [e.log, verification.verified ? e.intact : e.findings(verification.findings), e.days(verification.days, number(verification.leaves))],
  ] as const
  return (
    <>
      <p className="t13 i2">{`${day(data.from)} – ${day(data.to)}`}</p>
      <Tiles tiles={tiles} />
      <div className="cards3 in-pairs">
        <Counts title={e.runs} empty={e.noRuns} rows={data.executions.map(({ name, count }) => [stateWord(name), count] as const)} />
        <Counts
          title={e.approvals}
          empty={e.noApprovals}
          rows={data.approvals.map(({ name, count }) => [counted[name] ?? name, count] as const)}
        />
        <Counts
          title={e.redactions}
          rows={data.redactions.map(({ name, count }) => [outcomes[name] ?? name, count] as const)}
          empty={e.noDecisions}
        />
        <Counts
          title={e.exceptions}
          empty={e.noExceptions}
          rows={data.exceptions.map(({ name, count }) => [counted[name] ?? stateWord(name), count] as const)}
          bad
        />
      </div>
    </>
  )
}

interface CountsProps {
  readonly title: string
  readonly rows: readonly (readonly [string, number])[]
  readonly bad?: boolean
  /** In place of rows. */
  readonly empty: string
}

function Counts({ title, rows, bad = false, empty }: CountsProps) {
  return (
    <section className="panel acard">
      <h2 className="t14 bb">{title}</h2>
      {rows.length === 0 ? <p className="t13 i2">{empty}</p> : <Bars rows={rows} bad={bad} />}
    </section>
  )
}
