import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { needsOf } from '#src/importing/needs-list.tsx'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

interface RunSheetProps {
  readonly workflow: string
  readonly onClose: () => void
  /** Publishes the draft, which is what runs; undefined when it is published. */
  readonly publish: (() => Promise<boolean>) | undefined
}

/** Starts a run with an input; the schema's example is filled in. */
export function RunSheet({ workflow, onClose, publish }: RunSheetProps) {
  const navigate = useNavigate()
  const needs = useQuery({
    queryKey: ['requirements', workflow],
    staleTime: 0,
    queryFn: () => api.workflows.executionRequirements({ params: { id: workflow } }),
  })
  const missing = needs.data === undefined ? [] : needsOf(needs.data).filter((need) => need.missing)
  return (
    <Dialog title={m.editor.runTitle} kind="sheet" onClose={onClose}>
      {needs.isPending ? (
        <Skeleton rows={3} />
      ) : (
        <>
          {missing.length > 0 && <p className="c-wait t13">{m.editor.missing(missing.map(({ name }) => name))}</p>}
          <DataForm
            initial={{ input: JSON.stringify(exampleOf(needs.data?.inputSchema), undefined, 2) }}
            fields={[
              { name: 'input', label: m.editor.input, kind: 'code', rows: 16, required: true, autoFocus: true, hint: m.editor.inputHint },
            ]}
            send={async ({ input }) => {
              const body = { input: readJson(input, m.editor.notJson) }
              // What stands in the way of publishing is shown beside the definition.
              if (publish !== undefined && !(await publish())) return onClose()
              const { id } = await api.workflows.execute({ params: { id: workflow }, body })
              onClose()
              await navigate({ to: `/runs/${id}` })
            }}
            label={publish === undefined ? m.editor.run : m.editor.publishAndRun}
          />
        </>
      )}
    </Dialog>
  )
}

/** The example or the default of a schema, or an empty object. */
function exampleOf(schema: unknown): unknown {
  const { examples, default: byDefault } = Object(schema ?? {})
  return Array.isArray(examples) && examples.length > 0 ? examples[0] : (byDefault ?? {})
}
