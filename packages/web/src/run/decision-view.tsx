import { useQuery, useQueryClient } from '@tanstack/react-query'
import { boot } from '#src/boot.ts'
import type { ConditionRead } from '#src/rehearse/condition-reads.ts'
import type { Condition, Decision, Leads } from '#src/rehearse/decisions.ts'
import { askDecisions } from '#src/run/ask-decisions.ts'
import { readRecord } from '#src/run/read-record.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { wordsOf } from '#src/ui/problem.tsx'

// Only steps that decide something read them: the texts of all pages load with every page.
const { decisions: w } = await (boot.locale === 'ar' ? import('#src/messages/ar/decisions.ts') : import('#src/messages/en/decisions.ts'))

interface DecisionViewProps {
  readonly run: string
  /** Whether the record of the run changes no more. */
  readonly isOver: boolean
  /** Of the tasks that decided. */
  readonly positions: readonly string[]
  readonly state: string
}

/** The record of a run that is under way is read again after this time. */
const freshMs = 5_000

/** Why a step went where it went: its conditions with what they gave and read, computed on this device from the record of the run. */
export function DecisionView({ run, isOver, positions, state }: DecisionViewProps) {
  const queries = useQueryClient()
  const found = useQuery({
    queryKey: ['run.decisions', run, isOver, positions, state],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const record = await queries.fetchQuery({
        queryKey: ['run.record', run, isOver],
        queryFn: () => readRecord(run),
        staleTime: isOver ? Number.POSITIVE_INFINITY : freshMs,
      })
      return (await askDecisions(record, positions)) ?? null
    },
  })
  if (found.isPending) return <p className="i3">{w.reading}</p>
  if (found.isError) return <p className="i2">{wordsOf(found.error).detail}</p>
  if (found.data === null) return <p className="i2">{w.long}</p>
  const { decisions, unsure } = found.data
  if (decisions.length === 0) return <p className="i3">{unsure === undefined ? w.none : w.unsure[unsure]}</p>
  return (
    <div className="decisions">
      {unsure !== undefined && <p className="c-wait t13">{w.unsure[unsure]}</p>}
      {decisions.map((decision, number) => (
        <section key={number}>
          <p className="b">{summaryOf(decision)}</p>
          <ol aria-label={w.conditions}>
            {decision.conditions.map((condition, index) => (
              <ConditionItem
                key={index}
                condition={condition}
                taken={decision.leads !== undefined && condition.name !== undefined && condition.name === decision.taken}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

/** What came of the conditions, in a sentence. */
function summaryOf({ of, conditions, taken, leads, rounds = 0 }: Decision): string {
  const gave = conditions.at(-1)?.gave
  const isKnown = conditions.every((one) => one.gave !== 'unknown')
  if (of === 'switch') {
    if (leads === undefined) return isKnown ? w.noneTaken : ''
    return `${taken === undefined ? w.noCase : w.taken(taken)} ${leadsWords(leads)}`
  }
  if (!isKnown) return ''
  if (of === 'if') {
    if (gave === 'error') return w.failed
    return leads === undefined ? w.notSkipped : `${w.skipped} ${leadsWords(leads)}`
  }
  if (gave === 'error') return `${w.rounds(rounds)} ${w.failed}`
  return `${w.rounds(rounds)} ${gave === 'true' ? w.lastRound : w.stopped(rounds + 1)}`
}

function leadsWords(leads: Leads): string {
  if (leads.to === 'task') return w.leads.task(leads.name)
  if (leads.to === 'next') return leads.name === undefined ? w.leads.last : w.leads.next(leads.name)
  return w.leads[leads.to]
}

const tones: Readonly<Record<Condition['gave'], Tone>> = {
  true: 'ok',
  false: 'off',
  null: 'off',
  error: 'bad',
  unexamined: 'line',
  unknown: 'wait',
}

function ConditionItem({ condition, taken }: { readonly condition: Condition; readonly taken: boolean }) {
  const { name, source, gave, detail, value: other, reads, because, orders } = condition
  const missing = reads.flatMap(({ value }) => (value.kind === 'missing' ? [value.at] : []))
  const isNull = missing.length > 0 || reads.some(({ value }) => value.kind === 'value' && value.text === 'null')
  return (
    <li className={gave === 'unexamined' && !taken ? 'i3' : ''}>
      <div className="row wrap">
        {name !== undefined && <bdi className="mono b">{name}</bdi>}
        {(source !== undefined || gave !== 'unexamined') && <Badge tone={tones[gave]}>{w.gave[gave]}</Badge>}
        {source === undefined && <span className="t13">{w.otherwise}</span>}
        {taken && <Badge tone="race">{w.isTaken}</Badge>}
      </div>
      {source !== undefined && (
        <code className="mono prewrap" dir="ltr">
          {source}
        </code>
      )}
      {detail !== undefined && <p className="c-bad t13 prewrap">{detail}</p>}
      {other !== undefined && <p className="c-bad t13 prewrap">{w.notBoolean(other)}</p>}
      {reads.length > 0 && because === undefined && (
        <ul>
          {reads.map((read) => (
            <ReadItem key={read.path} read={read} />
          ))}
        </ul>
      )}
      {because !== undefined && <p className="c-wait t13">{w.because(because, gave === 'true')}</p>}
      {isNull && orders && <p className="c-wait t13">{w.order}</p>}
    </li>
  )
}

function ReadItem({ read: { path, value } }: { readonly read: ConditionRead }) {
  if (value.kind === 'value')
    return (
      <li>
        <code className="mono prewrap" dir="ltr">
          <span className="i2">{path} =</span> {value.text}
        </code>
      </li>
    )
  if (value.kind === 'missing') return <li className="c-wait t13">{w.missing(value.at)}</li>
  return (
    <li className="t13">
      <code className="mono i2" dir="ltr">
        {path}
      </code>{' '}
      {w[value.kind]}
    </li>
  )
}
