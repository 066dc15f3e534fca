import { useMemo } from 'react'
import { diffDefinitions } from '@millrace/dsl/diff'
import { isObject } from '#src/document/task-json.ts'
import { type DrawnEntry, flatEntries } from '#src/flow/drawing.ts'
import { FlowView } from '#src/flow/flow-view.tsx'
import { outlineOf } from '#src/flow/outline.ts'
import { StartOf } from '#src/flow/start-of.tsx'
import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'

interface ChangedFlowProps {
  readonly before: unknown
  readonly after: unknown
}

type Mark = 'added' | 'changed'

/** The flow of a changed definition, with the steps marked that are new or differ; removed ones are named below it. */
export function ChangedFlow({ before, after }: ChangedFlowProps) {
  const entries = useMemo(() => outlineOf(after), [after])
  const { marks, removed } = useMemo(() => changesOf(before, after, entries), [before, after, entries])
  const f = m.flowEditor.reviewed
  return (
    <div className="changed-flow">
      <FlowView
        entries={entries}
        look={(entry) => lookOf(marks.get(entry.reference))}
        selected={undefined}
        onSelect={() => undefined}
        start={<StartOf definition={after} />}
        end={<b className="bb t13">{m.run.ends}</b>}
        ends={['ready', 'ready']}
      />
      {removed.length > 0 && (
        <p className="t13 c-bad">{m.flowEditor.changedSteps.removed(removed.join(m.flowEditor.changedSteps.comma))}</p>
      )}
      {marks.size === 0 && removed.length === 0 && <p className="t13 i2">{f.none}</p>}
    </div>
  )
}

function lookOf(mark: Mark | undefined) {
  const plain = { into: 'ready', out: 'ready' } as const
  if (mark === undefined) return plain
  return { ...plain, end: <Badge tone={mark === 'added' ? 'ok' : 'wait'}>{m.flowEditor.reviewed[mark]}</Badge> }
}

/** The marks of drawn steps by their pointers: a change of a task that has no card marks the step around it. */
function changesOf(before: unknown, after: unknown, entries: readonly DrawnEntry[]) {
  const marks = new Map<string, Mark>()
  if (!isObject(before) || !isObject(after)) return { marks, removed: [] }
  const cards = new Set([...flatEntries(entries)].map(({ reference }) => reference))
  for (const { owner } of [...flatEntries(entries)].flatMap(({ blocks }) => blocks)) if (owner !== undefined) cards.delete(owner.reference)
  const changes = diffDefinitions(before, after)
  for (const { kind, pointer, path } of changes) {
    if (kind === 'removed' || path === '') continue
    const card = cardOf(pointer, cards)
    if (card === undefined) continue
    const isWhole = kind === 'added' && card === pointer
    if (isWhole || !marks.has(card)) marks.set(card, isWhole ? 'added' : 'changed')
  }
  const removed = changes.flatMap(({ kind, path }) => (kind === 'removed' ? [path.slice(path.lastIndexOf('/') + 1)] : []))
  return { marks, removed }
}

function cardOf(pointer: string, cards: ReadonlySet<string>): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (cards.has(at)) return at
  return undefined
}
