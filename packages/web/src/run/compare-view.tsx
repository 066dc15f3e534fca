import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { type Comparison, compareRuns, type Pair, type SideFacts, type TaskComparison } from '#src/run/comparison.ts'
import { JsonDiffView } from '#src/run/json-diff-view.tsx'
import type { RunDetail, TimelineEntry } from '#src/run/use-run.ts'
import { Badge, StateMark, triggerWord, versionWord } from '#src/ui/badge.tsx'
import { shortId } from '#src/ui/id.tsx'
import { duration, exactTime } from '#src/values/format.ts'

interface ComparedRun {
  readonly run: RunDetail
  readonly entries: readonly TimelineEntry[]
}

/** Two runs: what they are, where they part, and every task beside each other. */
export function CompareView({ left, right }: { readonly left: ComparedRun; readonly right: ComparedRun }) {
  const sameVersion = left.run.workflowVersion === right.run.workflowVersion && left.run.workflowId === right.run.workflowId
  const comparison = useMemo(() => compareRuns(left.entries, right.entries, sameVersion), [left.entries, right.entries, sameVersion])
  return (
    <div className="compare">
      <div className="cmp-runs">
        <RunFacts mark="A" run={left.run} />
        <RunFacts mark="B" run={right.run} />
      </div>
      <First comparison={comparison} left={left.run} right={right.run} />
      <Tasks tasks={comparison.tasks} />
      <div className="cmp-values">
        <Difference title={m.run.input} left={valueOf(left.run, 'input')} right={valueOf(right.run, 'input')} />
        <Difference title={m.run.result} left={valueOf(left.run, 'output')} right={valueOf(right.run, 'output')} />
      </div>
    </div>
  )
}

function valueOf(run: RunDetail, part: 'input' | 'output'): unknown {
  return run[part] ?? run[`${part}Reference`]
}

function RunFacts({ mark, run }: { readonly mark: string; readonly run: RunDetail }) {
  const took = run.endedAt === null ? undefined : duration(Date.parse(run.endedAt) - Date.parse(run.createdAt))
  return (
    <section className="panel cmp-run" aria-label={m.compare.run(mark)}>
      <b className="cmp-mark">{mark}</b>
      <div className="grow">
        <Link to={`/runs/${run.id}`} className="quiet-link">
          <bdi className="mono b">{shortId(run.id)}</bdi>
        </Link>
        <div className="t12 i3 num">
          {[exactTime(run.createdAt), took, versionWord(run.workflowVersion), m.run.startedBy(triggerWord(run.trigger))]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </div>
      </div>
      <StateMark state={run.state} />
    </section>
  )
}

function First({
  comparison: { first, tasks },
  left,
  right,
}: {
  readonly comparison: Comparison
  readonly left: RunDetail
  readonly right: RunDetail
}) {
  if (first === undefined)
    return (
      <section className="panel cmp-first">
        <h2>{m.compare.same}</h2>
        <p className="i2">{m.compare.sameText(tasks.length)}</p>
      </section>
    )
  return (
    <section className="panel cmp-first" aria-label={m.compare.parts}>
      <h2>
        {m.compare.partsAt} <bdi className="mono">{first.name}</bdi>
      </h2>
      <PairView pair={first} />
      {left.input !== undefined && right.input !== undefined && JSON.stringify(left.input) !== JSON.stringify(right.input) && (
        <p className="t13 i2">{m.compare.otherInput}</p>
      )}
    </section>
  )
}

function PairView({ pair: { left, right } }: { readonly pair: Pair }) {
  if (left === undefined || right === undefined) return <p className="i2">{m.compare.only(left === undefined ? 'B' : 'A')}</p>
  return (
    <div className="form">
      {left.state !== right.state && (
        <p className="row">
          A <StateMark state={left.state} /> B <StateMark state={right.state} />
        </p>
      )}
      <JsonDiffView left={left.error ?? left.output ?? left.outputReference} right={right.error ?? right.output ?? right.outputReference} />
    </div>
  )
}

function Tasks({ tasks }: { readonly tasks: readonly TaskComparison[] }) {
  const [all, setAll] = useState(false)
  const changed = tasks.filter(({ different, slower }) => different > 0 || slower !== undefined)
  const shown = all ? tasks : changed
  return (
    <section className="panel tablewrap" aria-label={m.compare.tasks}>
      <div className="row panelhead">
        <h2 className="grow">{m.compare.changed(changed.length, tasks.length)}</h2>
        <label className="row t13">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> {m.compare.showAll}
        </label>
      </div>
      {shown.length > 0 && (
        <table className="rows cmp-tasks">
          <caption className="vh">{m.compare.tasks}</caption>
          <thead>
            <tr>
              <th scope="col">{m.compare.task}</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
              <th scope="col">{m.compare.difference}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((task) => (
              <TaskRow key={task.key} task={task} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function TaskRow({ task }: { readonly task: TaskComparison }) {
  const { name, left, right, differs, different, slower } = task
  const rounds = Math.max(left?.entries ?? 0, right?.entries ?? 0)
  return (
    <tr>
      <th scope="row">
        <bdi className="mono">{name}</bdi>
      </th>
      <td>
        <Facts facts={left} slower={slower === 'left'} />
      </td>
      <td>
        <Facts facts={right} slower={slower === 'right'} />
      </td>
      <td>
        {differs === undefined ? (
          <span className="i3">{m.compare.equal}</span>
        ) : (
          <details>
            <summary>{rounds > 1 ? m.compare.rounds(different, rounds) : m.compare.show}</summary>
            <PairView pair={differs} />
          </details>
        )}
      </td>
    </tr>
  )
}

function Facts({ facts, slower }: { readonly facts: SideFacts | undefined; readonly slower: boolean }) {
  if (facts === undefined) return <span className="i3">{m.compare.notThere}</span>
  return (
    <span className="row wrap">
      <StateMark state={facts.state} />
      {facts.durationMs !== undefined &&
        (slower ? (
          <Badge tone="wait">{duration(facts.durationMs)}</Badge>
        ) : (
          <span className="num i2 t13">{duration(facts.durationMs)}</span>
        ))}
    </span>
  )
}

function Difference({ title, left, right }: { readonly title: string; readonly left: unknown; readonly right: unknown }) {
  return (
    <section className="panel cmp-value">
      <h2>{title}</h2>
      <JsonDiffView left={left} right={right} />
    </section>
  )
}
