import type { ErrorComponentProps } from '@tanstack/react-router'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** An error that a page did not expect. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return (
    <div className="page">
      <ProblemPanel error={error} retry={reset} />
    </div>
  )
}
