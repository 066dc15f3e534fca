import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { runColumns } from '#src/run/run-columns.tsx'

/** The runs of one workflow. */
export function WorkflowRuns({ id }: { readonly id: string }) {
  return (
    <ListPage
      title={m.editor.runs}
      name={`runs.${id}`}
      load={(query) => api.workflows.executions({ params: { id }, query })}
      id={(run) => run.id}
      href={(run) => `/runs/${run.id}`}
      columns={runColumns()}
      refreshMs={10_000}
      empty={{ title: m.runs.emptyTitle, text: m.editor.noRuns }}
    />
  )
}
