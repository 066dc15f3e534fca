import type { Finding } from '#src/editor/diagnose.ts'
import type { Publishing } from '#src/editor/use-publishing.ts'
import { m } from '#src/messages/messages.ts'
import { ProblemPanel } from '#src/ui/problem.tsx'

interface NotPublishedProps {
  readonly publishing: Publishing
  /** What the server found wrong. */
  readonly refused: readonly Finding[]
  /** The version that runs. */
  readonly version: number | null
}

/** Why the last attempt to save or publish failed. */
export function NotPublished({ publishing, refused, version }: NotPublishedProps) {
  if (publishing.problem !== undefined) return <ProblemPanel error={publishing.problem} />
  if (!publishing.refused || refused.length === 0) return null
  return (
    <p className="notice" role="alert">
      {m.flowEditor.refused(version)}
    </p>
  )
}
