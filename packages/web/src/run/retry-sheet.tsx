import { useNavigate } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { RetryPreview } from '#src/run/retry-preview.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { versionWord } from '#src/ui/badge.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

/** A retry continues at the failed task, in the version of the run or the latest one, with the same input or another. */
export function RetrySheet({ run, onClose }: { readonly run: RunDetail; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const input = JSON.stringify(run.input ?? null, undefined, 2)
  return (
    <Dialog title={m.run.retryTitle} kind="sheet" onClose={onClose}>
      <p className="i2">{m.run.retryText}</p>
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
        below={(values) => <RetryPreview run={run} latest={values.version === 'latest'} input={values.input} />}
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
