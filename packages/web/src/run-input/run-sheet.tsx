import type { JsonValue } from '@millrace/contract'
import { useNavigate } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { keepInput } from '#src/run-input/last-input.ts'
import { RunForm } from '#src/run-input/run-form.tsx'
import { useRequirements } from '#src/run-input/use-requirements.ts'
import { needsOf } from '#src/importing/needs-list.tsx'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface RunSheetProps {
  readonly workflow: string
  readonly onClose: () => void
  /** Publishes the draft, which is what runs, unless it refuses the input; undefined when it is published, and when it is only tried. */
  readonly publish: ((input: JsonValue) => Promise<boolean>) | undefined
  /** Given: the draft is tried as it is. */
  readonly draft?: { readonly version: number | null } | undefined
}

/** Starts a run, or a test of the draft, with an input: a form of the schema of the workflow, or JSON. */
export function RunSheet({ workflow, onClose, publish, draft }: RunSheetProps) {
  const navigate = useNavigate()
  const { needs, isPending: needsPending } = useRequirements(workflow, draft === undefined ? undefined : 'draft')
  // A draft that is published first runs with its own schema.
  const { schema, reads, isPending } = useRequirements(workflow, draft === undefined && publish === undefined ? undefined : 'draft')
  const missing = needs === undefined ? [] : needsOf(needs).filter((need) => need.missing)
  return (
    <Dialog title={draft === undefined ? m.editor.runTitle : m.runInput.tryDraft} kind="sheet" onClose={onClose}>
      {draft !== undefined && <p className="i2">{m.runInput.tryText(draft.version)}</p>}
      {isPending || needsPending ? (
        <Skeleton rows={3} />
      ) : (
        <>
          {missing.length > 0 && <p className="c-wait t13">{m.editor.missing(missing.map(({ name }) => name))}</p>}
          <RunForm
            workflow={workflow}
            schema={schema}
            reads={reads}
            label={draft !== undefined ? m.runInput.tryIt : publish === undefined ? m.editor.run : m.editor.publishAndRun}
            start={async (input) => {
              // What stands in the way of publishing is shown beside the definition.
              if (publish !== undefined && !(await publish(input))) return onClose()
              const params = { id: workflow }
              const { id } =
                draft === undefined
                  ? await api.workflows.execute({ params, body: { input } })
                  : await api.workflowTests.run({ params, body: { input, samples: false } })
              keepInput(workflow, input, schema)
              onClose()
              await navigate({ to: `/runs/${id}` })
            }}
          />
        </>
      )}
    </Dialog>
  )
}
