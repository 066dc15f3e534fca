import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { drawnInstead, flatEntries } from '#src/flow/drawing.ts'
import { type OutlineEntry, outlineOf } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { withCaught } from '#src/run/caught.ts'
import { OpenApprovals } from '#src/run/open-approvals.tsx'
import { RunCase } from '#src/run/run-case.tsx'
import { RunFlow } from '#src/run/run-flow.tsx'
import { RunHead } from '#src/run/run-head.tsx'
import { type RunDetail, useRun } from '#src/run/use-run.ts'
import { useRunApprovals } from '#src/run/use-run-approvals.ts'
import { taskStates } from '#src/run/task-states.ts'
import { type Scrubbing, useScrubbing } from '#src/run/use-scrubbing.ts'
import { Id, shortId } from '#src/ui/id.tsx'
import { editedAt } from '#src/values/edited-at.ts'

/** A run that waits for its turn does not change while others pass before it. */
const turnMs = 5_000

export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const run = useQuery({
    queryKey: ['run', id],
    queryFn: () => api.workflows.execution({ params: { executionId: id }, query: { limit: 1 } }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? turnMs : false),
  })
  return <Loaded query={run}>{(detail) => <Run key={id} detail={detail} />}</Loaded>
}

function Run({ detail }: { readonly detail: RunDetail }) {
  const { entries: read, summary, live } = useRun(detail.id)
  const run: RunDetail = { ...detail, ...summary }
  const workflow = useQuery({
    queryKey: ['workflow', detail.workflowId, detail.workflowVersion],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => definitionOf(detail),
  })
  const outline = useMemo(() => outlineOf(workflow.data?.definition), [workflow.data])
  const kinds = useMemo(() => kindsOf(outline), [outline])
  const instead = useMemo(() => drawnInstead(outline), [outline])
  // A step has one name on the page: that which the flow shows.
  const entries = useMemo(() => {
    const marked = withCaught(read)
    return instead.size === 0 ? marked : marked.map((entry) => ({ ...entry, name: instead.get(entry.reference)?.name ?? entry.name }))
  }, [read, instead])
  const scrubbing = useScrubbing(entries, kinds)
  const approvals = useRunApprovals(detail.id, run.state === 'waiting' || [...kinds.values()].some((kind) => kind === 'approve'))
  const { states } = scrubbing
  const whole = useMemo(() => taskStates(entries), [entries])
  const [chosen, setChosen] = useState<string>()
  const selected = chosen ?? (scrubbing.at === undefined ? drawnOf(defaultSelection(run, states), instead, kinds) : scrubbing.reference)
  const drawn = drawnOf(selected, instead, kinds)
  // A move to another moment shows the step of that moment; a step that is chosen there stays.
  const go = useCallback(
    (at: number | undefined) => {
      setChosen(undefined)
      scrubbing.go(at)
    },
    [scrubbing.go],
  )
  const shown = scrubbing.at === undefined ? run : { ...run, state: 'running' as const, endedAt: null }
  const edited = editedAt(run.workflowId, workflow.data?.definition)
  // A link needs a name, also before the workflow is read and when it is deleted.
  const name = workflow.data?.name ?? shortId(run.workflowId)
  return (
    <div className="run-page">
      <Crumbs title={`${name} ${shortId(run.id)}`}>
        <Link to="/runs">{m.nav.runs}</Link> <span className="i3">/</span> <Link to={edited}>{name}</Link> <Id value={run.id} />
      </Crumbs>
      <RunHead
        edited={edited}
        run={run}
        title={`${name} ${shortId(run.id)}`}
        live={live}
        states={whole}
        drawn={(reference) => drawnOf(reference, instead, kinds) ?? reference}
        approvals={approvals}
        select={setChosen}
      />
      <div className="run-cols">
        <div className="rflow">
          {run.state === 'waiting' && <OpenApprovals approvals={approvals.all} />}
          <RunFlow
            outline={outline}
            lapsed={approvals.lapsed}
            decided={approvals.decided}
            states={states}
            run={shown}
            selected={drawn}
            onSelect={setChosen}
          />
        </div>
        <RunCase
          run={run}
          scrubbing={{ ...scrubbing, go }}
          selected={selected}
          kinds={kinds}
          kind={kinds.get(drawn ?? '') ?? ''}
          approvals={approvals}
          definition={workflow.data?.definition}
          instead={instead}
          onSelect={setChosen}
        />
      </div>
    </div>
  )
}

/** The step of the flow that stands for a task: for one inside a function, the step that calls the function. */
function drawnOf(
  reference: string | undefined,
  instead: ReadonlyMap<string, OutlineEntry>,
  kinds: ReadonlyMap<string, string>,
): string | undefined {
  if (reference === undefined) return undefined
  const own = instead.get(reference)?.reference ?? reference
  for (let at = own; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (kinds.has(at)) return at
  return own
}

/** What a run ran, and its name. The draft of a test is kept with the test alone. */
async function definitionOf({ id, workflowId, workflowVersion }: RunDetail) {
  const params = { id: workflowId }
  if (workflowVersion > 0) return api.workflows.get({ params, query: { version: workflowVersion } })
  const [{ name }, { definition }] = await Promise.all([
    api.workflows.get({ params }),
    api.executions.record({ params: { executionId: id }, query: { limit: 1 } }),
  ])
  return { name, definition }
}

/** What a reader wants to see first: what failed, what waits, what runs. */
function defaultSelection(run: RunDetail, states: Scrubbing['states']): string | undefined {
  const leaf = [...states].findLast(
    ([, { last, state }]) => !['do', 'for', 'fork', 'try'].includes(last.kind) && ['faulted', 'waiting', 'running'].includes(state),
  )
  return run.state === 'completed' ? undefined : leaf?.[0]
}

/** The kind of each task, by its reference. */
function kindsOf(outline: readonly OutlineEntry[]): ReadonlyMap<string, string> {
  return new Map([...flatEntries(outline)].map(({ reference, kind }) => [reference, kind]))
}
