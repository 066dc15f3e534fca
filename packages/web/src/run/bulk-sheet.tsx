import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { actOnEach, type BulkProgress, later } from '#src/run/bulk.ts'
import { BulkProgressView } from '#src/run/bulk-progress.tsx'
import type { FoundRun } from '#src/run/run-columns.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { ProblemPanel, wordsOf } from '#src/ui/problem.tsx'

export type BulkKind = 'retry' | 'cancel'

/** Runs that are taken at once; a person repeats it for the others. */
const runsMax = 1000
const pageSize = 100

interface BulkSheetProps {
  readonly kind: BulkKind
  /** The chosen runs, or the filter that all of them match. */
  readonly runs: readonly FoundRun[] | Readonly<Record<string, string>>
  readonly onClose: () => void
}

/** Counts what would be done, asks, and does it with its progress. */
export function BulkSheet({ kind, runs, onClose }: BulkSheetProps) {
  const b = m.bulk
  const queries = useQueryClient()
  const [found, setFound] = useState<readonly FoundRun[]>(isList(runs) ? runs : [])
  const [counted, setCounted] = useState(isList(runs))
  const [problem, setProblem] = useState<unknown>()
  const [version, setVersion] = useState('latest')
  const [progress, setProgress] = useState<BulkProgress>()
  const [working, setWorking] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const counting = new AbortController()
    stop.current = counting
    if (!isList(runs)) {
      collect(runs, counting.signal, setFound)
        .then(() => setCounted(true))
        .catch(setProblem)
    }
    return () => counting.abort()
  }, [runs])
  const able = found.filter(kind === 'retry' ? isRetriable : isCancellable)
  const act = async () => {
    setWorking(true)
    await actOnEach(
      able,
      ({ id: executionId }) =>
        kind === 'cancel'
          ? api.executions.cancel({ params: { executionId } })
          : api.executions.retry({ params: { executionId }, body: version === 'latest' ? { version: 'latest' } : {} }),
      { signal: stop.current.signal, onProgress: setProgress, reasonOf: (error) => wordsOf(error).title, sleep: later },
    )
    setWorking(false)
    await queries.invalidateQueries({ queryKey: ['runs'] })
  }
  return (
    <Dialog title={b.titles[kind]} onClose={onClose} modalOnly={working}>
      {problem !== undefined && <ProblemPanel error={problem} />}
      <p role="status">{counted ? b.will[kind](able.length, found.length) : b.counting(found.length)}</p>
      {counted && found.length >= runsMax && <p className="t13 i2">{b.more(runsMax)}</p>}
      {counted && able.length > 0 && <Workflows runs={able} />}
      {kind === 'cancel' && <p className="t13 i2">{b.cannotUndo}</p>}
      {kind === 'retry' && progress === undefined && (
        <label className="field">
          <span className="lbl">{b.version}</span>
          <select className="input" value={version} onChange={({ target }) => setVersion(target.value)}>
            <option value="original">{b.original}</option>
            <option value="latest">{b.latest}</option>
          </select>
          <span className="hint">{b.versionHint}</span>
        </label>
      )}
      {progress !== undefined && (
        <BulkProgressView progress={progress} of={able.length} working={working} done={b.done[kind]} refused={b.refused} />
      )}
      <div className="row form-foot">
        {working && <Button onClick={() => stop.current.abort()}>{b.stop}</Button>}
        {!working && progress === undefined && (
          <Button
            look={kind === 'cancel' ? 'danger' : 'primary'}
            disabled={!counted || able.length === 0}
            onClick={() => void act().catch(setProblem)}
          >
            {b.act[kind](able.length)}
          </Button>
        )}
        {!working && progress !== undefined && <Button onClick={onClose}>{m.common.done}</Button>}
      </div>
    </Dialog>
  )
}

/** How many runs of which workflow. */
function Workflows({ runs }: { readonly runs: readonly FoundRun[] }) {
  const byName = Map.groupBy(runs, ({ workflowName }) => workflowName ?? m.insights.deleted)
  return (
    <ul className="mini-l" aria-label={m.bulk.byWorkflow}>
      {[...byName].slice(0, 5).map(([name, some]) => (
        <li key={name}>
          <span className="trunc">{name}</span>
          <span className="num i2">{some.length}</span>
        </li>
      ))}
    </ul>
  )
}

const isList = (runs: BulkSheetProps['runs']): runs is readonly FoundRun[] => Array.isArray(runs)
const isRetriable = ({ state }: FoundRun) => state === 'faulted' || state === 'cancelled'
const isCancellable = ({ endedAt }: FoundRun) => endedAt === null

/** Reads what matches a filter, page by page. */
async function collect(
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onFound: (runs: readonly FoundRun[]) => void,
): Promise<void> {
  const { cursor: _cursor, ...query } = filter
  const found: FoundRun[] = []
  let cursor: string | undefined
  do {
    const page = await api.executions.search({ query: { ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) } })
    if (signal.aborted) return
    found.push(...page.data)
    onFound(found.slice(0, runsMax))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && found.length < runsMax)
}
