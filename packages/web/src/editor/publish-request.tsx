import { useState } from 'react'
import { DeclineForm, useEndRequest } from '#src/editor/decline-request.tsx'
import type { Workflow } from '#src/editor/use-document.ts'
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
  const [declining, setDeclining] = useState(false)
  const a = m.flowEditor.asking
  const end = useEndRequest(id)
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
        {end.isError && <ProblemPanel error={end.error} />}
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
          <DeclineForm id={id} onEnded={() => setDeclining(false)} onClose={() => setDeclining(false)} />
        </Dialog>
      )}
    </div>
  )
}
