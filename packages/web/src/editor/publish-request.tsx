import type { Workflow } from '#src/editor/use-document.ts'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'

interface PublishRequestProps {
  readonly workflow: Workflow
  readonly onReview: () => void
}

/** Who asks for the publication of the draft; for those who may publish with the way to look at it. */
export function PublishRequest({ workflow: { publishing }, onReview }: PublishRequestProps) {
  const own = useSession(({ me }) => `user:${me?.id}`)
  const a = m.flowEditor.asking
  if (publishing === undefined || publishing.request === null) return null
  const { note, requestedAt, requestedBy, requestedByName, isCurrent } = publishing.request
  return (
    <div className="notice row" role="status">
      <div className="grow">
        {requestedBy === own ? a.youAsked : a.asked(requestedByName ?? a.someone)} <Time at={requestedAt} kind="ago" />
        {!isCurrent && <span className="i2"> {a.changed}</span>}
        {note !== null && (
          <p className="b prewrap">
            <bdi>{note}</bdi>
          </p>
        )}
      </div>
      {publishing.allowed && (
        <Button size="sm" onClick={onReview}>
          {a.review}
        </Button>
      )}
    </div>
  )
}
