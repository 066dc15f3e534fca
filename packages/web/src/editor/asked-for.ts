import type { Workflow } from '#src/editor/use-document.ts'

/** Whether the draft waits for the publication by another person. */
export function isAskedFor({ publishing }: Pick<Workflow, 'publishing'>): boolean {
  return publishing?.allowed === false && publishing.request?.isCurrent === true
}
