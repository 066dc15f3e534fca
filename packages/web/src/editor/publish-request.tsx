import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import type { Workflow } from '#src/editor/use-document.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'

interface PublishRequestProps {
  readonly workflow: Workflow
  readonly onReview: () => void
}

/** Who asks for the publication of the draft; for those who may publish with the ways to look at it and to decline, for the person who asked to withdraw. */
export function PublishRequest({ workflow: { id, publishing }, onReview }: PublishRequestProps) {
  const own = useSession(({ me }) => `user:${me?.id}`)
  const queries = useQueryClient()
  const [declining, setDeclining] = useState(false)
  const a = m.flowEditor.asking
  const end = useMutation({
    mutationFn: (note: string) =>
      api.workflowDrafts.declinePublishRequest({ params: { id }, body: note.trim() === '' ? {} : { note: note.trim() } }),
    onSuccess: () => {
      setDeclining(false)
      void queries.invalidateQueries({ queryKey: ['publish-requests'] })
      return queries.invalidateQueries({ queryKey: ['workflow', id], exact: true })
    },
  })
  if (publishing === undefined || publishing.request === null) return null
  const { note, requestedAt, requestedBy, requestedByName, isCurrent } = publishing.request
  const isOwn = requestedBy === own
  return (
    <div className="notice row wrap" role="status">
      <div className="grow">
        {isOwn ? a.youAsked : a.asked(requestedByName ?? a.someone)} <Time at={requestedAt} kind="ago" />
        {!isCurrent && <span className="i2"> {a.changed}</span>}
        {note !== null && (
          <p className="b prewrap">
            <bdi>{note}</bdi>
          </p>
        )}
        {end.isError && !declining && <ProblemPanel error={end.error} />}
      </div>
      {publishing.allowed && (
        <Button size="sm" onClick={onReview}>
          {a.review}
        </Button>
      )}
      {(isOwn || publishing.allowed) && (
        <Button size="sm" busy={end.isPending} onClick={() => (isOwn ? end.mutate('') : setDeclining(true))}>
          {isOwn ? a.withdraw : a.decline}
        </Button>
      )}
      {declining && (
        <Dialog title={a.declineTitle} onClose={() => setDeclining(false)}>
          <DeclineForm error={end.error} busy={end.isPending} onDecline={end.mutate} onClose={() => setDeclining(false)} />
        </Dialog>
      )}
    </div>
  )
}

interface DeclineFormProps {
  readonly error: unknown
  readonly busy: boolean
  readonly onDecline: (note: string) => void
  readonly onClose: () => void
}

function DeclineForm({ error, busy, onDecline, onClose }: DeclineFormProps) {
  const [note, setNote] = useState('')
  const a = m.flowEditor.asking
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        onDecline(note)
      }}
    >
      <p className="i2">{a.declineText}</p>
      <Field
        spec={{ name: 'note', label: a.declineNote, kind: 'textarea' }}
        value={note}
        error={undefined}
        onChange={(value) => setNote(String(value))}
      />
      {error !== null && <ProblemPanel error={error} />}
      <div className="row form-foot">
        <Button type="submit" look="primary" busy={busy}>
          {a.decline}
        </Button>
        <Button onClick={onClose}>{m.common.cancel}</Button>
      </div>
    </form>
  )
}
