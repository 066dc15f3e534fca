import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { CompareChoice } from '#src/run/compare-choice.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

const waitSeconds = 2

/** What can be done with a run in its state. */
export function RunActions({ run }: { readonly run: RunDetail }) {
  const queries = useQueryClient()
  const [sheet, setSheet] = useState<'retry' | 'cancel'>()
  const act = (call: 'cancel' | 'suspend' | 'resume') => {
    api.executions[call]({ params: { executionId: run.id } }, { waitSeconds })
      .then(() => queries.invalidateQueries({ queryKey: ['run', run.id] }))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  }
  const { state } = run
  const { open, sheet: choice } = useSheet()
  const over = state === 'completed' || state === 'faulted' || state === 'cancelled'
  return (
    <div className="row wrap">
      {run.retryOf !== undefined && <Link to={`/runs/${run.retryOf}`}>{m.run.retryOf}</Link>}
      {run.retriedBy !== undefined && <Link to={`/runs/${run.retriedBy}`}>{m.run.retriedBy}</Link>}
      <Button look="quiet" onClick={() => open(m.compare.choose, () => <CompareChoice run={run} />)}>
        {m.compare.with}
      </Button>
      {choice}
      {!over && state !== 'suspended' && <Button onClick={() => act('suspend')}>{m.run.suspend}</Button>}
      {state === 'suspended' && (
        <Button look="primary" icon="play" onClick={() => act('resume')}>
          {m.run.resume}
        </Button>
      )}
      {!over && (
        <Button look="danger" onClick={() => setSheet('cancel')}>
          {m.run.cancel}
        </Button>
      )}
      {(state === 'faulted' || state === 'cancelled') && run.retriedBy === undefined && (
        <Button look="primary" icon="retry" onClick={() => setSheet('retry')}>
          {m.run.retry}
        </Button>
      )}
      {sheet === 'retry' && <RetrySheet run={run} onClose={() => setSheet(undefined)} />}
      {sheet === 'cancel' && (
        <Dialog title={m.run.cancelTitle} onClose={() => setSheet(undefined)}>
          <p className="i2">{m.run.cancelText}</p>
          <div className="row">
            <Button
              look="danger"
              onClick={() => {
                setSheet(undefined)
                act('cancel')
              }}
            >
              {m.run.cancel}
            </Button>
            <Button onClick={() => setSheet(undefined)}>{m.run.keep}</Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** A retry continues at the failed task, in the version of the run or the latest one, with the same input or another. */
function RetrySheet({ run, onClose }: { readonly run: RunDetail; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const input = JSON.stringify(run.input ?? null, undefined, 2)
  return (
    <Dialog title={m.run.retryTitle} kind="sheet" onClose={onClose}>
      <p className="i2">{m.run.retryText}</p>
      <DataForm
        initial={{ version: 'latest', input }}
        fields={[
          {
            name: 'version',
            label: m.run.version,
            kind: 'select',
            options: [
              ['latest', m.run.latest],
              ['original', m.run.original(run.workflowVersion)],
            ],
            hint: m.run.versionHint,
          },
          ...(run.inputReference === undefined
            ? [{ name: 'input', label: m.run.input, kind: 'code', rows: 14, required: true } as const]
            : []),
        ]}
        send={async (values) => {
          const changed = run.inputReference === undefined && values.input !== input
          const next = await api.executions.retry({
            params: { executionId: run.id },
            body: {
              ...(values.version === 'latest' ? { version: 'latest' as const } : {}),
              ...(changed ? { input: readJson(values.input, m.editor.notJson) } : {}),
            },
          })
          onClose()
          await navigate({ to: `/runs/${next.id}` })
        }}
        label={m.run.retry}
      />
    </Dialog>
  )
}
