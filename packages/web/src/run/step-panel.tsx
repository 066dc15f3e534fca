import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import type { Approval } from '#src/approvals/approval.ts'
import { verdictMark, verdictWords } from '#src/approvals/approval-end.ts'
import { m } from '#src/messages/messages.ts'
import { ErrorView } from '#src/run/error-view.tsx'
import { EndedApproval } from '#src/run/open-approvals.tsx'
import { RunValue } from '#src/run/run-value.tsx'
import type { TaskState } from '#src/run/task-states.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { StateMark } from '#src/ui/badge.tsx'
import { KindIcon, StateIcon } from '#src/ui/icon.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { bytes, duration, exactTime } from '#src/values/format.ts'

const DecisionView = onDemand(() => import('#src/run/decision-view.tsx').then((module) => module.DecisionView))
const Visits = onDemand(() => import('#src/run/visits.tsx').then((module) => module.Visits))
const StepModelCalls = onDemand(() => import('#src/run/step-model-calls.tsx').then((module) => module.StepModelCalls))

/** Glyphs of calls that ask no model. */
const modelless = new Set(['http', 'email', 'approve'])

interface StepPanelProps {
  readonly run: string
  /** Whether the run has ended. */
  readonly isOver: boolean
  readonly task: TaskState
  /** The positions of what decided in a visit of the step. */
  readonly deciding: (visit: string) => readonly string[]
  readonly kind: string
  readonly approvals: readonly Approval[]
}

/** One task of a run: its tries or rounds, and what went in and came out. */
export function StepPanel({ run, isOver, task, deciding, kind, approvals }: StepPanelProps) {
  const isAdmin = useIsAdmin()
  const [chosen, setChosen] = useState<string>()
  const entry = task.entries.find(({ position }) => position === chosen) ?? task.last
  const [tab, setTab] = useState<string>()
  const decided = deciding(entry.position)
  const decision = decided.length === 0 ? [] : [['decision', m.run.decision] as const]
  // Of a step that decides where the flow continues, that is what a reader asks for.
  const decides = kind === 'switch' || entry.kind === 'switch' || entry.state === 'skipped'
  const tabs = [
    ...(entry.error === undefined ? [] : [['error', m.run.error] as const]),
    ...(decides ? decision : []),
    ['input', m.run.input] as const,
    ['output', m.run.output] as const,
    ...(decides ? [] : decision),
    ...(entry.kind === 'call' || entry.kind === 'run' ? [['log', m.run.log] as const] : []),
  ]
  const shown = tabs.find(([key]) => key === tab)?.[0] ?? tabs[0]?.[0] ?? 'input'
  const took = entry.endedAt === null ? undefined : Date.parse(entry.endedAt) - Date.parse(entry.startedAt)
  return (
    <section className="step-panel" aria-label={m.run.step(entry.name)}>
      <header className="shead">
        <span className="node">
          <KindIcon kind={kind} />
        </span>
        <div className="grow">
          <bdi className="mono b">{entry.name}</bdi>
          <div className="t12 i3">
            <span title={exactTime(entry.startedAt)}>{took === undefined ? m.run.since(exactTime(entry.startedAt)) : duration(took)}</span>
          </div>
        </div>
        <Outcome state={entry.state} approval={approvals.find(({ position }) => position === entry.position)} />
      </header>
      {task.entries.length > 1 && <Visits entries={task.entries} chosen={entry} choose={setChosen} />}
      <EndedApproval approvals={approvals} position={entry.position} />
      <Tabs label={m.run.values} tabs={tabs} value={shown} onChange={setTab} />
      <div className="step-body">
        {shown === 'decision' && <DecisionView key={entry.position} run={run} isOver={isOver} positions={decided} state={entry.state} />}
        {shown === 'error' && <ErrorView error={entry.error} />}
        {shown === 'input' && <ValueView run={run} entry={entry} part="input" />}
        {shown === 'output' && <ValueView run={run} entry={entry} part="output" />}
        {shown === 'log' && <LogView run={run} entry={entry} />}
      </div>
      {isAdmin && (kind === 'agent' || (entry.kind === 'call' && !modelless.has(kind))) && (
        <StepModelCalls key={entry.position} run={run} entry={entry} />
      )}
    </section>
  )
}

/** What came of a step: of one that asked people, their verdict. */
function Outcome({ state, approval }: { readonly state: string; readonly approval: Approval | undefined }) {
  const verdict = approval === undefined ? undefined : verdictWords(approval)
  if (approval === undefined || verdict === undefined) return <StateMark state={state} />
  return (
    <span className={`state st-${verdictMark(approval)}`}>
      <StateIcon state={verdictMark(approval)} />
      {verdict}
    </span>
  )
}

/** What the attempt wrote beside its result. */
function LogView({ run, entry }: { readonly run: string; readonly entry: TimelineEntry }) {
  const log = useQuery({
    queryKey: ['run.log', run, entry.position, entry.state],
    queryFn: () => api.executions.attemptLog({ params: { executionId: run }, query: { position: entry.position } }),
  })
  if (log.data === undefined) return <p className="i3">{log.isError ? m.run.logFailed : m.run.notYet}</p>
  if (log.data.text === null) return <p className="i3">{m.run.noLog}</p>
  return (
    <>
      {log.data.truncated && <p className="i3">{m.run.logCut}</p>}
      <pre className="mono t12 prewrap">{log.data.text}</pre>
    </>
  )
}

function ValueView({ run, entry, part }: { readonly run: string; readonly entry: TimelineEntry; readonly part: 'input' | 'output' }) {
  const reference = part === 'input' ? entry.inputReference : entry.outputReference
  const whole = useQuery({
    queryKey: ['run.value', run, entry.position, part],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { timeline } = await api.workflows.execution({
        params: { executionId: run },
        query: { values: 'inline', limit: 1, cursor: cursorOf(reference?.href ?? '') },
      })
      return timeline.find(({ position }) => position === entry.position)?.[part] ?? null
    },
  })
  if (reference === undefined)
    return entry[part] === undefined ? (
      <p className="i3">{entry.endedAt === null ? m.run.notYet : m.run.noValue}</p>
    ) : (
      <RunValue run={run} value={entry[part]} />
    )
  if (whole.data !== undefined) return <RunValue run={run} value={whole.data} />
  return (
    <button type="button" className="btn" onClick={() => void whole.refetch()} aria-busy={whole.isFetching}>
      {m.run.load(bytes(reference.bytes))}
    </button>
  )
}

/** The cursor of the one entry that an address of a value reads. */
function cursorOf(href: string): string | undefined {
  return new URLSearchParams(href.slice(href.indexOf('?') + 1)).get('cursor') ?? undefined
}
