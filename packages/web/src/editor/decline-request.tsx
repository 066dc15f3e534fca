import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** Ends the request to publish a workflow: another person declines it with a note, the one who asked withdraws it. */
export function useEndRequest(id: string, onEnded?: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (note: string) =>
      api.workflowDrafts.declinePublishRequest({ params: { id }, body: note.trim() === '' ? {} : { note: note.trim() } }),
    onSuccess: () => {
      onEnded?.()
      void queries.invalidateQueries({ queryKey: ['publish-requests'] })
      return queries.invalidateQueries({ queryKey: ['workflow', id], exact: true })
    },
  })
}

interface DeclineProps {
  readonly id: string
  readonly onEnded: () => void
  readonly onClose: () => void
}

/** Asks why a request is declined. */
export function DeclineForm({ id, onEnded, onClose }: DeclineProps) {
  const [note, setNote] = useState('')
  const end = useEndRequest(id, onEnded)
  const a = m.flowEditor.asking
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        end.mutate(note)
      }}
    >
      <p className="i2">{a.declineText}</p>
      <Field
        spec={{ name: 'note', label: a.declineNote, kind: 'textarea' }}
        value={note}
        error={undefined}
        onChange={(value) => setNote(String(value))}
      />
      {end.isError && <ProblemPanel error={end.error} />}
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={end.isPending}>
          {a.decline}
        </Button>
        <Button onClick={onClose}>{m.common.cancel}</Button>
      </div>
    </form>
  )
}
