import { ClientError } from '@millrace/client'
import type { JsonValue } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import type { OpenDocument, Workflow } from '#src/editor/use-document.ts'
import { m } from '#src/messages/messages.ts'
import { toast } from '#src/ui/toast.tsx'

/** Saving, publishing and what stands in the way. */
export interface Publishing {
  readonly busy: boolean
  readonly problem: unknown
  /** Whether the last attempt failed at the definition; what is wrong with it stands among the findings. */
  readonly refused: boolean
  readonly save: () => Promise<boolean>
  /** @param note what changed; what is seen of it unless given. */
  readonly publish: (note?: string) => Promise<boolean>
  /** Does something else with the workflow; false, and the problem is shown, if that fails. */
  readonly attempt: (act: () => Promise<void>) => Promise<boolean>
  /** Publishes what is not published yet, if it accepts the input; throws what of the input is refused. */
  readonly ready: (input: JsonValue) => Promise<boolean>
}

export function usePublishing(
  workflow: Workflow,
  { doc, saver }: OpenDocument,
  onRefused: (findings: readonly Finding[]) => void,
): Publishing {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [refused, setRefused] = useState(false)
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    setRefused(false)
    try {
      await act()
      return true
    } catch (error) {
      // It is said at the input.
      if (error instanceof ClientError && error.code === 'input_invalid') throw error
      const found = diagnosticsOf(error)
      onRefused(found)
      setRefused(found.length > 0)
      if (found.length === 0 && saver.saving.getState().at.kind !== 'conflict') setProblem(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const reload = () => queries.invalidateQueries({ queryKey: ['workflow', workflow.id], exact: true })
  const publish = async (given?: string, input?: JsonValue) => {
    await doc.settled()
    await saver.flush()
    const definition = doc.store.getState().text
    const note = given ?? (await import('#src/editor/suggested-note.ts').then(({ suggestedNote }) => suggestedNote(queries, workflow, doc)))
    const body = { definition, publish: true, ...(note === '' ? {} : { note }), ...(input === undefined ? {} : { input }) }
    const next = await api.workflows.update({ params: { id: workflow.id }, body }, { ifMatch: saver.revision() })
    saver.adopt({ text: definition, revision: next.revision })
    onRefused(next.warnings)
    queries.setQueryData(['workflow', workflow.id], next)
    toast(m.editor.published(next.version ?? 1))
  }
  return {
    busy,
    problem,
    refused,
    attempt,
    save: () =>
      attempt(async () => {
        await doc.settled()
        await saver.flush()
        await reload()
      }),
    publish: (note) => attempt(() => publish(note)),
    ready: async (input) => {
      await doc.settled()
      const clean = saver.saving.getState().at.kind === 'saved' && !workflow.hasUnpublishedChanges && workflow.version !== null
      return clean || attempt(() => publish(undefined, input))
    },
  }
}

function diagnosticsOf(error: unknown): readonly Finding[] {
  const found: unknown = error instanceof ClientError ? error.problem['diagnostics'] : undefined
  return Array.isArray(found) ? found : []
}
