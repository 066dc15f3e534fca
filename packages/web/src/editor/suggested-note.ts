import type { QueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import type { FlowDocument } from '#src/document/document-store.ts'
import type { Workflow } from '#src/editor/use-document.ts'
import { m } from '#src/messages/messages.ts'

/** The text of a published version, which never changes. */
export function versionQuery(id: string, version: number) {
  return {
    queryKey: ['workflow', id, 'version', version],
    queryFn: () => api.workflows.get({ params: { id }, query: { version } }),
    staleTime: Number.POSITIVE_INFINITY,
  }
}

/** What a publication would change, in words; empty where nothing can be said. */
export async function suggestedNote(queries: QueryClient, { id, version }: Workflow, doc: FlowDocument): Promise<string> {
  if (version === null) return m.flowEditor.firstVersion
  try {
    const [{ noteBetween }, { definition }] = await Promise.all([
      import('#src/editor/publish-note.ts'),
      queries.ensureQueryData(versionQuery(id, version)),
      doc.settled(),
    ])
    return noteBetween(definition, doc.store.getState().json) ?? ''
  } catch {
    // A version is published without a note as well.
    return ''
  }
}
