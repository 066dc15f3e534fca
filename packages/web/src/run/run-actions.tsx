import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

const CompareChoice = onDemand(() => import('#src/run/compare-choice.tsx').then((module) => module.CompareChoice))
const RetrySheet = onDemand(() => import('#src/run/retry-sheet.tsx').then((module) => module.RetrySheet))

const waitSeconds = 2

/** What can be done with a run in its state. */
export function RunActions({ run }: { readonly run: RunDetail }) {
  const queries = useQueryClient()
  const mayControl = useMay('executions:control')
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
      {run.causedBy !== undefined && <Link to={`/runs/${run.causedBy}`}>{m.run.causedBy}</Link>}
      {run.retriedBy !== undefined && <Link to={`/runs/${run.retriedBy}`}>{m.run.retriedBy}</Link>}
      <Button look="quiet" onClick={() => open(m.compare.choose, () => <CompareChoice run={run} />)}>
        {m.compare.with}
      </Button>
      {choice}
      {mayControl && !over && state !== 'suspended' && <Button onClick={() => act('suspend')}>{m.run.suspend}</Button>}
      {mayControl && state === 'suspended' && (
        <Button look="primary" icon="play" onClick={() => act('resume')}>
          {m.run.resume}
        </Button>
      )}
      {mayControl && !over && (
        <Button look="danger" onClick={() => setSheet('cancel')}>
          {m.run.cancel}
        </Button>
      )}
      {mayControl && (state === 'faulted' || state === 'cancelled') && run.retriedBy === undefined && (
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
