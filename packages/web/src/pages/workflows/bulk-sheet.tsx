import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { actOnEach, type BulkProgress, later } from '#src/run/bulk.ts'
import { BulkProgressView } from '#src/run/bulk-progress.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { wordsOf } from '#src/ui/problem.tsx'

export type ListedWorkflow = Reply<(typeof groups)['workflows']['list']>['data'][number]
export type WorkflowBulkKind = 'tag' | 'enable' | 'disable' | 'delete'

interface WorkflowBulkSheetProps {
  readonly kind: WorkflowBulkKind
  readonly workflows: readonly ListedWorkflow[]
  readonly onClose: () => void
}

const namesShown = 8

/** Asks, and changes or deletes the chosen workflows with its progress. */
export function WorkflowBulkSheet({ kind, workflows, onClose }: WorkflowBulkSheetProps) {
  const b = m.workflows.bulk
  const queries = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress>()
  const [working, setWorking] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const { current } = stop
    return () => current.abort()
  }, [])
  // A workflow that was never published can neither be switched on nor off.
  const able = kind === 'enable' || kind === 'disable' ? workflows.filter(({ version }) => version !== null) : workflows
  const act = async (tag: string) => {
    setWorking(true)
    await actOnEach(able, ({ id }) => change(kind, id, tag), {
      signal: stop.current.signal,
      onProgress: setProgress,
      reasonOf: (error) => wordsOf(error).title,
      sleep: later,
    })
    setWorking(false)
    await queries.invalidateQueries({ queryKey: ['workflows'] })
  }
  return (
    <Dialog title={b.titles[kind]} onClose={onClose} modalOnly={working}>
      <p>{b.will[kind](able.length, workflows.length)}</p>
      <ul className="mini-l" aria-label={m.workflows.title}>
        {able.slice(0, namesShown).map(({ id, name }) => (
          <li key={id}>
            <span className="trunc">{name}</span>
          </li>
        ))}
        {able.length > namesShown && <li className="i2">{`+${able.length - namesShown}`}</li>}
      </ul>
      {progress === undefined && able.length > 0 && !working && (
        <DataForm
          danger={kind === 'delete'}
          initial={{ tag: '' }}
          fields={kind === 'tag' ? [{ name: 'tag', label: m.workflows.tag, required: true, autoFocus: true }] : []}
          send={({ tag }) => act(tag.trim())}
          label={b.act[kind](able.length)}
        />
      )}
      {progress !== undefined && (
        <BulkProgressView progress={progress} of={able.length} working={working} done={b.done[kind]} refused={b.refused} />
      )}
      <div className="row form-foot">
        {working && <Button onClick={() => stop.current.abort()}>{m.bulk.stop}</Button>}
        {!working && progress !== undefined && <Button onClick={onClose}>{m.common.done}</Button>}
      </div>
    </Dialog>
  )
}

async function change(kind: WorkflowBulkKind, id: string, tag: string): Promise<unknown> {
  const params = { id }
  if (kind === 'delete') return api.workflows.delete({ params })
  if (kind !== 'tag') return api.workflows.update({ params, body: { enabled: kind === 'enable' } })
  const { tags } = await api.workflows.get({ params })
  return tags.includes(tag) ? undefined : api.workflows.update({ params, body: { tags: [...tags, tag] } })
}
