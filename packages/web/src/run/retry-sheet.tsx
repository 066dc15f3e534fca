import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import type { RetryPreview as Previewed } from '#src/rehearse/run-record.ts'
import { RetryPreview } from '#src/run/retry-preview.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { versionWord } from '#src/ui/badge.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

/** A retry keeps what the run did before it stopped, in the version of the run or the latest one, with the same input or another. */
export function RetrySheet({ run, onClose }: { readonly run: RunDetail; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [known, setKnown] = useState<Previewed>()
  const input = JSON.stringify(run.input ?? null, undefined, 2)
  const stops = typeof known?.end === 'object' && 'name' in known.end ? known.end : undefined
  const isUnfit = typeof known?.end === 'object' && 'unfit' in known.end
  const way = known === undefined || isUnfit ? undefined : known.taken.size > 0 ? m.runView.fromStop : m.runView.fromBegin
  return (
    <Dialog title={way?.title ?? m.runView.retryTitle} kind="sheet" onClose={onClose}>
      <div className="form" aria-live="polite">
        {stops !== undefined && <p className="notice-strip">{m.runView.failsAgain(stops.name, stops.title)}</p>}
        {way !== undefined && <p className="i2">{way.text}</p>}
      </div>
      <DataForm
        initial={{ version: run.workflowVersion < 0 ? 'original' : 'latest', input }}
        fields={[
          {
            name: 'version',
            label: m.run.retryWith,
            kind: 'select',
            options: [
              ['latest', m.run.latest],
              ['original', m.run.original(versionWord(run.workflowVersion))],
            ],
            hint: m.run.versionHint,
          },
          ...(run.inputReference === undefined
            ? [{ name: 'input', label: m.run.retryInput, kind: 'code', rows: 10, required: true } as const]
            : []),
        ]}
        below={(values) => <RetryPreview run={run} latest={values.version === 'latest'} input={values.input} onKnown={setKnown} />}
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
        label={stops === undefined ? m.run.retry : m.runView.retryAnyway}
        unadvised={stops !== undefined}
      />
    </Dialog>
  )
}
