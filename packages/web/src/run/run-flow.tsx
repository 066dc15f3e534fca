import type { Approval } from '#src/approvals/approval.ts'
import { endWords, verdictMark, verdictWords } from '#src/approvals/approval-end.ts'
import type { EntryLook } from '#src/flow/flow-steps.tsx'
import { FlowView } from '#src/flow/flow-view.tsx'
import type { OutlineEntry } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'
import { errorWords } from '#src/run/error-words.ts'
import type { TaskState } from '#src/run/task-states.ts'
import { Badge, StateMark, stateWord, triggerWord } from '#src/ui/badge.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { duration } from '#src/values/format.ts'

interface RunFlowProps {
  readonly outline: readonly OutlineEntry[]
  readonly states: ReadonlyMap<string, TaskState>
  /** Approvals whose deadline passed without a decision, by the position of their task. */
  readonly lapsed: ReadonlyMap<string, Approval>
  /** Approvals that people decided, by the position of their task. */
  readonly decided: ReadonlyMap<string, Approval>
  readonly run: { readonly state: string; readonly trigger: string; readonly createdAt: string; readonly endedAt: string | null }
  readonly selected: string | undefined
  readonly onSelect: (reference: string) => void
}

/** The definition of a run, with the channel filled as far as the run came. */
export function RunFlow({ outline, states, lapsed, decided, run, selected, onSelect }: RunFlowProps) {
  const over = run.endedAt !== null
  return (
    <FlowView
      entries={outline}
      look={(entry) => lookOf(entry, { states, lapsed, decided, over })}
      selected={selected}
      onSelect={onSelect}
      ends={[states.size > 0 ? 'full' : 'empty', run.state === 'completed' ? 'full' : 'empty']}
      start={
        <span className="row wrap t13">
          <b className="bb">{m.run.startsBy}</b>
          <Badge tone="line">{triggerWord(run.trigger)}</Badge>
          <span className="t12 i3">
            <Time at={run.createdAt} />
          </span>
        </span>
      }
      end={
        <span className="row t13">
          <b className="bb">{m.run.ends}</b>
          {over ? <StateMark state={run.state} /> : <span className="t12 i3">{m.run.notReached}</span>}
        </span>
      }
    />
  )
}

function lookOf(
  entry: OutlineEntry,
  { states, lapsed, decided, over }: Pick<RunFlowProps, 'states' | 'lapsed' | 'decided'> & { readonly over: boolean },
): EntryLook {
  const task = states.get(entry.reference)
  if (task === undefined) return { into: 'empty', out: 'empty', passedBy: over || false }
  const { state, attempts } = task
  const undecided = lapsed.get(task.last.position)
  const verdict = decided.get(task.last.position)
  const reached = state !== 'skipped'
  const passed = task.entries.some((one) => one.state === 'completed' || one.state === 'skipped')
  const out =
    state === 'completed' || state === 'skipped' || (state === 'caught' && passed) ? 'full' : state === 'running' ? 'run' : 'empty'
  return {
    state,
    into: 'full',
    out,
    passedBy: !reached,
    ...(undecided === undefined ? {} : { summary: <span className="c-wait b">{endWords(undecided)}</span> }),
    ...(verdict === undefined ? {} : { summary: <Verdict approval={verdict} /> }),
    ...(task.last.error === undefined
      ? {}
      : { summary: <span className={state === 'caught' ? 'c-wait b' : 'c-bad b'}>{errorWords(task.last.error)}</span> }),
    ...(entry.kind === 'for' ? { strip: <LoopStrip entry={entry} states={states} /> } : {}),
    end: <End task={task} attempts={attempts} verdict={verdict} />,
  }
}

function Verdict({ approval }: { readonly approval: Approval }) {
  return <span className={approval.state === 'rejected' ? 'c-bad b' : 'b'}>{verdictWords(approval)}</span>
}

interface EndProps {
  readonly task: TaskState
  readonly attempts: number
  readonly verdict: Approval | undefined
}

function End({ task, attempts, verdict }: EndProps) {
  const rounds = new Set(task.entries.flatMap(({ state, iteration }) => (state === 'skipped' ? [] : [iteration.join('.')]))).size
  return (
    <>
      {attempts > 1 && <span className="dur">{m.run.tries(attempts)}</span>}
      {rounds > 1 && (
        <span className="dur" dir="ltr">
          ×{rounds}
        </span>
      )}
      {task.durationMs !== undefined && attempts === 1 && task.state !== 'skipped' && (
        <span className="dur">{duration(task.durationMs)}</span>
      )}
      {verdict === undefined ? (
        <StateIcon state={task.state} label={stateWord(task.state)} />
      ) : (
        <StateIcon state={verdictMark(verdict)} label={verdictWords(verdict)} />
      )}
    </>
  )
}

const cellsMax = 48

/** One cell for each round of a loop. */
function LoopStrip({ entry, states }: { readonly entry: OutlineEntry; readonly states: ReadonlyMap<string, TaskState> }) {
  const first = entry.blocks[0]?.entries[0]
  const inside = first === undefined ? [] : (states.get(first.reference)?.entries ?? [])
  const rounds = [...Map.groupBy(inside, ({ iteration }) => iteration.join('.')).values()]
  const caught = caughtRounds(entry.reference, states, inside[0]?.iteration.length ?? 0)
  const cells = rounds.slice(0, cellsMax).map((own) => {
    const last = own.at(-1)
    return last !== undefined && caught.has(last.iteration.join('.')) ? 'caught' : (last?.state ?? 'running')
  })
  const done = rounds.filter((own) => own.at(-1)?.state === 'completed').length
  return (
    <>
      <span className="strip" aria-hidden="true">
        {cells.map((state, index) => (
          <i key={index} data-s={cellLook(state)} />
        ))}
      </span>
      <span className="num nowrap">{m.run.rounds(done, rounds.length)}</span>
    </>
  )
}

/** The rounds of a loop in which a fault was caught. */
function caughtRounds(loop: string, states: ReadonlyMap<string, TaskState>, depth: number): ReadonlySet<string> {
  const inside = [...states.values()].filter(({ last }) => last.reference.startsWith(`${loop}/`))
  const caught = inside.flatMap(({ entries }) => entries.filter(({ state }) => state === 'caught'))
  return new Set(caught.map(({ iteration }) => iteration.slice(0, depth).join('.')))
}

function cellLook(state: string): string | undefined {
  if (state === 'faulted') return 'bad'
  if (state === 'caught') return 'caught'
  return state === 'running' || state === 'waiting' ? 'run' : undefined
}
