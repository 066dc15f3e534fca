import type { Finding } from '#src/editor/diagnose.ts'
import type { Publishing } from '#src/editor/use-publishing.ts'
import { FindingList, isError } from '#src/editor/problems.tsx'
import { m } from '#src/messages/messages.ts'
import { ProblemPanel } from '#src/ui/problem.tsx'

interface NotPublishedProps {
  readonly publishing: Publishing
  readonly findings: readonly Finding[]
  readonly goTo: (finding: Finding) => void
  /** The version that runs. */
  readonly version: number | null
}

/** The list of all is in the bar. */
const shownMax = 3

/** Why the last attempt to save or publish failed. */
export function NotPublished({ publishing, findings, goTo, version }: NotPublishedProps) {
  if (publishing.problem !== undefined) return <ProblemPanel error={publishing.problem} />
  const errors = findings.filter(isError)
  if (!publishing.refused || errors.length === 0) return null
  return (
    <div className="notice" role="alert">
      <p>{m.flowEditor.refused(version)}</p>
      <FindingList findings={errors.slice(0, shownMax)} goTo={goTo} />
    </div>
  )
}
