import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

/** Says why an act failed that has no place of its own for a problem. */
export function toastFailure(error: unknown): void {
  toast(wordsOf(error).detail, 'faulted')
}
