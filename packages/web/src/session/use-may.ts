import { useSession } from '#src/session/session.ts'

/** Whether the person may do what needs a scope. */
export function useMay(scope: string): boolean {
  return useSession(({ me }) => me?.scopes.some((one) => one === scope) ?? false)
}
